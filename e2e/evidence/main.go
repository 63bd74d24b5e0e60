package evidence

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// writeEnv is set to "write" to write the page instead of comparing it.
const writeEnv = "HANDOVER_E2E_EVIDENCE"

// Runner is a testing.M.
type Runner interface{ Run() int }

// Of returns a Runner that runs the stories and then looks after the page.
func (p *Page) Of(m Runner) Runner { return run{p, m} }

type run struct {
	page    *Page
	stories Runner
}

// Run implements Runner.
func (r run) Run() int {
	code := r.stories.Run()
	if code != 0 || !whole() {
		return code
	}
	if err := r.page.settle(os.Getenv(writeEnv) == "write"); err != nil {
		fmt.Fprintln(os.Stderr, "evidence:", err)
		return 1
	}
	return 0
}

// whole says whether the flags let every story run.
func whole() bool {
	for name, all := range map[string]string{"test.run": "", "test.skip": "", "test.list": "", "test.short": "false"} {
		if f := flag.Lookup(name); f == nil || f.Value.String() != all {
			return false
		}
	}
	return true
}

// settle writes the page, or compares it with the one that is there.
func (p *Page) settle(write bool) error {
	page := p.String()
	if write {
		if err := os.MkdirAll(filepath.Dir(p.path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(p.path, []byte(page), 0o644)
	}
	old, err := os.ReadFile(p.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(old) == page {
		return nil
	}
	return fmt.Errorf("%s is not what the stories show (%s=write rewrites it):\n%s", p.path, writeEnv, difference(string(old), page))
}

// difference lists the lines that only one of two pages has.
func difference(old, new string) string {
	var b strings.Builder
	only := func(sign, in, other string) {
		have := map[string]bool{}
		for line := range strings.SplitSeq(other, "\n") {
			have[line] = true
		}
		for line := range strings.SplitSeq(in, "\n") {
			if !have[line] {
				b.WriteString(sign + line + "\n")
			}
		}
	}
	only("-", old, new)
	only("+", new, old)
	if b.Len() == 0 {
		return "the same lines in another order\n"
	}
	return b.String()
}
