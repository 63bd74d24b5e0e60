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

// request shows a request of a subagent as a reading, and checks that what the
// adapter reads from the transcript is what the provider counted.
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
	word := ""
	if tokens >= soft {
		word = "over soft"
	}
	p.gauge(a.name, tokens, word)
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

// called shows the calls of our tools.
func (p *play) called(a *agent, c call, result string) error {
	tool, ours := p.host.server.tool(c.name)
	switch {
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
	return nil
}

// spawned shows a start. What a parent passes on must be what it was shown.
func (p *play) spawned(parent, child *agent, prompt string) error {
	p.gap()
	if child.model == model(p.next) {
		p.line(parent.name, "starts a fresh %s with the printed prompt:", agentType)
		p.line("", "%s", term.Cut(prompt, columns-who))
		return nil
	}
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
	if reader.name != p.lead.reader || reader.input["id"] != p.worker.id || !strings.HasPrefix(reason, "[handover:closed] ") {
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
