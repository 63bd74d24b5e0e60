package literal

import "strings"

// Receipt is what the recipient of a receipt takes from it.
type Receipt struct {
	ID      string
	Summary string // as framed; "" if there is none
	Block   string // from its first to its last line, without a host's indentation

	own string
}

// Stored is what the caller of the storing tool takes from its answer.
type Stored struct {
	Receipt
	// HandBack is the tool by which the receipt goes if the agent has it; ""
	// if it is always the final message.
	HandBack string
}

// ReadStored reads the answer of the tool that stores.
func ReadStored(f Failer, text string) Stored {
	f.Helper()
	return deliver(f, wordStored, text)
}

// ReadCorrection reads the text that asks an agent, at the end of its turn, to
// deliver its receipt after all.
func ReadCorrection(f Failer, text string) Stored {
	f.Helper()
	return deliver(f, wordClosed, text)
}

// deliver reads a text that holds a receipt and says where it goes.
func deliver(f Failer, word, text string) Stored {
	f.Helper()
	rest, _ := from(f, word, text)
	s := Stored{Receipt: ReadReceipt(f, rest)}
	instruction, _, _ := strings.Cut(rest, s.Block)
	if !strings.Contains(strings.ToLower(instruction), "end your turn") {
		f.Fatalf("%s: it does not say to end the turn: %s", word, instruction)
	}
	if m := handBackPattern.FindStringSubmatch(instruction); m != nil {
		s.HandBack = m[1]
	}
	return s
}

// HasReceipt says whether a text has a receipt.
func HasReceipt(text string) bool { return receiptOpenPattern.MatchString(text) }

// ReadReceipt reads the only receipt in a text, as its recipient does; the host
// may have indented its lines.
func ReadReceipt(f Failer, text string) Receipt {
	f.Helper()
	masked := mask(f, "receipt", text)
	open := receiptOpenPattern.FindAllStringSubmatchIndex(masked, -1)
	if len(open) != 1 {
		f.Fatalf("receipt: %d opening lines, want 1, in:\n%s", len(open), text)
	}
	indent := text[open[0][2]:open[0][3]]
	rest := text[open[0][0]:]
	closing := receiptClosePattern.FindStringSubmatchIndex(masked[open[0][0]:])
	if closing == nil {
		f.Fatalf("receipt: no closing line in:\n%s", rest)
	}
	closes := rest[closing[2]:closing[3]]
	lines := strings.Split(rest[:closing[1]], "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], indent)
	}
	if len(lines) < 3 || !idLinePattern.MatchString(lines[1]) {
		f.Fatalf("receipt: its second line is no id:\n%s", rest)
	}
	if closes != lines[1] {
		f.Fatalf("receipt: it is of %s, but its last line says %s", lines[1], closes)
	}
	r := Receipt{ID: lines[1], Block: strings.Join(lines, "\n")}
	own, frames := split(f, "receipt", r.Block)
	r.own = own
	for _, frame := range frames {
		if frame.What == "summary" {
			r.Summary = frame.Body
		}
	}
	return r
}

// Reader returns the call that a subagent's receipt gives to its recipient.
func (r Receipt) Reader(f Failer) Call {
	f.Helper()
	return theCall(f, "receipt", "read "+r.ID, r.own, reads(r.ID, false))
}

// Load returns the call that loads the reader; a receipt without one fails.
func (r Receipt) Load(f Failer) Call {
	f.Helper()
	load := theCall(f, "receipt", "load the reader", r.own, loads)
	if reader := r.Reader(f); load.Loads() != reader.Name {
		f.Fatalf("receipt: it loads %q, but reads with %q", load.Loads(), reader.Name)
	}
	return load
}

// Prompt returns the line with which a fresh session goes on, of a main agent's
// receipt.
func (r Receipt) Prompt(f Failer) Prompt {
	f.Helper()
	p := ReadPrompt(f, r.own)
	if p.ID != r.ID {
		f.Fatalf("receipt: it is for %s, but its prompt continues %s", r.ID, p.ID)
	}
	return p
}
