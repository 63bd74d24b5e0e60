package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Text is one sort of text that a model is sent.
type Text string

const (
	// Ordinary is what the host's own tools answer; Task the first prompt.
	Ordinary Text = "the answer of a host's tool"
	Task     Text = "the task"
	// The rest is ours, or carries our words.
	Introduction    Text = "the introduction"
	Notice          Text = "the notice"
	ToolListing     Text = "the tool's description"
	Receipt         Text = "the receipt"
	Report          Text = "the subagent's report"
	CompactView     Text = "the compact view"
	SuccessorPrompt Text = "the successor's prompt"
	FullView        Text = "the full view"
	Denial          Text = "the refusal of a tool"
)

// textOf is what our tool answers the agent: a parent is shown the compact view,
// a successor the full one.
func textOf(tool string, a *agent) Text {
	switch {
	case tool == "context_handover":
		return Receipt
	case a.id == "":
		return CompactView
	}
	return FullView
}

// garbled is the error of a script that cannot find what it needs in a text.
func garbled(text Text, what string) error {
	return fmt.Errorf("%s lacks %s", text, what)
}

// find returns the one body of the sort in the inbox.
func find(inbox []message, text Text) (string, error) {
	body, n := "", 0
	for _, m := range inbox {
		if m.text == text && m.body != "" {
			body = m.body
			n++
		}
	}
	if n != 1 {
		return "", fmt.Errorf("%s did not come once but %d times", text, n)
	}
	return body, nil
}

// needs checks that the body holds all of the words.
func needs(text Text, body string, words ...string) error {
	for _, w := range words {
		if !strings.Contains(body, w) {
			return garbled(text, strconv.Quote(w))
		}
	}
	return nil
}

var (
	callPattern   = regexp.MustCompile("`([A-Za-z0-9_]+)\\((\\{[^`\n]*\\})\\)`")
	idPattern     = regexp.MustCompile(`^ho-[0-9a-f]{16}$`)
	headPattern   = regexp.MustCompile(`(?m)^## ([^(\n]+?)(?: \([^\n]*\))?$`)
	framePattern  = regexp.MustCompile(`(?m)^<<<([0-9a-f]{8}) (.*)$`)
	partPattern   = regexp.MustCompile(`^(.+), bytes ([0-9]+)-([0-9]+) of ([0-9]+)(?:, sha256 ([0-9a-f]{64}))?$`)
	pagePattern   = regexp.MustCompile(`^\[handover:read (ho-[0-9a-f]{16}) page ([0-9]+) of ([0-9]+)\]`)
	markerPattern = regexp.MustCompile(`^\[handover:continue (ho-[0-9a-f]{16})\] `)
	// The numbers of the actor's latest request when it called.
	numbersPattern = regexp.MustCompile(`(?m)^Diagnostics: prompted_by=([a-z]+), stage=([0-9]), context_tokens=([0-9]+) \(measured, .*\), soft=([0-9]+) \("plugin option soft"\)`)
	codePattern    = regexp.MustCompile("`([^`]+)`")
)

// printedCalls are the calls that a text shows in backticks.
func printedCalls(body string) []call {
	var calls []call
	for _, m := range callPattern.FindAllStringSubmatch(body, -1) {
		c := call{name: m[1]}
		if json.Unmarshal([]byte(m[2]), &c.input) == nil {
			calls = append(calls, c)
		}
	}
	return calls
}

// printedCall is the only call with this argument in a text.
func printedCall(text Text, body, argument string) (call, error) {
	var found []call
	for _, c := range printedCalls(body) {
		if _, ok := c.input[argument]; ok {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		return call{}, garbled(text, "the one call with "+strconv.Quote(argument))
	}
	return found[0], nil
}

// receiptIn cuts out a receipt: its lines, and the id and the reader's call in it.
func receiptIn(text Text, body string) (receipt, id string, reader call, err error) {
	// The text before it may name both marks; the receipt begins its own line.
	const first = "\n[handover:receipt]\n"
	from := strings.LastIndex(body, first)
	if from < 0 {
		return "", "", call{}, garbled(text, "a receipt")
	}
	id, _, _ = strings.Cut(body[from+len(first):], "\n")
	if !idPattern.MatchString(id) {
		return "", "", call{}, garbled(text, "an id on a line of its own")
	}
	last := "\n[/handover:receipt " + id + "]"
	to := strings.Index(body[from:], last)
	if to < 0 {
		return "", "", call{}, garbled(text, "the end of the receipt")
	}
	receipt = body[from+1 : from+to+len(last)]
	if reader, err = printedCall(text, receipt, "id"); err != nil {
		return "", "", call{}, err
	}
	if reader.input["id"] != id {
		return "", "", call{}, garbled(text, "one and the same id twice")
	}
	return receipt, id, reader, nil
}

// framed is stored text between two marks.
type framed struct{ mark, what, body string }

// frames cuts out all framed texts, which must all bear the same mark.
func frames(text Text, body string) ([]framed, error) {
	var list []framed
	for rest := body; ; {
		at := framePattern.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		f := framed{mark: rest[at[2]:at[3]], what: rest[at[4]:at[5]]}
		if at[1] == len(rest) {
			return nil, garbled(text, "the end of a frame")
		}
		stored, after, ok := strings.Cut(rest[at[1]+1:], "\n"+f.mark+">>>\n")
		if !ok || len(list) > 0 && list[0].mark != f.mark {
			return nil, garbled(text, "the end of a frame")
		}
		f.body, rest = stored, after
		list = append(list, f)
	}
	if len(list) == 0 {
		return nil, garbled(text, "a frame")
	}
	return list, nil
}

// part is a stored part as it is put together from its pages.
type part struct {
	text  string
	total int
	hash  string
}

// add appends one piece and checks that it is the next one. The hash comes with
// the first piece.
func (p *part) add(text Text, f framed) error {
	m := partPattern.FindStringSubmatch(f.what)
	if m == nil {
		return garbled(text, "the byte range and the hash of a part")
	}
	from, _ := strconv.Atoi(m[2])
	to, _ := strconv.Atoi(m[3])
	p.total, _ = strconv.Atoi(m[4])
	if m[5] != "" && (p.hash == "" || p.hash == m[5]) {
		p.hash = m[5]
	} else if m[5] != "" {
		return garbled(text, "one and the same hash of a part")
	}
	if from != len(p.text) || to-from != len(f.body) {
		return garbled(text, "the bytes it announces")
	}
	p.text += f.body
	return nil
}

// check compares the joined part with its length and hash.
func (p *part) check(text Text) error {
	sum := sha256.Sum256([]byte(p.text))
	if len(p.text) != p.total || hex.EncodeToString(sum[:]) != p.hash {
		return garbled(text, "the bytes that its hash belongs to")
	}
	return nil
}

// numbers are the diagnostics of a handover as a view tells them.
type numbers struct {
	by            string
	stage, tokens int64
	soft          int64
}

// numbersIn reads them from a view; the zero value where they are not there.
func numbersIn(view string) numbers {
	m := numbersPattern.FindStringSubmatch(view)
	if m == nil {
		return numbers{}
	}
	n := numbers{by: m[1]}
	for i, to := range []*int64{&n.stage, &n.tokens, &n.soft} {
		*to, _ = strconv.ParseInt(m[i+2], 10, 64)
	}
	return n
}

// section returns the lines below a heading of the handover.
func section(handover, title string) string {
	_, rest, ok := strings.Cut(handover, "## "+title+"\n")
	if !ok {
		return ""
	}
	body, _, _ := strings.Cut(rest, "\n## ")
	return strings.TrimSpace(body)
}
