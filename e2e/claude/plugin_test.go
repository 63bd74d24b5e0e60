//go:build e2e

package claude

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/e2e/hostrun"
	"github.com/auto-context-handover/handover/e2e/model"
	"github.com/auto-context-handover/handover/e2e/rehearse"
)

// TestClaudePlugin: an installed plugin's context reaches the main agent and a
// subagent, each in the request after its event and nowhere else.
func TestClaudePlugin(t *testing.T) {
	t.Parallel()
	pluginStory(t, nil)
}

// TestClaudePluginGarbled: the same story notices when one word of the plugin's
// context is changed on its way to the model.
func TestClaudePluginGarbled(t *testing.T) {
	t.Parallel()
	for _, event := range []string{"SessionStart", "SubagentStart", "PostToolBatch"} {
		t.Run(event, func(t *testing.T) {
			t.Parallel()
			failures := rehearse.Run(t, func(tb testing.TB) {
				pluginStory(tb, model.AlterText(func(text string) string {
					return strings.ReplaceAll(text, "probe "+event, "probe x"+event)
				}))
			})
			if len(failures) == 0 || !strings.Contains(failures[0], "new text of "+event+": false") {
				t.Errorf("failures: %q", failures)
			}
		})
	}
}

// pluginStory tells the story; alter may change what the model is shown.
func pluginStory(t testing.TB, alter func(*model.Request)) {
	script := model.NewScript(t, hostrun.ClaudeHost())
	script.Alter = alter
	expect := func(turn *model.Turn, want string) {
		got := turn.NewSystemText()
		for _, event := range []string{"SessionStart", "SubagentStart", "PostToolBatch"} {
			if said := strings.Contains(got, "probe "+event+" hello"); said != (event == want) {
				turn.Fatalf("%s request %d: new text of %s: %v, want only that of %q:\n%s", turn.Request.Conversation, turn.Index, event, said, want, got)
			}
		}
	}
	script.Main().Steps(
		func(turn *model.Turn) model.Answer {
			expect(turn, "SessionStart")
			return hostrun.ClaudeSpawn{Prompt: "SUBTASK-1: run a command."}.Call()
		},
		func(turn *model.Turn) model.Answer {
			expect(turn, "PostToolBatch")
			return model.Text("main is done")
		},
	)
	script.Agent("SUBTASK-1").Steps(
		func(turn *model.Turn) model.Answer {
			expect(turn, "SubagentStart")
			return hostrun.ClaudeBash("true")
		},
		func(turn *model.Turn) model.Answer {
			expect(turn, "PostToolBatch")
			return hostrun.ClaudeBash("true").Then(hostrun.ClaudeBash("false"))
		},
		func(turn *model.Turn) model.Answer {
			expect(turn, "PostToolBatch")
			if n := len(turn.LastToolResults()); n != 2 {
				turn.Fatalf("%d tool results, want 2", n)
			}
			return model.Text("report")
		},
	)

	claude := hostrun.NewClaude(t, script)
	claude.Allow = []string{"Bash"}
	claude.InstallPlugin("testdata/market", "word=hello")
	if result := claude.Run("Do the plugin task."); result.Text != "main is done" {
		t.Errorf("result: code %d, text %q, stderr %q", result.Code, result.Text, result.Stderr)
	}
}
