//go:build e2e

package claude

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/literal"
	"github.com/auto-context-handover/handover/e2e/model"
)

// TestSummariser: a main agent and its subagent, both told once, are compacted.
// What the host sends to the summariser is the same as in a run without our
// plugin, but for what stood in the history before: the introduction, the notice
// and the names of our tools. A hook that spoke at a compaction would add an
// order of its own to it.
func TestSummariser(t *testing.T) {
	t.Parallel()
	with, without := summaryRequests(t, true), summaryRequests(t, false)
	if t.Failed() {
		return
	}
	for i, who := range []string{"subagent", "main"} {
		if got := with[i].ours; len(got) != 3 || !literal.HasIntroduction(got[0]) || !strings.HasPrefix(got[1], "mcp__") || !slices.Equal(literal.Stages(got[2]), []string{"1"}) {
			t.Errorf("%s: what only the plugin put into the request: %q", who, got)
		}
		if len(without[i].ours) > 0 {
			t.Errorf("%s: without the plugin the request holds %q", who, without[i].ours)
		}
		if !slices.Equal(with[i].rest, without[i].rest) {
			t.Errorf("%s: the summariser was sent with the plugin\n%s\nand without\n%s", who, onlyIn(with[i].rest, without[i].rest), onlyIn(without[i].rest, with[i].rest))
		}
		if last := with[i].rest[len(with[i].rest)-1]; !strings.Contains(last, "Your task is to create a detailed summary") {
			t.Errorf("%s: the request ends with %q", who, last)
		}
	}
	shown.Show(t, "f", "The requests to the summariser of a subagent and of a main agent were compared with those of a run without the plugin: system prompt, tools, every other member and every piece of the messages are equal, but for the introduction, the one notice given before and the two names in the list of deferred tools.")
}

// summaryRequest is a request to a summariser, in pieces.
type summaryRequest struct{ ours, rest []string }

// summaryRequests runs a story in which first a subagent and then the main agent
// is compacted.
func summaryRequests(t *testing.T, plugin bool) []summaryRequest {
	t.Helper()
	script := model.NewScript(t, hostrun.ClaudeHost())
	fills := says(hostrun.ClaudeBash("sleep 0.2").Using(filled(100_000)))
	work := phases(fills, overflows(), reports())
	lead := phases(says(hostrun.ClaudeSpawn{Prompt: "SUBTASK: fill the context."}.Call()), fills, overflows(), says(model.Text("main is done")))
	script.Main().Do(lead.answer)
	script.Agent("SUBTASK").Do(work.answer)
	summaries := script.Side(model.KindCompaction).Do(func(*model.Turn) model.Answer {
		return model.Text("<summary>" + summaryWords + "</summary>")
	})

	var claude *hostrun.Claude
	if plugin {
		claude = withPlugin(t, script, "soft=100000")
		configure(t, claude, `{"mode":{"main":"advise"}}`)
	} else {
		claude = hostrun.NewClaude(t, script)
		claude.Allow = []string{"Bash"}
	}
	claude.Model = smallModel
	runs(t, claude, script, "Do the task.", "main is done")
	work.finished(t)
	lead.finished(t)
	var all []summaryRequest
	for _, r := range summaries.Requests() {
		all = append(all, taken(t, claude, r))
	}
	if len(all) != 2 {
		t.Errorf("the host compacted %d times, want 2", len(all))
	}
	return all
}

// varying is what differs between any two runs: ids, and how long things took.
var varying = regexp.MustCompile(`\ba[0-9a-f]{16}\b|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|duration_ms: [0-9]+`)

// nonWord is what the host replaces where it names a folder after a path.
var nonWord = regexp.MustCompile(`[^A-Za-z0-9]`)

// taken takes a request into pieces: its members, and of the messages each
// text, each system reminder and each other block.
func taken(t *testing.T, c *hostrun.Claude, r *model.Request) (s summaryRequest) {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(r.Body, &members); err != nil {
		t.Fatal(err)
	}
	delete(members, "messages")
	delete(members, "metadata") // the ids of device and session
	base := filepath.Dir(c.Home)
	homes := strings.NewReplacer(base, "BASE", nonWord.ReplaceAllString(base, "-"), "BASE")
	same := func(text string) string { return varying.ReplaceAllString(homes.Replace(text), "…") }
	var names []string
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		s.rest = append(s.rest, name+"="+same(string(members[name])))
	}
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			text := p.Text
			if p.Kind != model.PartText && p.Kind != model.PartResult {
				text = string(p.Raw)
			}
			for _, piece := range reminderPattern.Split(text, -1) {
				s.add(m.Role, same(strings.TrimSpace(piece)))
			}
		}
	}
	return s
}

var (
	reminderPattern = regexp.MustCompile(`</?system-reminder>`)
	oursPattern     = regexp.MustCompile(`^[A-Za-z]+ hook additional context: \[handover:`)
	namesPattern    = regexp.MustCompile(`(?m)^mcp__plugin_handover_handover__[a-z_]+\n?`)
)

// add sorts a piece of a message.
func (s *summaryRequest) add(role, piece string) {
	switch names := strings.Join(namesPattern.FindAllString(piece, -1), " "); {
	case piece == "":
	case oursPattern.MatchString(piece):
		s.ours = append(s.ours, piece)
	case names != "":
		s.ours = append(s.ours, names)
		piece = strings.TrimSpace(namesPattern.ReplaceAllString(piece, ""))
		fallthrough
	default:
		s.rest = append(s.rest, role+": "+piece)
	}
}

// onlyIn returns the pieces of one list that another does not have.
func onlyIn(list, other []string) string {
	var only []string
	for _, piece := range list {
		if !slices.Contains(other, piece) {
			only = append(only, piece)
		}
	}
	return strings.Join(only, "\n---\n")
}
