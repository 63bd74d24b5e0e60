package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/auto-context-handover/handover/cmd/handover/term"
)

// request checks that what the adapter reads from a subagent's transcript is
// what the provider counted, and shows the readings that lead to the notice.
func (p *play) request(a *agent, u usage) error {
	if a.id == "" {
		return nil
	}
	tokens, err := p.measure(a)
	if err != nil {
		return err
	}
	if tokens != u.tokens() {
		return fmt.Errorf("the adapter reads %d tokens of the %s, the provider counted %d", tokens, a.name, u.tokens())
	}
	// What comes after the notice, and after the successor's first request,
	// tells a reader nothing new.
	switch {
	case p.facts.notices == 0 && tokens < soft:
		p.gauge(a.name, tokens, "")
	case p.facts.notices == 0:
		p.gauge(a.name, tokens, "over soft")
	case a.model == model(p.next) && p.next.requests == 1:
		p.gauge(a.name, tokens, "")
	}
	return nil
}

// hookSaid counts introductions and notices; anything else is one too many.
func (p *play) hookSaid(a *agent, event, context string) error {
	if context == "" {
		return nil
	}
	if event != "PostToolBatch" {
		p.facts.introductions++
		p.line(a.name, "gets the introduction: %d bytes", len(context))
		return nil
	}
	p.facts.notices++
	if a.model != model(p.worker) || p.facts.notices > 1 {
		return fmt.Errorf("%s got a notice that it should not get: %.120q", a.name, context)
	}
	reading := term.Number(workerUsage(p.worker.requests - 1).tokens())
	if !strings.Contains(context, reading) {
		return garbled(Notice, "the reading "+reading)
	}
	first, _, _ := strings.Cut(context, "\n")
	_, words, _ := strings.Cut(first, "] ")
	p.line(a.name, "gets a notice, %d bytes with the template: %s …", len(context), words)
	return nil
}

// called shows the calls of our tools, and the successor's first step.
func (p *play) called(a *agent, c call, result string) error {
	tool, ours := p.host.server.tool(c.name)
	switch {
	case !ours && c.name == "Write" && a.model == model(p.next):
		p.line(a.name, "does step 1: writes %q to %s", p.next.content, p.next.file)
		return nil
	case !ours:
		return nil
	case tool == "context_handover":
		return p.handedOver(a, c, result)
	}
	p.facts.reads++
	if a.id == "" {
		p.line(a.name, "read_handover: compact view, %d bytes", len(result))
		if strings.Contains(result, strings.SplitN(task, "\n", 2)[0]) {
			return garbled(CompactView, "silence about the task")
		}
		return nil
	}
	head, _, _ := strings.Cut(result, "]")
	p.line(a.name, "read_handover, full: %s, %d bytes", strings.TrimPrefix(head, "[handover:read "), len(result))
	return nil
}

// handedOver shows the id and looks at the file in the store.
func (p *play) handedOver(a *agent, c call, result string) error {
	p.facts.stored++
	p.first = a
	text, _ := c.input["handover"].(string)
	p.line(a.name, "calls context_handover: %d bytes", len(text))
	_, id, _, err := receiptIn(Receipt, result)
	if err != nil {
		first, _, _ := strings.Cut(result, "\n")
		return fmt.Errorf("nothing was stored: %w: %s", err, term.Line(first))
	}
	p.line("store", "%s", id)
	if len(p.host.shown) != 1 || !strings.Contains(p.host.shown[0], id) {
		return fmt.Errorf("the user was shown %q, not one sentence with the id", p.host.shown)
	}
	p.line("to user", "%s", p.host.shown[0])
	return nil
}

// spawned shows a start. What a parent passes on must be what it was shown.
func (p *play) spawned(parent, child *agent, prompt string) error {
	if child.model == model(p.next) {
		p.line(parent.name, "starts a fresh %s with the printed prompt:", agentType)
		p.line("", "%s", term.Cut(prompt, columns-who))
		return nil
	}
	p.gap()
	p.line(parent.name, "starts a subagent, %s", agentType)
	return nil
}

// ended shows how a subagent ends.
func (p *play) ended(a *agent, report string) error {
	if a.model != model(p.worker) {
		p.line(a.name, "reports: %s", report)
		return nil
	}
	p.line(a.name, "ends its turn with the receipt")
	p.gap()
	return nil
}

