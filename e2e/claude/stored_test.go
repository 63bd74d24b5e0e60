//go:build e2e

package claude

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// stored is a handover file, read and checked by the rules of docs/format.md and
// by nothing of ours.
type stored struct {
	Path  string
	Head  head
	Parts map[string]string // task, handover, summary: the bytes
}

// head is what stories look at in line 1 of a handover file.
type head struct {
	ID    string `json:"id"`
	Actor struct {
		Host    string `json:"host"`
		Session string `json:"session"`
		Agent   string `json:"agent"`
	} `json:"actor"`
	Ordinal    int    `json:"n"`
	Role       string `json:"role"`
	Created    string `json:"created"`
	Worktree   string `json:"worktree"`
	TaskAbsent string `json:"task_absent"`
	Repository struct {
		Root string `json:"root"`
	} `json:"repository"`
	Provenance struct {
		AgentType  string `json:"agent_type"`
		ModelKnown bool   `json:"model_known"`
		Model      string `json:"model"`
		Isolation  string `json:"isolation"`
	} `json:"provenance"`
	Lineage struct {
		State       string `json:"state"`
		Predecessor string `json:"predecessor"`
		Origin      string `json:"origin"`
		Generation  int    `json:"generation"`
		Reason      string `json:"reason"`
	} `json:"lineage"`
	Diagnostics struct {
		PromptedBy string `json:"prompted_by"`
		Stage      int    `json:"stage"`
		Reading    struct {
			Kind   string `json:"kind"`
			Tokens int    `json:"tokens"`
		} `json:"reading"`
		Soft struct {
			Tokens int    `json:"tokens"`
			Source string `json:"source"`
		} `json:"soft"`
	} `json:"diagnostics"`
	Parts []struct {
		Name   string `json:"name"`
		Offset int    `json:"offset"`
		Bytes  int    `json:"bytes"`
		SHA256 string `json:"sha256"`
	} `json:"parts"`
}

// handovers returns all handovers of a store, the oldest first.
func handovers(tb testing.TB, store string) []stored {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(store, "handovers", "*.handover"))
	if err != nil {
		tb.Fatal(err)
	}
	var all []stored
	for _, path := range paths {
		all = append(all, readStored(tb, path))
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Head.Created < all[j].Head.Created })
	return all
}

// onlyHandover returns the one handover of a store.
func onlyHandover(tb testing.TB, store string) stored {
	tb.Helper()
	all := handovers(tb, store)
	if len(all) != 1 {
		tb.Fatalf("%d handovers in %s, want 1", len(all), store)
	}
	return all[0]
}

// readStored reads a handover file: line 1, the parts, each with a line feed,
// and a last line with the SHA-256 of all before it.
func readStored(tb testing.TB, path string) stored {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	end := bytes.LastIndexByte(bytes.TrimSuffix(data, []byte("\n")), '\n') + 1
	if want := "sha256 " + digest(data[:end]) + "\n"; string(data[end:]) != want {
		tb.Fatalf("%s: its last line is %q, want %q", path, data[end:], want)
	}
	line, body, _ := bytes.Cut(data[:end], []byte("\n"))
	s := stored{Path: path, Parts: map[string]string{}}
	text, ok := strings.CutPrefix(string(line), "handover/1 ")
	if !ok {
		tb.Fatalf("%s: line 1 starts %.20q", path, line)
	}
	if err := json.Unmarshal([]byte(text), &s.Head); err != nil {
		tb.Fatalf("%s: line 1: %v", path, err)
	}
	at := 0
	for _, p := range s.Head.Parts {
		if p.Offset != at || p.Offset+p.Bytes >= len(body) || body[p.Offset+p.Bytes] != '\n' {
			tb.Fatalf("%s: part %s lies at %d with %d bytes of %d", path, p.Name, p.Offset, p.Bytes, len(body))
		}
		part := body[p.Offset : p.Offset+p.Bytes]
		if digest(part) != p.SHA256 {
			tb.Fatalf("%s: part %s does not have its SHA-256", path, p.Name)
		}
		s.Parts[p.Name] = string(part)
		at += p.Bytes + 1
	}
	if at != len(body) {
		tb.Fatalf("%s: %d bytes belong to no part", path, len(body)-at)
	}
	if want := filepath.Join(filepath.Dir(path), s.Head.ID+".handover"); path != want {
		tb.Fatalf("%s holds %s", path, s.Head.ID)
	}
	return s
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// pageRead is a record that one page of a handover was given to a reader.
type pageRead struct {
	ID       string `json:"id"`
	Reader   string `json:"reader"` // names its folder in actors/
	Verified bool   `json:"verified"`
	Page     int    `json:"page"`
	Pages    int    `json:"pages"`
}

// pagesRead returns the records of the pages of a handover that were read, by
// reader and page.
func pagesRead(tb testing.TB, store, id string) []pageRead {
	tb.Helper()
	var all []pageRead
	for _, path := range files(tb, store, "reads", id, "*") {
		var r pageRead
		readRecord(tb, path, &r)
		all = append(all, r)
	}
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].Reader != all[j].Reader {
			return all[i].Reader < all[j].Reader
		}
		return all[i].Page < all[j].Page
	})
	return all
}

// spawned is what the store knows about how an agent was spawned.
type spawned struct{ Agent, Prompt string }

// spawnOf returns how the agent of a folder in actors/ was spawned.
func spawnOf(tb testing.TB, store, folder string) spawned {
	tb.Helper()
	var fact struct {
		Actor struct {
			Agent string `json:"agent"`
		} `json:"actor"`
		Data struct {
			Spawn struct {
				Prompt string `json:"prompt"`
			} `json:"spawn"`
		} `json:"data"`
	}
	readRecord(tb, filepath.Join(store, "actors", folder, "spawn"), &fact)
	return spawned{fact.Actor.Agent, fact.Data.Spawn.Prompt}
}

// files returns the paths in a store that match a pattern, sorted.
func files(tb testing.TB, store string, pattern ...string) []string {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(append([]string{store}, pattern...)...))
	if err != nil {
		tb.Fatal(err)
	}
	sort.Strings(paths)
	return paths
}

// readRecord reads a small file of a store: one line of JSON.
func readRecord(tb testing.TB, path string, into any) {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
}
