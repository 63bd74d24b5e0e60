package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/auto-context-handover/handover/cmd/handover/term"
	"github.com/auto-context-handover/handover/internal/config"
	"github.com/auto-context-handover/handover/internal/datadir"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/store"
)

// checked is one finding of the doctor.
type checked struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Says string `json:"says"`
	// Next is what helps, or what can be done where OK.
	Next string `json:"next,omitempty"`
}

// diagnosis is the JSON of handover doctor.
type diagnosis struct {
	OK     bool      `json:"ok"`
	Checks []checked `json:"checks"`
}

// newDoctor names what silently keeps handover from working: the store, the
// settings, the programs.
func newDoctor(p process) *cobra.Command {
	c := &cobra.Command{
		Use:     "doctor",
		Example: "  handover doctor\n  handover doctor --json",
		Short:   "Say what keeps handover from working, and what helps",
		Long: `doctor looks at the store (place, owner, modes, a trial write, the newest
200 records, each read wholly), at config.json, the variables and the host's own
settings, and starts the programs as a host does. The server's version is
compared; a hook does not tell its own.

In a store that is there the trial does what each write does: it makes what is
missing of the store's own parts, sets modes that let others in to 0700 and
says so, and it removes its file. Nothing else is changed.

Exit status: 0 nothing found, 1 something to mend.`,
		Args: noArguments,
	}
	data := dataFlag(c)
	asJSON := c.Flags().Bool("json", false, "for programs")
	c.RunE = func(c *cobra.Command, _ []string) error {
		var found []checked
		found = append(found, p.checkStore(*data)...)
		found = append(found, p.checkSettings()...)
		found = append(found, p.checkPlugins()...)
		found = append(found, p.checkPrograms(c.Context())...)
		bad := 0
		for _, f := range found {
			if !f.OK {
				bad++
			}
		}
		if *asJSON {
			if err := printJSON(p.out, diagnosis{OK: bad == 0, Checks: found}); err != nil {
				return err
			}
		} else {
			if err := p.print(func(w io.Writer) { printChecks(w, found) }); err != nil {
				return err
			}
		}
		if bad > 0 {
			return &problem{happened: fmt.Sprintf("%d of %d checks failed", bad, len(found)), next: "What helps stands with each."}
		}
		return nil
	}
	return c
}

func printChecks(w io.Writer, found []checked) {
	for _, f := range found {
		mark := "ok "
		switch {
		case !f.OK:
			mark = "BAD"
		case f.Next != "": // nothing is wrong, and something can be done
			mark = "-- "
		}
		fmt.Fprintf(w, "%s  %-9s %s\n", mark, f.What, term.Line(f.Says))
		if f.Next != "" {
			fmt.Fprintf(w, "     %-9s %s\n", "", term.Line(f.Next))
		}
	}
}

func fine(what, format string, args ...any) checked {
	return checked{What: what, OK: true, Says: fmt.Sprintf(format, args...)}
}

func bad(what, says, next string) checked { return checked{What: what, Says: says, Next: next} }

// newestLooked is how many of the newest records are looked at.
const newestLooked = 200

func (p process) checkStore(flag string) []checked {
	dir, source, err := p.data(flag)
	if err != nil {
		next := "Set AUTO_CONTEXT_HANDOVER_DATA to an absolute path, or HOME."
		if flag != "" {
			next = "Give --data an absolute path."
		}
		return []checked{bad("store", err.Error(), next)}
	}
	s, err := store.Open(dir)
	if errors.Is(err, store.ErrNoStore) {
		return []checked{fine("store", "%s (%s): not there yet, the first handover makes it", dir, source)}
	}
	if err != nil {
		return []checked{bad("store", err.Error(), "Mend that, or "+another(flag)+".")}
	}
	defer s.Close()
	found := []checked{fine("store", "%s (%s)", dir, source)}
	if w, err := store.Create(dir); errors.Is(err, store.ErrNewerFormat) {
		found = append(found, bad("writing", err.Error(), updateThis))
	} else if err != nil {
		found = append(found, bad("writing", err.Error(), "Make the store writable for you, or "+another(flag)+"."))
	} else {
		if err := w.ProbeWrite(); err != nil {
			found = append(found, bad("writing", err.Error(), "Free some space, or "+another(flag)+" on another disk."))
		} else {
			found = append(found, fine("writing", "a file could be created, written and removed"))
		}
		for _, line := range w.Tightened() {
			found = append(found, fine("modes", "%s", line))
		}
		w.Close()
	}
	found = append(found, p.lax(dir)...)
	list, err := s.List(store.ListQuery{Limit: newestLooked})
	if err != nil {
		return append(found, bad("records", err.Error(), "See docs/format.md for how to read a handover by hand."))
	}
	damaged := 0
	for _, h := range list {
		if h.Err == nil {
			_, h.Err = s.Handover(h.ID) // the header and every text against its hash
		}
		switch {
		case h.Err == nil, errors.Is(h.Err, store.ErrRemoved), errors.Is(h.Err, store.ErrNotFound): // removed since
		case errors.Is(h.Err, store.ErrNewerFormat):
			damaged++
			found = append(found, bad("record", named(h), updateThis))
		default:
			damaged++
			found = append(found, bad("record", named(h), "Its text may still be there: docs/format.md says how to get at it by hand."))
		}
	}
	if damaged > 0 {
		return append(found, bad("records", fmt.Sprintf("%d read wholly, %d cannot be used", len(list), damaged), "They are named above."))
	}
	return append(found, fine("records", "%d read wholly, 0 damaged", len(list)))
}

