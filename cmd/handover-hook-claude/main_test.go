package main

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"handover-hook-claude": main})
}

// TestStories runs one story per host event: what the host says on stdin, what
// it is answered, and what is on disk afterwards.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			home := e.WorkDir + "/home"
			session := "11111111-2222-3333-4444-555555555555"
			e.Setenv("HOME", home)
			e.Vars = append(e.Vars, noRaceSleep)
			e.Setenv("SESSION", session)
			e.Setenv("AGENT", "abeae8a9e1d7e70ee")
			e.Setenv("ACTIVE", "false")
			e.Setenv("MODE", "default")
			e.Setenv("SUCCESS", "true")
			e.Setenv("TP", home+"/.claude/projects/-w/"+session+".jsonl")
			e.Setenv("SUB", home+"/.claude/projects/-w/"+session+"/subagents")
			e.Setenv("STORE", home+"/.local/share/handover")
			e.Setenv("CLAUDE_PROJECT_DIR", e.WorkDir)
			return os.MkdirAll(home+"/.claude/projects/-w/"+session+"/subagents", 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// event FILE [NAME=VALUE…]: the hook gets FILE with its $variables
			// filled in; stdout and stderr are checked as after exec.
			"event": func(ts *testscript.TestScript, neg bool, args []string) {
				if len(args) == 0 {
					ts.Fatalf("usage: event FILE [NAME=VALUE…]")
				}
				filled := fill(ts, ts.ReadFile(args[0]), args[1:])
				ts.Check(os.WriteFile(ts.MkAbs("stdin.json"), []byte(filled), 0o600))
				ts.Check(ts.Exec("sh", "-c", `exec handover-hook-claude < stdin.json`))
			},
			// fill FILE TO [NAME=VALUE…] writes FILE with its $variables filled in.
			"fill": func(ts *testscript.TestScript, neg bool, args []string) {
				filled := fill(ts, ts.ReadFile(args[0]), args[2:])
				ts.Check(os.WriteFile(ts.MkAbs(os.Expand(args[1], ts.Getenv)), []byte(filled), 0o600))
			},
			// handover AGENT SUMMARY: the agent has stored a handover; its id is
			// in $ID.
			"handover": func(ts *testscript.TestScript, neg bool, args []string) {
				ts.Setenv("ID", publish(ts, args[0], args[1]))
			},
			// count N GLOB: so many files match.
			"count": func(ts *testscript.TestScript, neg bool, args []string) {
				out := glob(ts, args[1])
				if got := len(out); (strings.TrimSpace(args[0]) == itoa(got)) == neg {
					ts.Fatalf("%d files match %s: %s", got, args[1], strings.Join(out, " "))
				}
			},
		},
	})
}
