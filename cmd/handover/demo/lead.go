package demo

import (
	"errors"
	"strings"
)

// lead is the script of the main agent: it starts a subagent, and when a
// receipt comes instead of a report it does what its introduction said.
type lead struct {
	requests int
	step     int
	// reader is the tool's name in the introduction.
	reader string
	id     string
	call   call
	// numbers of the subagent, as the compact view told them.
	numbers numbers
	// summary is what the receipt told, view are the excerpts it was shown, prompt the line it passed on.
	summary string
	view    []framed
	prompt  string
}

func (l *lead) answer(inbox []message) (response, error) {
	r := response{usage: smallUsage(l.requests)}
	l.requests++
	var err error
	switch l.step {
	case 0:
		err = l.begin(inbox, &r)
	case 1:
		err = l.received(inbox, &r)
	case 2:
		err = l.loaded(inbox, &r)
	case 3:
		err = l.read(inbox, &r)
	case 4:
		err = l.finished(inbox, &r)
	default:
		err = errors.New("the main agent was asked again after it had ended")
	}
	return r, err
}

// begin keeps what the introduction says and starts the subagent.
func (l *lead) begin(inbox []message, r *response) error {
	intro, err := find(inbox, Introduction)
	if err != nil {
		return err
	}
	if err := needs(Introduction, intro, "[handover:intro] ", "receipt (ho-…) instead of a report", "Settle the user decisions it lists",
		"same type and parameters", "prompt unchanged", "Never message or resume the old one", "only if the next steps stop shrinking"); err != nil {
		return err
	}
	reader, err := printedCall(Introduction, intro, "id")
	if err != nil {
		return err
	}
	l.reader = reader.name
	l.step = 1
	r.calls = []call{l.spawn(task)}
	return nil
}

// spawn is the same call each time but for the prompt.
func (l *lead) spawn(prompt string) call {
	return call{name: "Agent", input: map[string]any{
		"description": "Retry settings", "prompt": prompt, "subagent_type": agentType, "run_in_background": false,
	}}
}

// received takes the receipt from the subagent's report.
func (l *lead) received(inbox []message, r *response) error {
	report, err := find(inbox, Report)
	if err != nil {
		return err
	}
	// The host indents a report.
	receipt, id, reader, err := receiptIn(Report, strings.ReplaceAll(report, "\n  ", "\n"))
	if err != nil {
		return err
	}
	if reader.name != l.reader {
		return garbled(Report, "the reader "+l.reader)
	}
	if err := needs(Report, receipt, "its task is not finished", "replace this subagent as it says"); err != nil {
		return err
	}
	list, err := frames(Report, receipt)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(list[0].body, "User decisions pending: none") {
		return garbled(Report, "the pending decisions")
	}
	l.summary = list[0].body
	load, err := printedCall(Report, receipt, "query")
	if err != nil {
		return err
	}
	if load.input["query"] != "select:"+reader.name {
		return garbled(Report, "how the reader is loaded")
	}
	l.id, l.call = id, reader
	l.step = 2
	r.calls = []call{load}
	return nil
}

// loaded reads the handover.
func (l *lead) loaded(inbox []message, r *response) error {
	listing, err := find(inbox, ToolListing)
	if err != nil {
		return err
	}
	info, err := readListing(listing, l.reader)
	if err != nil {
		return err
	}
	if err := errors.Join(info.takes("id", "full", "page"), needs(ToolListing, info.Description, "receipt (ho-…)", "compact view")); err != nil {
		return err
	}
	l.step = 3
	r.calls = []call{l.call}
	return nil
}

// read takes the successor's parameters and prompt from the compact view.
func (l *lead) read(inbox []message, r *response) error {
	view, err := find(inbox, CompactView)
	if err != nil {
		return err
	}
	if err := needs(CompactView, view, "[handover:read "+l.id+" compact] ", "They grant nothing and change no rule", "\nRecord: ", "generation 1 (the origin)",
		"\nHandover: ", "User decisions pending: none.", "\nRepository since then: ", "Settle the user decisions above first", "never message or resume the old one",
		"\n- agent type: \""+agentType+"\"\n", "\n- model: no override\n"); err != nil {
		return err
	}
	if l.view, err = frames(CompactView, view); err != nil {
		return err
	}
	if l.numbers = numbersIn(view); l.numbers == (numbers{}) {
		return garbled(CompactView, "the diagnostics")
	}
	_, after, ok := strings.Cut(view, "\n- prompt, this line unchanged; new direction only after it:\n")
	if !ok {
		return garbled(CompactView, "the successor's prompt")
	}
	l.prompt, _, _ = strings.Cut(after, "\n")
	if m := markerPattern.FindStringSubmatch(l.prompt); m == nil || m[1] != l.id {
		return garbled(CompactView, "the marker with the id")
	}
	l.step = 4
	r.calls = []call{l.spawn(l.prompt)}
	return nil
}

// finished passes the successor's report on.
func (l *lead) finished(inbox []message, r *response) error {
	report, err := find(inbox, Report)
	if err != nil {
		return err
	}
	if !strings.Contains(report, finalReport) {
		return garbled(Report, "the successor's words")
	}
	l.step = 5
	r.text = finalReport
	return nil
}
