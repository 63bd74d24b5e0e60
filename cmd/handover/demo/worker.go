package demo

import (
	"encoding/json"
	"errors"
	"strings"
)

// worker is the script of the first subagent: it works until a notice comes,
// then hands over with nothing but what the notice told it.
type worker struct {
	requests int
	step     int
	// From the notice: the tool, its arguments, the headings, the last line of
	// a summary.
	tool     string
	headings []string
	pending  string
	// written is the handover it sent, id the one in its receipt.
	written, id string
}

func (w *worker) answer(inbox []message) (response, error) {
	r := response{usage: workerUsage(w.requests)}
	w.requests++
	var err error
	switch w.step {
	case 0:
		err = w.begin(inbox, &r)
	case 1:
		err = w.work(inbox, &r)
	case 2:
		err = w.loaded(inbox, &r)
	case 3:
		err = w.stored(inbox, &r)
	default:
		err = errors.New("the worker was asked again after it had ended")
	}
	return r, err
}

// begin reads the task and the introduction.
func (w *worker) begin(inbox []message, r *response) error {
	if _, err := find(inbox, Task); err != nil {
		return err
	}
	intro, err := find(inbox, Introduction)
	if err != nil {
		return err
	}
	if err := needs(Introduction, intro, "[handover:intro] ", "a notice here tells you", "nothing to do."); err != nil {
		return err
	}
	w.step = 1
	r.calls = []call{{name: "Read", input: map[string]any{"file_path": "worker.go"}}}
	return nil
}

// work goes on until a notice comes.
func (w *worker) work(inbox []message, r *response) error {
	for _, m := range inbox {
		if m.text == Notice {
			return w.noticed(inbox, r)
		}
	}
	if w.requests > 8 {
		return garbled(Notice, "any word: none came")
	}
	r.calls = []call{
		{name: "Read", input: map[string]any{"file_path": "worker.go"}},
		{name: "Write", input: map[string]any{"file_path": "notes.txt", "content": "3 retries, worker.go line 4\n"}},
	}
	return nil
}

// noticed takes the tool and the template from the notice and loads the tool.
func (w *worker) noticed(inbox []message, r *response) error {
	notice, err := find(inbox, Notice)
	if err != nil {
		return err
	}
	if err := needs(Notice, notice, "[handover:notice ", "The user's word comes first.", "If the tool is not available", "\nhandover: these headings in this order"); err != nil {
		return err
	}
	load, err := printedCall(Notice, notice, "query")
	if err != nil {
		return err
	}
	store, err := printedCall(Notice, notice, "handover")
	if err != nil {
		return err
	}
	if _, ok := store.input["summary"]; !ok || load.input["query"] != "select:"+store.name {
		return garbled(Notice, "how the tool is loaded and called")
	}
	w.tool = store.name
	for _, m := range headPattern.FindAllStringSubmatch(notice, -1) {
		w.headings = append(w.headings, m[1])
	}
	words := chapters()
	for _, h := range w.headings {
		if _, ok := words[h]; !ok {
			return garbled(Notice, "a heading that can be read: "+h)
		}
	}
	if len(w.headings) != len(words) {
		return garbled(Notice, "some of the headings")
	}
	_, last, _ := strings.Cut(notice, "\nsummary: ")
	m := codePattern.FindStringSubmatch(last)
	if m == nil || !strings.HasSuffix(m[1], ": none") {
		return garbled(Notice, "how a summary ends")
	}
	w.pending = m[1]
	w.step = 2
	r.calls = []call{load}
	return nil
}

// loaded checks the tool's description and writes the handover.
func (w *worker) loaded(inbox []message, r *response) error {
	listing, err := find(inbox, ToolListing)
	if err != nil {
		return err
	}
	info, err := readListing(listing, w.tool)
	if err != nil {
		return err
	}
	if err := info.takes("handover", "summary"); err != nil {
		return err
	}
	if err := needs(ToolListing, info.Description, append([]string{w.pending}, w.headings...)...); err != nil {
		return err
	}
	var b strings.Builder
	words := chapters()
	for _, h := range w.headings {
		b.WriteString("## " + h + "\n" + words[h] + "\n")
	}
	w.written = b.String()
	w.step = 3
	r.calls = []call{{name: w.tool, input: map[string]any{"handover": w.written, "summary": summary + w.pending}}}
	return nil
}

// stored ends with exactly the receipt.
func (w *worker) stored(inbox []message, r *response) error {
	answer, err := find(inbox, Receipt)
	if err != nil {
		return err
	}
	receipt, id, _, err := receiptIn(Receipt, answer)
	if err != nil {
		return err
	}
	if err := needs(Receipt, answer, "[handover:stored] ", "exactly the receipt below, from [handover:receipt] to [/handover:receipt "+id+"]"); err != nil {
		return err
	}
	list, err := frames(Receipt, receipt)
	if err != nil {
		return err
	}
	if list[0].body != summary+w.pending {
		return garbled(Receipt, "the summary as it was written")
	}
	w.id = id
	w.step = 4
	r.text = receipt
	return nil
}

// readListing finds the full description of a tool in what the host shows.
func readListing(listing, tool string) (toolInfo, error) {
	for _, line := range strings.Split(listing, "\n") {
		line, ok := strings.CutPrefix(line, "<function>")
		if !ok {
			continue
		}
		var info struct {
			toolInfo
			Parameters json.RawMessage `json:"parameters"`
		}
		if json.Unmarshal([]byte(strings.TrimSuffix(line, "</function>")), &info) == nil && info.Name == tool {
			info.InputSchema = info.Parameters
			return info.toolInfo, nil
		}
	}
	return toolInfo{}, garbled(ToolListing, "the tool "+tool)
}

// takes checks that the tool's schema knows the arguments.
func (t toolInfo) takes(arguments ...string) error {
	var schema struct {
		Properties map[string]struct {
			Description string `json:"description"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(t.InputSchema, &schema); err != nil {
		return garbled(ToolListing, "a schema")
	}
	for _, a := range arguments {
		if schema.Properties[a].Description == "" {
			return garbled(ToolListing, "the argument "+a)
		}
	}
	return nil
}
