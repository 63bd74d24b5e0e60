package claude

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/auto-context-handover/handover/hooks"
	"github.com/auto-context-handover/handover/internal/scan"
	"github.com/auto-context-handover/handover/measure"
	"github.com/auto-context-handover/handover/measure/tail"
)

// The host compacts on its own when the last request and what came after it
// reach its window less 33,000: 20,000 for the answer and 13,000 of its own
// margin. Bisected on 2.1.332 for windows of 200,000 and 1,000,000, the same
// for main agents and subagents. Models for which it waits for the provider's
// refusal instead (claude-sonnet-4-5 and others) are held to the same point,
// which is the earlier one.
const (
	answerRoom = 20_000
	ownMargin  = 13_000
	// leastWindow is the smallest auto-compact window that the host accepts.
	leastWindow = 100_000
	// maxSettings bounds a settings file, in bytes.
	maxSettings = 1 << 20
)

// window is the model's window by the ids in the agent's own row. The id that
// was asked for keeps the suffix "[1m]", which the provider's answer drops.
func window(r row, env hooks.Env) measure.Limit {
	w := measure.Window(r.model)
	if base, long := strings.CutSuffix(r.requested, "[1m]"); long && base == r.model {
		w = measure.Window(r.requested)
	}
	if truthy(env.Get("CLAUDE_CODE_DISABLE_1M_CONTEXT")) && w.Tokens > 200_000 {
		w.Tokens, w.Source = 200_000, "CLAUDE_CODE_DISABLE_1M_CONTEXT"
	}
	return w
}

// limits are the window and the point at which this host compacts, as far as
// the user's own auto-compact settings can be seen from a hook.
func limits(r row, project string, env hooks.Env) measure.Limits {
	l := measure.Limits{Window: window(r, env)}
	if !l.Window.Known() {
		return l
	}
	s := readSettings(r, project, env)
	w, source := l.Window.Tokens, "window less 33,000"
	if s.window > 0 && s.window < w {
		w, source = s.window, s.windowSource+" less 33,000"
	}
	l.Compaction = measure.Limit{Tokens: w - answerRoom - ownMargin, Source: source, Assumed: l.Window.Assumed}
	if p := s.percent; p > 0 && p <= 100 {
		if c := (w - answerRoom) * p / 100; c < l.Compaction.Tokens {
			l.Compaction.Tokens, l.Compaction.Source = c, "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
		}
	}
	if s.off != "" {
		l.Compaction.Tokens, l.Compaction.Source = l.Window.Tokens, "window, "+s.off
	}
	return l
}

// settings are what moves the host's compaction.
type settings struct {
	// window is the auto-compact window in tokens, 0 if none is set.
	window       int64
	windowSource string
	percent      int64
	// off names what switched auto-compaction off, "" if nothing did.
	off string
}

// readSettings reads the environment and the host's settings files; a later
// file overrides an earlier one, the environment all of them.
func readSettings(r row, project string, env hooks.Env) settings {
	var s settings
	home := env.Get("CLAUDE_CONFIG_DIR")
	if home == "" && filepath.IsAbs(env.Dirs.Home) {
		home = filepath.Join(env.Dirs.Home, ".claude")
	}
	var files []string
	if filepath.IsAbs(home) {
		files = append(files, filepath.Join(home, "settings.json"))
	}
	if filepath.IsAbs(project) {
		files = append(files, filepath.Join(project, ".claude", "settings.json"), filepath.Join(project, ".claude", "settings.local.json"))
	}
	for _, f := range files {
		s.readFile(f, r)
	}
	if n := tokens(env.Get("CLAUDE_CODE_AUTO_COMPACT_WINDOW")); n >= leastWindow {
		s.window, s.windowSource = n, "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
	}
	s.percent, _ = strconv.ParseInt(env.Get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"), 10, 64)
	for _, name := range []string{"DISABLE_AUTO_COMPACT", "DISABLE_COMPACT"} {
		if truthy(env.Get(name)) {
			s.off = name
		}
	}
	return s
}

// readFile takes what one settings file says. A file that is missing or not
// understood says nothing.
func (s *settings) readFile(path string, r row) {
	f, err := tail.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	next := *s
	sc := scan.New(io.NewSectionReader(f, 0, min(f.Size(), maxSettings)), nil)
	err = sc.Object(func(key string) error {
		switch key {
		case "autoCompactWindow":
			return next.take(sc, path)
		case "autoCompactEnabled":
			on, ok, err := sc.Bool()
			if ok {
				next.off = ""
				if !on {
					next.off = "autoCompactEnabled"
				}
			}
			return err
		case "modelSettings":
			return members(sc, func(model string) error {
				if model != r.model && model != r.requested {
					return nil
				}
				return members(sc, func(key string) error {
					if key != "autoCompactWindow" {
						return nil
					}
					return next.take(sc, path)
				})
			})
		}
		return nil
	})
	if err == nil {
		*s = next
	}
}

func (s *settings) take(sc *scan.Scanner, path string) error {
	n, ok, err := sc.Int()
	if ok && n >= leastWindow {
		s.window, s.windowSource = n, "autoCompactWindow in "+filepath.Base(path)
	}
	return err
}

// tokens reads a number of tokens as the host does: 200000 or 200k.
func tokens(s string) int64 {
	factor := int64(1)
	if head, ok := strings.CutSuffix(strings.ToLower(s), "k"); ok {
		s, factor = head, 1000
	}
	n, err := strconv.ParseInt(s, 10, 40)
	if err != nil {
		return 0
	}
	return n * factor
}

// truthy reads a switch in the environment as the host does.
func truthy(s string) bool {
	switch strings.ToLower(s) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}
