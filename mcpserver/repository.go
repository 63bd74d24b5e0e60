package mcpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/auto-context-handover/handover/store"
)

const (
	// maxDirty bounds the files a record lists.
	maxDirty = 200
	// maxHashed bounds the bytes of one file that are hashed, and maxHashedAll
	// those of all files of one record.
	maxHashed    = 4 << 20
	maxHashedAll = 32 << 20
)

// repositoryState is the state of the work tree around dir, or why it is
// unknown. It returns when ctx ends.
func repositoryState(ctx context.Context, dir string, environ []string) store.Repository {
	if dir == "" {
		return store.Repository{Reason: "the project directory is not known"}
	}
	state, err := readRepository(ctx, dir, environ)
	if err != nil {
		return store.Repository{Reason: err.Error()}
	}
	return state
}

func readRepository(ctx context.Context, dir string, environ []string) (store.Repository, error) {
	g, err := newGit(ctx, dir, environ)
	if err != nil {
		return store.Repository{}, err
	}
	state, err := g.place(ctx)
	if err != nil {
		return store.Repository{}, err
	}
	out, err := g.run(ctx, "status", "--porcelain=v2", "-z", "--branch", "--no-renames",
		"--untracked-files=all", "--ignore-submodules=all")
	cut := errors.Is(err, errGitCut)
	if err != nil && !cut {
		return store.Repository{}, err
	}
	parseStatus(out, &state)
	if cut {
		state.Reason = "the list of changed files was cut"
		state.More++
	}
	hashDirty(ctx, &state)
	state.Known = true
	return state, nil
}

// place finds the top of the work tree and whether it is a linked one.
func (g *git) place(ctx context.Context) (store.Repository, error) {
	out, err := g.run(ctx, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir")
	if err != nil {
		return store.Repository{}, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != 3 {
		return store.Repository{}, errors.New("git named the work tree in a form that is not understood")
	}
	if !within(g.dir, lines[0]) {
		// core.worktree can point anywhere; only files around dir are ours to list.
		return store.Repository{}, errors.New("the repository's work tree lies elsewhere")
	}
	return store.Repository{Root: lines[0], Worktree: lines[1] != lines[2]}, nil
}

// within reports whether dir is root or lies under it, symlinks resolved.
func within(dir, root string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return false
	}
	rel, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// parseStatus reads the NUL-separated entries of git status --porcelain=v2. An
// incomplete last entry is dropped.
func parseStatus(out []byte, state *store.Repository) {
	for {
		entry, rest, ok := bytes.Cut(out, []byte{0})
		if !ok {
			return
		}
		out = rest
		if len(entry) == 0 {
			continue
		}
		path, status := "", ""
		fields := strings.SplitN(string(entry), " ", statusFields(entry))
		switch {
		case strings.HasPrefix(string(entry), "# branch.oid "):
			if oid := fields[2]; isHex(oid) {
				state.Head = oid
			}
		case strings.HasPrefix(string(entry), "# branch.head "):
			if name := string(entry[len("# branch.head "):]); name != "(detached)" {
				state.Branch = name
			}
		case entry[0] == '1' && len(fields) == 9:
			status, path = fields[1], fields[8]
		case entry[0] == '2' && len(fields) == 10:
			status, path = fields[1], fields[9]
			_, out, _ = bytes.Cut(out, []byte{0}) // the name before
		case entry[0] == 'u' && len(fields) == 11:
			status, path = fields[1], fields[10]
		case entry[0] == '?' && len(fields) == 2:
			status, path = "??", fields[1]
		}
		switch {
		case path == "":
		case len(state.Dirty) == maxDirty:
			state.More++
		default:
			state.Dirty = append(state.Dirty, store.DirtyFile{Path: path, Status: status})
		}
	}
}

// statusFields is the number of fields of an entry, whose last one is a path
// that may hold spaces.
func statusFields(entry []byte) int {
	switch entry[0] {
	case '1':
		return 9
	case '2':
		return 10
	case 'u':
		return 11
	case '?':
		return 2
	}
	return -1
}

func isHex(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && len(s) >= 40
}

// hashDirty adds the SHA-256 of the dirty files' content, as far as time and
// size allow.
func hashDirty(ctx context.Context, state *store.Repository) {
	root, err := os.OpenRoot(state.Root)
	if err != nil {
		return
	}
	defer root.Close()
	left := int64(maxHashedAll)
	for i := range state.Dirty {
		if ctx.Err() != nil {
			return
		}
		var n int64
		state.Dirty[i].SHA256, n = fileHash(root, state.Dirty[i].Path, left)
		left -= n
	}
}

// fileHash is the SHA-256 of a regular file of the work tree and its size, or
// "" where it is too large, no regular file, or gone.
func fileHash(root *os.Root, path string, limit int64) (string, int64) {
	name := filepath.FromSlash(path)
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > min(limit, maxHashed) {
		return "", 0
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", 0
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, maxHashed+1))
	if err != nil || n > maxHashed {
		return "", n
	}
	return hex.EncodeToString(h.Sum(nil)), n
}
