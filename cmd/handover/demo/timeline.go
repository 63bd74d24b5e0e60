package demo

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/cmd/handover/term"
)

// columns is the width that the timeline keeps to.
const columns = 80

// timeline prints what happens: who, then what, one line each.
type timeline struct {
	out    io.Writer
	style  term.Style
	failed error
}

// who is the width of the first column.
const who = 10

// line prints one entry, wrapped below itself. The first error of the writer
// ends up in failed.
func (t *timeline) line(name, format string, args ...any) {
	for _, text := range term.Wrap(term.Line(fmt.Sprintf(format, args...)), columns-who) {
		t.print(t.style.Bold(fmt.Sprintf("%-*s", who, name)) + text + "\n")
		name = ""
	}
}

// gap prints an empty line.
func (t *timeline) gap() { t.print("\n") }

// good prints a line with a check that held.
func (t *timeline) good(format string, args ...any) {
	text := term.Cut(term.Line(fmt.Sprintf(format, args...)), columns-who-3)
	t.print(fmt.Sprintf("%-*s", who, "") + t.style.Green("ok ") + text + "\n")
}

// gauge prints a reading against soft.
func (t *timeline) gauge(name string, tokens int64, word string) {
	bar := term.Gauge(tokens, soft, 24)
	if tokens >= soft {
		bar = t.style.Red(bar)
	}
	t.print(t.style.Bold(fmt.Sprintf("%-*s", who, name)) + bar + strings.TrimRight(fmt.Sprintf(" %7s tokens  %s", term.Number(tokens), word), " ") + "\n")
}

func (t *timeline) print(s string) {
	if _, err := io.WriteString(t.out, s); err != nil && t.failed == nil {
		t.failed = fmt.Errorf("the timeline cannot be written: %w", err)
	}
}

func (t *timeline) title() {
	t.print(t.style.Bold("One handover, played on a simulated Claude Code") + "\n")
	t.print(t.style.Dim("Hook, MCP server, files and store are real; the model is a literal script.") + "\n\n")
}

// softOption is the plugin option as the user typed it.
func softOption() string { return strconv.Itoa(soft) }
