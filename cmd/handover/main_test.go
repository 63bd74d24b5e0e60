package main

import (
	"bytes"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/measure"
	"github.com/auto-context-handover/handover/store"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"handover": func() { os.Exit(Main()) }})
}

// TestScripts runs the stories in testdata/script: what a person types, and
// what the command answers. Their own commands are
//
//	publish DIR                        store the sample, and print nothing
//	publish DIR PROJECT SESSION AGENT  store another agent's handover
//	continue DIR                       note that the sample was continued
//	damage FILE                        change one byte of a text in it
//	chown UID FILE                     give a file to another user (root only)
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Condition:           func(c string) (bool, error) { return c == "root" && os.Getuid() == 0, nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"publish": func(ts *testscript.TestScript, _ bool, args []string) { publish(ts, args...) },
			"continue": func(ts *testscript.TestScript, _ bool, args []string) {
				s, err := store.Create(ts.MkAbs(args[0]))
				ts.Check(err)
				defer s.Close()
				_, err = s.ClaimContinuation(sampleID, store.ContinuationAdmitted, store.Continuation{At: time.Now(), By: "spawn"})
				ts.Check(err)
			},
			"damage": func(ts *testscript.TestScript, _ bool, args []string) {
				file := ts.MkAbs(args[0])
				data, err := os.ReadFile(file)
				ts.Check(err)
				ts.Check(os.WriteFile(file, bytes.Replace(data, []byte("## Goal"), []byte("## Gaol"), 1), 0o600))
			},
			"chown": func(ts *testscript.TestScript, _ bool, args []string) {
				uid, err := strconv.Atoi(args[0])
				ts.Check(err)
				ts.Check(os.Chown(ts.MkAbs(args[1]), uid, -1))
			},
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir+"/home")
			e.Setenv("NO_COLOR", "1")
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each process waits a second at its end
			return os.MkdirAll(e.WorkDir+"/home", 0o700)
		},
	})
}

// sampleID is the id of the sample: it depends on its actor alone.
const sampleID = "ho-36e65b96f9953052"

// publish stores a subagent's handover whose texts would act on a terminal, and
// what was learned about it later.
func publish(ts *testscript.TestScript, args ...string) {
	s, err := store.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer s.Close()
	if len(args) == 4 {
		_, err := s.Publish(store.Draft{Handover: "text", Summary: "s", Header: store.Header{
			Actor: actor.ID{Host: "claude", Session: args[2], Agent: args[3]}, Kind: "subagent", Role: actor.RoleSubagent,
			Created: time.Now(), Project: ts.MkAbs(args[1]), TaskAbsent: "none", Server: "test",
		}})
		ts.Check(err)
		return
	}
	at := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	p, err := s.Publish(store.Draft{
		Header: store.Header{
			Actor: actor.ID{Host: "claude", Session: "0aa1e4b2-1111-4222-8333-444455556666", Agent: "abeae8a9e1d7e70ee"},
			Kind:  "subagent", Role: actor.RoleSubagent, Created: at, Project: ts.MkAbs("project"),
			Provenance: store.Provenance{AgentType: "Explore\x1b[2J", ModelKnown: true},
			Lineage:    store.Lineage{State: store.LineageOrigin},
			Diagnostics: store.Diagnostics{
				PromptedBy: "notice", Stage: 1, Soft: store.Soft{Tokens: 60_000, Source: "plugin option soft"},
				Observation: measure.Observation{Reading: measure.Reading{Kind: measure.Measured, Tokens: 63_500, Request: "msg_1"}},
			},
			Repository: store.Repository{Reason: "no repository"}, Server: "test",
		},
		Task: []byte("the task\r\n"), Handover: "## Goal\n\x1b]0;owned\x07\ttab\u009b31m\r\n", Summary: "first line\nUser decisions pending: none",
	})
	ts.Check(err)
	if p.ID != sampleID {
		ts.Fatalf("the sample has the id %s", p.ID)
	}
	ts.Check(s.RecordRead(p.ID, "reader", 1, 1, true))
}
