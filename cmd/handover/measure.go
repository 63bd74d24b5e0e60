package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/auto-context-handover/handover/adapters/claude"
	"github.com/auto-context-handover/handover/cmd/handover/term"
	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/datadir"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/measure"
)

// measured is the JSON of handover measure.
type measured struct {
	Known  bool         `json:"known"`
	Tokens int64        `json:"tokens,omitempty"`
	Kind   measure.Kind `json:"kind,omitempty"`
	// Reason says why there is no number.
	Reason       string `json:"reason,omitempty"`
	Request      string `json:"request,omitempty"`
	Model        string `json:"model,omitempty"`
	Records      int    `json:"records"`
	UnknownTypes int    `json:"unknown_types"`
	// Window and Compaction are left out where unknown.
	Window     *measure.Limit `json:"window,omitempty"`
	Compaction *measure.Limit `json:"compaction,omitempty"`
	Soft       decided        `json:"soft"`
}

func newMeasure(p process) *cobra.Command {
	c := &cobra.Command{
		Use:     "measure [--host HOST] [--agent ID] FILE",
		Example: "  handover measure ~/.claude/projects/PROJECT/SESSION.jsonl\n  handover measure --agent a0123456789abcdef SESSION.jsonl",
		Short:   "Show what a host's adapter reads from a transcript",
		Long: `measure reads a transcript the way the hook does and says how many tokens the
agent's latest request put in its context, or why that is unknown. FILE is the
main agent's transcript; with --agent the subagent's own is found from it.

The last lines explain soft: what it is for this agent, and which setting
decided it. The plugin's own option is read from the host's settings.`,
		Args: oneArgument("FILE"),
	}
	only := ""
	if names := hosts.Names(); len(names) == 1 {
		only = names[0]
	}
	host := c.Flags().String("host", only, "the host that wrote the transcript: "+strings.Join(hosts.Names(), ", "))
	agent := c.Flags().String("agent", "", "the id of a subagent")
	asJSON := c.Flags().Bool("json", false, "print JSON")
	c.RunE = func(_ *cobra.Command, args []string) error {
		row, ok := hosts.ByName(*host)
		if !ok {
			return misuse("--host %q is none of: %s", *host, strings.Join(hosts.Names(), ", "))
		}
		file, err := filepath.Abs(args[0])
		if err != nil {
			return err
		}
		if err := transcript(row, file); err != nil {
			return err
		}
		o, agentType := p.observe(row, file, *agent)
		role := actor.RoleMain
		if *agent != "" {
			role = actor.RoleSubagent
		}
		m := newMeasured(p.explain(row, role, agentType, o))
		if *asJSON {
			return printJSON(p.out, m)
		}
		return p.print(m.print)
	}
	return c
}

// transcript refuses a file that cannot be the main agent's transcript: one that
// cannot be opened, or a subagent's own.
func transcript(row hosts.Host, file string) error {
	const not = "Nothing was measured."
	if main, id := subagentFile(row, file); id != "" {
		return &problem{
			happened: fmt.Sprintf("%s is the own transcript of the subagent %s", file, id), not: not,
			next: fmt.Sprintf("Give the main agent's transcript: handover measure --agent %s %s", id, main),
		}
	}
	info, err := os.Stat(file)
	if err == nil && info.Mode().IsRegular() { // nothing else: a pipe would wait
		var f *os.File
		if f, err = os.Open(file); err == nil {
			f.Close()
		}
	}
	switch {
	case err == nil && info.IsDir():
		return &problem{happened: file + " is a folder, not a transcript", not: not, next: "Give the path of a transcript in it."}
	case err == nil && !info.Mode().IsRegular():
		return &problem{happened: file + " is not a regular file", not: not, next: "Give the path of the main agent's transcript."}
	case errors.Is(err, os.ErrNotExist):
		return &problem{happened: "there is no file " + file, not: not, next: "Give the path of the main agent's transcript.", cause: err}
	case err != nil:
		return &problem{happened: "the transcript cannot be opened: " + err.Error(), not: not, next: "Give the path of a transcript that you may read.", cause: err}
	}
	return nil
}

// subagentFile takes the path of a subagent's own transcript,
// …/<session>/subagents/agent-<id>.jsonl, apart into the main agent's and the
// id; the id of any other path is "".
func subagentFile(row hosts.Host, file string) (main, id string) {
	if row.Name != "claude" {
		return "", ""
	}
	folder, name := filepath.Split(file)
	session, last := filepath.Split(filepath.Clean(folder))
	name, is := strings.CutSuffix(name, ".jsonl")
	id, named := strings.CutPrefix(name, "agent-")
	if !is || !named || last != "subagents" {
		return "", ""
	}
	return filepath.Clean(session) + ".jsonl", id
}

// observe asks the host's adapter for the reading and the agent's type.
func (p process) observe(row hosts.Host, file, agent string) (measure.Observation, string) {
	env := hooks.Env{Lookup: p.lookup, Version: version, Dirs: datadir.FromEnviron(p.lookup)}
	switch row.Name {
	case "claude":
		session := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		project, _ := p.dir() // without one only the user's own settings.json counts
		return claude.MeasureFile(file, session, agent, project, env), claude.AgentType(file, agent)
	}
	return measure.Observation{Reading: measure.UnknownBecause("transcripts of " + row.Title + " cannot be read by this command")}, ""
}

func newMeasured(o measure.Observation, soft decided) measured {
	m := measured{
		Known: o.Reading.Known(), Request: o.Reading.Request, Model: o.Reading.Model,
		Records: o.Records, UnknownTypes: o.UnknownTypes, Soft: soft,
	}
	if m.Known {
		m.Tokens, m.Kind = o.Reading.Tokens, o.Reading.Kind
	} else {
		m.Reason = o.Reading.Reason
	}
	if w := o.Limits.Window; w.Known() {
		m.Window = &w
	}
	if c := o.Limits.Compaction; c.Known() {
		m.Compaction = &c
	}
	return m
}

// print says it in sentences.
func (m measured) print(w io.Writer) {
	if m.Known {
		fmt.Fprintf(w, "%s tokens, %s, in request %s", term.Number(m.Tokens), m.Kind, orUnknown(m.Request))
		if m.Model != "" {
			fmt.Fprintf(w, " of %s", term.Line(m.Model))
		}
		fmt.Fprintln(w, ".")
	} else {
		fmt.Fprintf(w, "Unknown: %s.\n", term.Line(m.Reason))
	}
	fmt.Fprintf(w, "Records looked at: %d, of unknown types: %d.\n", m.Records, m.UnknownTypes)
	fmt.Fprintf(w, "Window: %s. Compaction by the host: %s.\n", limit(m.Window), limit(m.Compaction))
	fmt.Fprintln(w, m.Soft.sentence())
}

// limit says a limit with its source.
func limit(l *measure.Limit) string {
	if l == nil {
		return "unknown"
	}
	s := term.Number(l.Tokens) + " (" + term.Line(l.Source)
	if l.Assumed {
		s += ", assumed"
	}
	return s + ")"
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return term.Line(s)
}
