package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/store"
)

// publish stores a handover as the server would.
func publish(ts *testscript.TestScript, agent, summary string) string {
	s, err := store.Create(ts.Getenv("STORE"))
	ts.Check(err)
	defer s.Close()
	a := actor.ID{Host: "claude", Session: ts.Getenv("SESSION"), Agent: agent}
	got, err := s.Publish(store.Draft{
		Header:   store.Header{Actor: a, Kind: "subagent", Role: a.Role(), Project: ts.Getenv("WORK"), CallID: "toolu_store"},
		Handover: "# Prioritized next steps\n1. go on\n",
		Summary:  summary,
	})
	ts.Check(err)
	return got.ID
}

func fill(ts *testscript.TestScript, text string, set []string) string {
	return os.Expand(text, func(name string) string {
		for _, s := range set {
			if v, ok := strings.CutPrefix(s, name+"="); ok {
				return v
			}
		}
		return ts.Getenv(name)
	})
}

func glob(ts *testscript.TestScript, pattern string) []string {
	found, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	return found
}

func itoa(n int) string { return strconv.Itoa(n) }
