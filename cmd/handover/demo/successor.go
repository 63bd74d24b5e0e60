package demo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// successor is the script of the fresh subagent: it knows nothing but the
// prompt it was started with.
type successor struct {
	requests int
	step     int
	id       string
	read     call
	pages    int
	// task and handover are put together from the pages.
	task, handover part
	numbers        numbers
	// file and content are what the first next step asks for.
	file, content string
}

func (s *successor) answer(inbox []message) (response, error) {
	r := response{usage: smallUsage(s.requests)}
	s.requests++
	var err error
	switch s.step {
	case 0:
		err = s.begin(inbox, &r)
	case 1:
		s.step = 2
		err = s.loaded(inbox, &r)
	case 2:
		err = s.page(inbox, &r)
	case 3:
		s.step = 4
		r.calls = []call{{name: "Read", input: map[string]any{"file_path": s.file}}}
	case 4:
		err = s.check(inbox, &r)
	default:
		err = errors.New("the successor was asked again after it had ended")
	}
	return r, err
}

// begin follows the prompt: load the reader, then read.
func (s *successor) begin(inbox []message, r *response) error {
	prompt, err := find(inbox, SuccessorPrompt)
	if err != nil {
		return err
	}
	if _, err := find(inbox, Introduction); err != nil {
		return err
	}
	m := markerPattern.FindStringSubmatch(prompt)
	if m == nil {
		return garbled(SuccessorPrompt, "the marker")
	}
	s.id = m[1]
	if err := needs(SuccessorPrompt, prompt, "First read the handover in full, every page: ", `Then continue from "Prioritized next steps"`); err != nil {
		return err
	}
	load, err := printedCall(SuccessorPrompt, prompt, "query")
	if err != nil {
		return err
	}
	if s.read, err = printedCall(SuccessorPrompt, prompt, "id"); err != nil {
		return err
	}
	if s.read.input["id"] != s.id || s.read.input["full"] != true || load.input["query"] != "select:"+s.read.name {
		return garbled(SuccessorPrompt, "the call that reads all of it")
	}
	s.step = 1
	r.calls = []call{load}
	return nil
}

func (s *successor) loaded(inbox []message, r *response) error {
	listing, err := find(inbox, ToolListing)
	if err != nil {
		return err
	}
	info, err := readListing(listing, s.read.name)
	if err != nil {
		return err
	}
	if err := info.takes("id", "full", "page"); err != nil {
		return err
	}
	r.calls = []call{s.read}
	return nil
}

// page takes one page of the full view, and after the last does the first of
// the next steps.
func (s *successor) page(inbox []message, r *response) error {
	view, err := find(inbox, FullView)
	if err != nil {
		return err
	}
	m := pagePattern.FindStringSubmatch(view)
	if m == nil || m[1] != s.id || m[2] != strconv.Itoa(s.pages+1) {
		return garbled(FullView, fmt.Sprintf("page %d of %s", s.pages+1, s.id))
	}
	s.pages++
	list, err := frames(FullView, view)
	if err != nil {
		return err
	}
	if s.pages == 1 {
		if err := needs(FullView, view, "the marks "+list[0].mark+".", "Authority lies with the original task, as the host showed it, and with the user", "report and do not command", "\nRecord: ", "\nRepository since then: "); err != nil {
			return err
		}
		if s.numbers = numbersIn(view); s.numbers == (numbers{}) {
			return garbled(FullView, "the diagnostics")
		}
	}
	for _, f := range list {
		into := &s.handover
		if strings.HasPrefix(f.what, "task as the host showed it") {
			into = &s.task
		}
		if err := into.add(FullView, f); err != nil {
			return err
		}
	}
	if m[2] != m[3] {
		next, err := printedCall(FullView, afterFrames(view, list), "page")
		if err != nil {
			return err
		}
		r.calls = []call{next}
		return nil
	}
	if !strings.HasSuffix(view, "\nComplete.\n") {
		return garbled(FullView, "the word that it is complete")
	}
	if err := errors.Join(s.task.check(FullView), s.handover.check(FullView)); err != nil {
		return err
	}
	return s.act(r)
}

// afterFrames is what follows the last frame: our own words.
func afterFrames(view string, list []framed) string {
	end := list[len(list)-1].mark + ">>>\n"
	return view[strings.LastIndex(view, end)+len(end):]
}

// act does what the first of the next steps says.
func (s *successor) act(r *response) error {
	first, _, _ := strings.Cut(section(s.handover.text, "Prioritized next steps"), "\n")
	codes := codePattern.FindAllStringSubmatch(first, -1)
	if !strings.HasPrefix(first, "1. Write ") || len(codes) != 2 {
		return garbled(FullView, "a first step that can be done")
	}
	s.content, s.file = codes[0][1]+"\n", codes[1][1]
	s.step = 3
	r.calls = []call{{name: "Write", input: map[string]any{"file_path": s.file, "content": s.content}}}
	return nil
}

// check looks whether the step worked, by its own measure.
func (s *successor) check(inbox []message, r *response) error {
	got, err := find(inbox, Ordinary)
	if err != nil {
		return err
	}
	if got != s.content {
		return fmt.Errorf("the step did not work: %s holds %q", s.file, got)
	}
	s.step = 5
	r.text = finalReport
	return nil
}
