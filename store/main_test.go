package store

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
)

// childVariable names what this test binary does when it is started by itself
// as another process.
const childVariable = "STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	switch name := os.Getenv(childVariable); name {
	case "":
		os.Exit(m.Run())
	default:
		run, ok := children()[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such child:", name)
			os.Exit(3)
		}
		if err := run(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// child is this test binary as another process.
func child(t testing.TB, name string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), childVariable+"="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

// worker is a child that does one thing per line it is sent and answers each
// with a line, so that several can be set off at one moment.
type worker struct {
	cmd *exec.Cmd
	in  *bufio.Writer
	out *bufio.Scanner
}

func startWorkers(t *testing.T, n int, name string, args ...string) []*worker {
	t.Helper()
	var all []*worker
	for i := range n {
		cmd := child(t, name, append([]string{fmt.Sprint(i)}, args...)...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w := &worker{cmd, bufio.NewWriter(in), bufio.NewScanner(out)}
		all = append(all, w)
		t.Cleanup(func() {
			in.Close()
			if err := cmd.Wait(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	return all
}

// round sets all workers off with one line and gathers their answers.
func round(t *testing.T, all []*worker, line string) []string {
	t.Helper()
	for _, w := range all {
		fmt.Fprintln(w.in, line)
	}
	for _, w := range all {
		w.in.Flush()
	}
	var answers []string
	for _, w := range all {
		if !w.out.Scan() {
			t.Fatalf("a worker ended: %v", w.out.Err())
		}
		answers = append(answers, w.out.Text())
	}
	return answers
}

// serve is the child's side of round.
func serve(f func(line string) string) error {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fmt.Println(f(in.Text()))
	}
	return in.Err()
}

func fresh(t testing.TB) string { return filepath.Join(t.TempDir(), "store") }

func create(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func sub(n int) actor.ID {
	return actor.ID{Host: "claude", Session: "5e55107e", Agent: fmt.Sprintf("a%d", n)}
}

func mainAgent() actor.ID { return actor.ID{Host: "claude", Session: "5e55107e"} }

func draft(a actor.ID, text string) Draft {
	d := Draft{Handover: text, Summary: "summary of " + text + "\nUser decisions pending: none"}
	d.Actor = a
	d.Kind, d.Role = string(a.Role()), a.Role()
	d.Created = time.Now().UTC()
	d.Project = "/srv/project"
	d.Lineage = Lineage{State: LineageOrigin}
	d.Server = "test"
	return d
}

func capability(a actor.ID, arguments string) Capability {
	return Capability{Version: RecordVersion, Actor: a, Kind: "subagent", Role: a.Role(), Tool: "context_handover", Arguments: arguments, Issued: time.Now()}
}

func publish(t testing.TB, s *Store, d Draft) Published {
	t.Helper()
	p, err := s.Publish(d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// listed is the names in a directory of a store, without temporary ones.
func listed(t testing.TB, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), temporary) {
			list = append(list, e.Name())
		}
	}
	return list
}

func temporaries(t testing.TB, path string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(path, temporary+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}