// check looks at everything once more when the play is over.
func (p *play) check() error {
	p.gap()
	if f := p.facts; f.notices != 1 || f.introductions != 3 || f.stored != 1 || f.reads < 2 {
		return fmt.Errorf("counted %d notices, %d introductions, %d handovers, %d reads", f.notices, f.introductions, f.stored, f.reads)
	}
	p.good("one notice, to the worker; none to main or the successor")
	if p.next.task.text != task || p.next.handover.text != p.worker.written {
		return garbled(FullView, "the bytes that were written")
	}
	p.good("task %d bytes, sha256 %.12s: as the host showed it", p.next.task.total, p.next.task.hash)
	p.good("handover %d bytes, sha256 %.12s: as it was written", p.next.handover.total, p.next.handover.hash)
	if err := p.excerpts(); err != nil {
		return err
	}
	raw, err := p.run(p.host.plugin.env, "show", "--raw", p.worker.id)
	if err != nil {
		return err
	}
	if string(raw) != p.worker.written {
		return errors.New("handover show --raw prints other bytes than were written")
	}
	p.good("handover show --raw %s prints the same bytes", p.worker.id)
	data, err := os.ReadFile(filepath.Join(p.host.project, p.next.file))
	if err != nil || string(data) != p.next.content {
		return fmt.Errorf("the next step was not done: %q, %w", data, err)
	}
	p.good("the first next step is done: %s holds %q", p.next.file, strings.TrimSpace(string(data)))
	if err := p.locked(); err != nil {
		return err
	}
	return p.listed()
}

// excerpts compares what the compact view told with what was written and counted.
func (p *play) excerpts() error {
	if p.lead.summary != summary+p.worker.pending {
		return garbled(Report, "the summary as it was written")
	}
	want := map[string]string{"Rules in force": "", "Prioritized next steps": ""}
	for _, f := range p.lead.view {
		if _, ok := want[f.what]; !ok || f.body != strings.TrimSpace(chapters()[f.what]) {
			return garbled(CompactView, "the words of "+f.what)
		}
		delete(want, f.what)
	}
	if len(want) > 0 {
		return garbled(CompactView, "an excerpt")
	}
	// The request that made the call is the fifth; its numbers are on record.
	told := numbers{by: "notice", stage: 1, tokens: workerUsage(4).tokens(), soft: soft}
	if p.lead.numbers != told || p.next.numbers != told {
		return fmt.Errorf("the views tell %+v and %+v, counted was %+v", p.lead.numbers, p.next.numbers, told)
	}
	p.good("both views tell %s tokens at soft %s, as they were counted", term.Number(told.tokens), term.Number(soft))
	return nil
}

// locked tries a tool as the agent that has handed over.
func (p *play) locked() error {
	reply, err := p.host.fire(p.first, "PreToolUse", "Read", map[string]any{
		"tool_name": "Read", "tool_input": map[string]any{"file_path": "worker.go"}, "tool_use_id": "toolu_demo_late",
	})
	if err != nil {
		return err
	}
	if reply.Specific.Decision != "deny" {
		return errors.New("a tool of the agent that has handed over was not refused")
	}
	reason := p.host.deliver(Denial, reply.Specific.Reason)
	reader, err := printedCall(Denial, reason, "id")
	if err != nil {
		return err
	}
	if reader.name != p.lead.reader || reader.input["id"] != p.worker.id || !strings.HasPrefix(reason, "[handover:closed] ") || !strings.Contains(reason, "End your turn with the line above") {
		return garbled(Denial, "the receipt line")
	}
	p.good("a late tool call of the worker is refused and names the handover")
	return nil
}

// listed looks for the handover with handover list.
func (p *play) listed() error {
	out, err := p.run(p.host.plugin.env, "list", "--json")
	if err != nil {
		return err
	}
	var list struct {
		Store     string
		Handovers []struct{ ID string }
	}
	if err := json.Unmarshal(out, &list); err != nil {
		return fmt.Errorf("handover list: %w", err)
	}
	if len(list.Handovers) != 1 || list.Handovers[0].ID != p.worker.id {
		return fmt.Errorf("handover list shows %d handovers", len(list.Handovers))
	}
	file := filepath.Join(list.Store, "handovers", p.worker.id+".handover")
	if mode := modeOf(file); mode != "-rw-------" && runtime.GOOS != "windows" {
		return fmt.Errorf("%s has the mode %q", file, mode)
	}
	p.good("handover list shows it; its file is readable by its owner only")
	return nil
}
