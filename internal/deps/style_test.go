package deps_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxLines is where a file should have become two; tests may be longer.
const (
	maxLines     = 500
	maxTestLines = 700
)

// unfinished are the marks of work that somebody meant to come back to.
var unfinished = regexp.MustCompile(`\b(?:TO` + `DO|FIX` + `ME|XX` + `X)\b`)

// TestSourceFiles holds the house rules that a program can check: no init, no
// package for leftovers, no file too long to read, no marks of unfinished work.
func TestSourceFiles(t *testing.T) {
	for _, path := range sources(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		limit := maxLines
		if strings.HasSuffix(path, "_test.go") {
			limit = maxTestLines
		}
		if n := strings.Count(string(data), "\n"); n > limit {
			t.Errorf("%s has %d lines", path, n)
		}
		if mark := unfinished.Find(data); mark != nil {
			t.Errorf("%s holds the mark %s", path, mark)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, data, 0)
		if err != nil {
			t.Error(err)
			continue
		}
		if slices.Contains([]string{"util", "utils", "common", "helpers", "helper", "types", "misc"}, file.Name.Name) {
			t.Errorf("%s: package %s does not say what is in it", path, file.Name.Name)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", path)
			}
		}
	}
}

// sources are the Go files of the repository.
func sources(t *testing.T) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "dist" || name == "bin" || name == "node_modules") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(name, ".go") {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}
