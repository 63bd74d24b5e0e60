package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// advised is a command of ours as a text names it.
var advised = regexp.MustCompile("`handover ([^ `]+)")

// TestTextsNameCommands: what models and their users are told to run exists. The
// golden files hold every text that a model is sent.
func TestTextsNameCommands(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "internal", "modeltext", "testdata", "*", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, c := range newRoot(process{}).Commands() {
		known = append(known, c.Name())
	}
	named := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range advised.FindAllSubmatch(text, -1) {
			named++
			if !slices.Contains(known, string(m[1])) {
				t.Errorf("%s names handover %s; there are %q", file, m[1], known)
			}
		}
	}
	if named == 0 {
		t.Errorf("no command is named in %d texts", len(files))
	}
}