// updateThis is all that helps where a newer program wrote something.
const updateThis = "Update this program."

// another is the advice to use another store, said in the way in which this one
// was named.
func another(flag string) string {
	if flag != "" {
		return "name another directory with --data"
	}
	return "set AUTO_CONTEXT_HANDOVER_DATA to another directory"
}

// named is what is wrong with a record, with its id.
func named(h store.Summary) string {
	says := h.Err.Error()
	if !strings.Contains(says, h.ID) {
		says = h.ID + ": " + says
	}
	return says
}

// lax names the folders of the store whose modes let others in, after the trial
// write, which tightens only those that it enters.
func (p process) lax(dir string) []checked {
	if p.goos == "windows" { // modes say nothing there
		return nil
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // what is linked to is walked only from its own name
	}
	var found []checked
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // what cannot be read is for the other checks
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			found = append(found, fine("modes", "%s has mode %#o and lets others in; the next write there will set it to 0700", path, info.Mode().Perm()))
		}
		return nil
	})
	return found
}

func (p process) checkSettings() []checked {
	path, err := config.Locate(datadir.FromEnviron(p.lookup), p.goos)
	if err != nil {
		return []checked{bad("config", err.Error(), "Until then there are no notices; the tools work.")}
	}
	said := path
	if _, err := os.Lstat(path); err != nil {
		said += " (not there, which is fine)"
	}
	var found []checked
	for _, row := range hosts.All() {
		q := config.Query{HostRow: row}
		p.softFrom(row, &q)
		s := p.settings(q)
		for _, problem := range s.Problems {
			found = append(found, bad("config", problem, "Correct it; until then there are no notices, the tools work."))
		}
		if s.Valid() {
			found = append(found, fine("config", "%s: %s: %s", row.Title, said, config.Explain(s)))
		}
	}
	return found
}

// startTime is how long a program may take to start and end.
const startTime = 5 * time.Second

// checkPrograms starts the programs beside this one as a host does: a hook with
// nothing on its stdin, the server to tell its version.
func (p process) checkPrograms(ctx context.Context) []checked {
	self, err := p.self()
	if err != nil {
		return []checked{bad("programs", err.Error(), "Start handover by its path.")}
	}
	folder := filepath.Dir(self)
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	var found []checked
	for _, row := range hosts.All() {
		name := "handover-hook-" + row.Name + suffix
		found = append(found, p.start(ctx, filepath.Join(folder, name), "", nil))
	}
	return append(found, p.start(ctx, filepath.Join(folder, "handover-mcp"+suffix), version, []string{"--version"}))
}

// start runs a program and checks that it ends with status 0 and, where a
// version is wanted, that it is this one.
func (p process) start(ctx context.Context, path, want string, args []string) checked {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = p.environ
	out, err := cmd.Output()
	name := filepath.Base(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return bad("program", path+" is missing", "Install all programs into one folder (make install), or use the plugin's own.")
	case err != nil:
		return bad("program", fmt.Sprintf("%s does not run: %v", path, err), "A limit on memory (ulimit -v) below about 700 MB stops it from starting.")
	case want != "" && !strings.Contains(string(out), want):
		return bad("program", fmt.Sprintf("%s is another version: %.80q, not %s", path, strings.TrimSpace(string(out)), want), "Install programs of one version and restart the host.")
	}
	return fine("program", "%s starts", name)
}
