package modeltext

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/hosts"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden compares every text with testdata/<host>/<name>.txt.
func TestGolden(t *testing.T) {
	for _, h := range hosts.All() {
		dir := filepath.Join("testdata", h.Name)
		all := samples(h)
		if *update {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			file := filepath.Join(dir, name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(all[name]), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Errorf("%v; go test ./internal/modeltext -update writes it", err)
			} else if got := all[name]; got != string(want) {
				t.Errorf("%s differs:\n%s\nwant:\n%s", file, got, want)
			}
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if _, ok := all[strings.TrimSuffix(filepath.Base(file), ".txt")]; !ok {
				t.Errorf("%s belongs to no text", file)
			}
		}
	}
}
