//go:build e2e

package claude

import (
	"encoding/json"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// The functions here read the server's log: what the host sent to the model.

// lastOf returns the last request of a conversation, which holds its history.
func lastOf(tb testing.TB, c *model.Conversation) *model.Request {
	tb.Helper()
	all := c.Requests()
	if len(all) == 0 {
		tb.Fatalf("%s never asked", c.Name())
	}
	return all[len(all)-1]
}

// byAgent returns the requests of a conversation by the agent that asked, the
// agents in the order of their first request.
func byAgent(c *model.Conversation) [][]*model.Request {
	var all [][]*model.Request
	at := map[string]int{}
	for _, r := range c.Requests() {
		i, known := at[r.Origin.Agent]
		if !known {
			i = len(all)
			at[r.Origin.Agent] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], r)
	}
	return all
}

// results returns the texts of the tool results in a request.
func results(r *model.Request) []string {
	var texts []string
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Kind == model.PartResult {
				texts = append(texts, p.Text)
			}
		}
	}
	return texts
}

// wholeRead returns what the pages in a request's tool results hold, joined and
// checked, each page once and in order.
func wholeRead(tb testing.TB, r *model.Request) *literal.Whole {
	tb.Helper()
	var w literal.Whole
	complete := false
	for _, text := range results(r) {
		if literal.HasPage(text) {
			complete = w.Add(tb, text) == nil
		}
	}
	if !complete {
		tb.Fatalf("request %d: %d pages, the last is missing", r.Seq, w.Pages)
	}
	return &w
}

// spawnsIn returns the subagents that the history in a request started.
func spawnsIn(tb testing.TB, r *model.Request) []hostrun.ClaudeSpawn {
	tb.Helper()
	var all []hostrun.ClaudeSpawn
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Kind != model.PartCall || p.Name != "Agent" {
				continue
			}
			var s hostrun.ClaudeSpawn
			if err := json.Unmarshal(p.Input, &s); err != nil {
				tb.Fatalf("request %d: a spawn: %v", r.Seq, err)
			}
			all = append(all, s)
		}
	}
	return all
}
