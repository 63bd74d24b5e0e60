package literal

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/e2e/model"
)

// Notice is what an agent takes from a notice.
type Notice struct {
	Stage    string
	Tokens   int      // as the notice says
	Tool     string   // the tool that stores; "" in a notice that asks for a report
	Headings []string // of the template; none in a later notice
	Text     string   // the whole notice

	load *Call
}

// HasNotice says whether a text has a notice at all: for the turns in which a
// model goes on with its work.
func HasNotice(text string) bool {
	_, _, n := find(wordNotice, text)
	return n > 0
}

// Stages returns the stages of all notices in a text, in order.
func Stages(text string) []string {
	var stages []string
	for _, m := range leadPattern.FindAllStringSubmatch(text, -1) {
		if m[1] == wordNotice {
			stages = append(stages, m[2])
		}
	}
	return stages
}

// ReadNotice reads the only notice in what the host told the model. It must name
// the tool and how to call it.
func ReadNotice(f Failer, text string) Notice {
	f.Helper()
	n := readNotice(f, text)
	call := theCall(f, "notice", "store a handover", n.Text, func(c Call) bool { return !loads(c) })
	var names []string
	for name := range call.Arguments() {
		names = append(names, name)
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"handover", "summary"}) {
		f.Fatalf("notice: the call to store has the arguments %q", names)
	}
	n.Tool = call.Name
	for _, c := range calls(f, "notice", n.Text) {
		if !loads(c) {
			continue
		}
		if c.Loads() != n.Tool {
			f.Fatalf("notice: it loads %q, but the tool is %q", c.Loads(), n.Tool)
		}
		n.load = &c
	}
	return n
}

// ReadReportNotice reads the only notice in a text, which must ask for a normal
// report and name no call.
func ReadReportNotice(f Failer, text string) Notice {
	f.Helper()
	n := readNotice(f, text)
	if found := calls(f, "notice", n.Text); len(found) > 0 {
		f.Fatalf("notice: it names a call, but should ask for a report: %s", n.Text)
	}
	if !strings.Contains(n.Text, "normal report") {
		f.Fatalf("notice: it does not ask for a report: %s", n.Text)
	}
	return n
}

func readNotice(f Failer, text string) Notice {
	f.Helper()
	rest, stage := from(f, wordNotice, text)
	n := Notice{Stage: stage, Text: paragraph(rest)}
	if stage == "" {
		f.Fatalf("notice: no stage: %s", n.Text)
	}
	m := tokensPattern.FindStringSubmatch(n.Text)
	if m == nil {
		f.Fatalf("notice: no number of tokens: %s", n.Text)
	}
	tokens, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	if err != nil {
		f.Fatalf("notice: number of tokens: %v", err)
	}
	n.Tokens = tokens
	for _, h := range headingPattern.FindAllStringSubmatch(n.Text, -1) {
		n.Headings = append(n.Headings, h[1])
	}
	return n
}

// Load returns the call that loads the tool; a notice without one fails.
func (n Notice) Load(f Failer) Call {
	f.Helper()
	if n.load == nil {
		f.Fatalf("notice: it does not say how to load the tool: %s", n.Text)
	}
	return *n.load
}

// Draft writes a handover under the notice's headings: what the story says for
// a heading, else "none". A heading that the notice does not have fails.
func (n Notice) Draft(f Failer, says map[string]string) string {
	f.Helper()
	for title := range says {
		if !slices.Contains(n.Headings, title) {
			f.Fatalf("notice: the template has no heading %q; it has %q", title, n.Headings)
		}
	}
	var b strings.Builder
	for _, title := range n.Headings {
		text := says[title]
		if text == "" {
			text = "none"
		}
		b.WriteString("## " + title + "\n" + text + "\n")
	}
	return b.String()
}

// Store is the call that stores a handover, by the name the notice gave.
func (n Notice) Store(handover, summary string) model.Answer {
	input, _ := json.Marshal(struct {
		Handover string `json:"handover"`
		Summary  string `json:"summary"`
	}{handover, summary})
	return model.ToolUse(n.Tool, json.RawMessage(input))
}
