package demo

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/auto-context-handover/handover/manifests"
)

// programs builds the three commands once for all tests of the package.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "./cmd/...")
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}

// TestDemo plays the whole demo, as it is and with each text of ours garbled in
// several ways: the first must end well, every other one must not.
func TestDemo(t *testing.T) {
	dir := programs(t)
	plugin := filepath.Join(dir, "plugin")
	if err := manifests.Lay("claude", dir, plugin); err != nil {
		t.Fatal(err)
	}
	t.Run("whole", func(t *testing.T) { playsWhole(t, dir) })
	for text, lines := range ownLines(t, dir, plugin) {
		for _, n := range lines {
			t.Run(fmt.Sprintf("%s/without line %d", text, n+1), func(t *testing.T) {
				t.Parallel()
				isNoticed(t, dir, plugin, text, func(s string) string { return withoutLine(s, n) })
			})
		}
	}
	for text, mutations := range garblings() {
		for name, mutate := range mutations {
			t.Run(string(text)+"/"+name, func(t *testing.T) {
				t.Parallel()
				isNoticed(t, dir, plugin, text, mutate)
			})
		}
	}
}

func playsWhole(t *testing.T, dir string) {
	var out strings.Builder
	temp := t.TempDir()
	seen := map[Text]int{}
	err := Run(context.Background(), Options{
		Programs: dir, Out: &out, Environ: os.Environ(), Temp: temp,
		Deliver: func(text Text, s string) string { seen[text]++; return s },
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	readmeShows(t, out.String())
	for text := range garblings() {
		if seen[text] == 0 {
			t.Errorf("no model was sent %s", text)
		}
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > columns {
			t.Errorf("a line has %d columns: %s", n, line)
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("there is colour where none was wanted")
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("the demo left %v behind, %v", left, err)
	}
}

// readmeShows compares the transcript in README.md with this run; ids, times and
// the sizes of views may differ. With -update it is written there, unless
// nothing but ids and times would change.
func readmeShows(t *testing.T, got string) {
	t.Helper()
	const first = "One handover, played"
	name := filepath.Join("..", "..", "..", "README.md")
	readme, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(readme), "```\n"+first)
	shown, after, end := strings.Cut(rest, "```\n")
	if !ok || !end {
		t.Fatal("README.md shows no run of the demo")
	}
	may := varies
	if *update {
		may = differs
	}
	plain := func(s string) string { return may.ReplaceAllString(s, "$1*") }
	if plain(first+shown) == plain(got) {
		return
	}
	if !*update {
		t.Errorf("README.md shows another run (make golden writes this one):\n%s", got)
		return
	}
	if err := os.WriteFile(name, []byte(before+"```\n"+got+"```\n"+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// differs are the parts of a timeline that differ in every run.
var differs = regexp.MustCompile(`(ho-|done      in )[0-9a-f.]+`)

// varies are those and the ones that may differ between runs.
var varies = regexp.MustCompile(`(ho-|sha256 |done      in |compact view, |page [0-9]+ of [0-9]+, )[0-9a-f.]+`)

var update = flag.Bool("update", false, "write the transcript in README.md again")

// withoutLine leaves out the line with this index.
func withoutLine(s string, n int) string {
	lines := strings.Split(s, "\n")
	if n >= len(lines) {
		return s
	}
	return strings.Join(append(lines[:n:n], lines[n+1:]...), "\n")
}

// ownLines plays the demo once and returns, for each text, which of its lines
// are our words: not the empty ones, not what the host puts around ours, and of
// the full view not the stored text, whose hash covers it.
func ownLines(t *testing.T, dir, plugin string) map[Text][]int {
	t.Helper()
	lines := map[Text][]int{}
	err := Run(context.Background(), Options{
		Programs: dir, Plugin: plugin, Out: io.Discard, Environ: os.Environ(), Temp: t.TempDir(),
		Deliver: func(text Text, s string) string {
			if text == Ordinary || text == Task || lines[text] != nil {
				return s
			}
			stored := false
			for n, line := range strings.Split(s, "\n") {
				stored = stored && !anyMark.MatchString(line)
				host := strings.HasPrefix(line, "[Subagent hand-back]") || strings.HasSuffix(line, "functions>")
				if line != "" && !host && (!stored || text != FullView) {
					lines[text] = append(lines[text], n)
				}
				stored = stored || framePattern.MatchString(line)
			}
			return s
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func isNoticed(t *testing.T, dir, plugin string, text Text, mutate func(string) string) {
	var out strings.Builder
	changed := false
	err := Run(context.Background(), Options{
		Programs: dir, Plugin: plugin, Out: &out, Environ: os.Environ(), Temp: t.TempDir(),
		Deliver: func(got Text, s string) string {
			if got != text {
				return s
			}
			m := mutate(s)
			changed = changed || m != s
			return m
		},
	})
	switch {
	case !changed:
		t.Errorf("nothing was changed in %s", text)
	case err == nil:
		t.Errorf("%s was garbled and nobody noticed:\n%s", text, out.String())
	}
}

var (
	anyID   = regexp.MustCompile(`ho-[0-9a-f]{16}`)
	anyName = regexp.MustCompile(`(context|read)_handover`)
	anyHash = regexp.MustCompile(`sha256 [0-9a-f]`)
	anyMark = regexp.MustCompile(`[0-9a-f]{8}>>>`)
	heading = regexp.MustCompile(`(?m)^## `)
)

// garblings are the ways in which each text is garbled.
func garblings() map[Text]map[string]func(string) string {
	replace := func(re *regexp.Regexp, by string) func(string) string {
		return func(s string) string { return re.ReplaceAllString(s, by) }
	}
	all := map[string]func(string) string{
		"missing":     func(string) string { return "" },
		"first half":  func(s string) string { return s[:len(s)/2] },
		"second half": func(s string) string { return s[len(s)/2:] },
		"upper case":  strings.ToUpper,
		"no brackets": func(s string) string { return strings.NewReplacer("[", "", "{", "").Replace(s) },
	}
	tools := replace(anyName, "${1}_handovers")
	ids := replace(anyID, "ho-ID")
	otherID := replace(anyID, "ho-0123456789abcdef")
	some := map[Text]map[string]func(string) string{
		Introduction:    {},
		Notice:          {"tool": tools, "heading": replace(heading, "# "), "code": func(s string) string { return strings.ReplaceAll(s, "`", "'") }},
		ToolListing:     {"tool": tools, "no argument": func(s string) string { return strings.ReplaceAll(s, `"handover":{`, `"h":{`) }},
		Receipt:         {"id": ids, "tool": tools, "mark": replace(anyMark, "mark>>>")},
		Report:          {"id": ids, "another id": otherID, "tool": tools},
		CompactView:     {"id": ids, "another id": otherID, "mark": replace(anyMark, "mark>>>")},
		SuccessorPrompt: {"id": ids, "another id": otherID, "tool": tools},
		FullView:        {"id": ids, "another id": otherID, "hash": replace(anyHash, "sha256 x"), "mark": replace(anyMark, "mark>>>"), "a byte": func(s string) string { return strings.Replace(s, "\u2028", " ", 1) }},
		Denial:          {"id": ids, "another id": otherID, "tool": tools},
	}
	for text := range some {
		for name, mutate := range all {
			some[text][name] = mutate
		}
	}
	return some
}
