package deps_test

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/auto-context-handover/handover"

// root is the repository's top, from this package's folder.
const root = "../.."

// listed is what go list says about one package.
type listed struct {
	ImportPath string
	Name       string
	Standard   bool
	Imports    []string
}

// goList runs go list for the platform that the lists are about.
func goList(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Name,Standard,Imports"}, args...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %q: %v\n%s", args, err, stderr.String())
	}
	var packages []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// commands names the folders in cmd.
func commands(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, p := range goList(t, "./cmd/...") {
		if name, ok := strings.CutPrefix(p.ImportPath, module+"/cmd/"); ok && p.Name == "main" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Fatal("there are no commands")
	}
	return names
}

// links returns the packages that a command links, without the internals of
// the standard library, which change with every Go release.
func links(t *testing.T, command string) []string {
	t.Helper()
	var paths []string
	for _, p := range goList(t, "-deps", "./cmd/"+command) {
		if p.Standard && (strings.HasPrefix(p.ImportPath, "vendor/") || slices.Contains(strings.Split(p.ImportPath, "/"), "internal")) {
			continue
		}
		paths = append(paths, p.ImportPath)
	}
	slices.Sort(paths)
	return paths
}

func TestCommandsLinkTheirLists(t *testing.T) {
	update := flag.Lookup("update").Value.String() == "true"
	names := commands(t)
	for _, name := range names {
		file := filepath.Join("testdata", name+".txt")
		got := strings.Join(links(t, name), "\n") + "\n"
		if update {
			if err := os.MkdirAll("testdata", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s has no list (make golden): %v", name, err)
			continue
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s links other packages than its list (-want +got; make golden if that is meant):\n%s", name, diff)
		}
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".txt"); !slices.Contains(names, name) {
			t.Errorf("%s is the list of no command", file)
		}
	}
}
