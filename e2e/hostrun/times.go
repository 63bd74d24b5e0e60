package hostrun

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"testing"
	"time"
)

// timesEnv names the folder in which each run leaves its time.
const timesEnv = "HANDOVER_E2E_TIMES"

// recordTime notes that a host ran for that long.
func recordTime(tb testing.TB, host string, took time.Duration) {
	folder := os.Getenv(timesEnv)
	if folder == "" {
		return
	}
	f, err := os.OpenFile(filepath.Join(folder, host), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		tb.Logf("hostrun: time not recorded: %v", err)
		return
	}
	defer func() { _ = f.Close() }()
	_, _ = fmt.Fprintln(f, took.Nanoseconds())
}

// printTimes writes one line for each host that ran.
func printTimes(w io.Writer, folder string) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Name() < files[j].Name() })
	for _, entry := range files {
		f, err := os.Open(filepath.Join(folder, entry.Name()))
		if err != nil {
			continue
		}
		var runs int
		var total, longest time.Duration
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var ns int64
			if _, err := fmt.Sscan(lines.Text(), &ns); err != nil {
				continue
			}
			runs++
			total += time.Duration(ns)
			longest = max(longest, time.Duration(ns))
		}
		_ = f.Close()
		_, _ = fmt.Fprintf(w, "hosts: %s ran %d times, %.1f s in all, longest %.1f s\n", entry.Name(), runs, total.Seconds(), longest.Seconds())
	}
}
