package mcpserver

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

const (
	// maxNamed bounds the files of a handover that are looked up.
	maxNamed = 200
	// maxOthers bounds the changed files that are named although the handover
	// does not.
	maxOthers = 20
)

// What became of a file since a handover was published.
const (
	fileSame    = "unchanged"
	fileChanged = "changed"
	fileGone    = "gone"
	fileUnknown = "unknown"
)

// repositoryDrift compares the recorded state of the work tree with that of
// now, and returns when ctx ends. Text is the handover: the files it names come
// first.
func repositoryDrift(ctx context.Context, then store.Repository, text string, environ []string) modeltext.Drift {
	if !then.Known {
		reason := then.Reason
		if reason == "" {
			reason = "it was not recorded"
		}
		return modeltext.Drift{Reason: "the state at that time is unknown: " + reason}
	}
	root, err := os.OpenRoot(then.Root)
	if err != nil {
		return modeltext.Drift{Reason: "the work tree is no longer there"}
	}
	defer root.Close()
	now, err := readRepository(ctx, then.Root, environ)
	if err != nil {
		return modeltext.Drift{Reason: err.Error()}
	}
	c := compare(ctx, root, then, now, environ)
	d := modeltext.Drift{Known: true, HeadThen: then.Head, HeadNow: now.Head, BranchThen: then.Branch, BranchNow: now.Branch}
	named := c.namedPaths(text, then.Root)
	for _, path := range named {
		if state, isFile := c.state(path); isFile && state != fileSame {
			d.Files = append(d.Files, modeltext.DriftFile{Path: path, What: state})
		}
	}
	others := 0
	for _, path := range c.candidates() {
		state, isFile := c.state(path)
		if !isFile || state == fileSame || slices.Contains(named, path) {
			continue
		}
		if others++; others > maxOthers {
			d.More++
			continue
		}
		d.Files = append(d.Files, modeltext.DriftFile{Path: path, What: state})
	}
	return d
}

// comparison holds what differed from HEAD then and now, and what the commits
// between the two changed.
type comparison struct {
	root      *os.Root
	then, now map[string]store.DirtyFile
	between   map[string]bool
	// complete: none of the lists was cut.
	complete bool
}

func compare(ctx context.Context, root *os.Root, then, now store.Repository, environ []string) comparison {
	between, known := changedBetween(ctx, then, now, environ)
	return comparison{
		root: root, then: byPath(then.Dirty), now: byPath(now.Dirty), between: between,
		complete: known && then.More == 0 && now.More == 0,
	}
}

func byPath(files []store.DirtyFile) map[string]store.DirtyFile {
	m := make(map[string]store.DirtyFile, len(files))
	for _, f := range files {
		m[f.Path] = f
	}
	return m
}

// candidates are the paths that can have changed, sorted.
func (c comparison) candidates() []string {
	all := maps.Clone(c.between)
	for path := range c.then {
		all[path] = true
	}
	for path := range c.now {
		all[path] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// state compares one file. The second result is false where the path is no
// file of the work tree and never was one as far as is known.
func (c comparison) state(path string) (string, bool) {
	before, wasDirty := c.then[path]
	_, isDirty := c.now[path]
	info, err := c.root.Lstat(filepath.FromSlash(path))
	switch {
	case err == nil && info.IsDir():
		return "", false
	case err != nil && wasDirty && strings.Contains(before.Status, "D"):
		return fileSame, true // it was deleted then, too
	case err != nil:
		return fileGone, wasDirty || isDirty || c.between[path]
	case wasDirty && before.SHA256 != "":
		if sum, _ := fileHash(c.root, path, maxHashed); sum != before.SHA256 {
			return fileChanged, true
		}
		return fileSame, true
	case wasDirty:
		return fileUnknown, true
	case isDirty || c.between[path]:
		return fileChanged, true
	case !c.complete:
		return fileUnknown, true
	}
	return fileSame, true
}

// changedBetween lists the files that differ between the two commits; false
// means that git could not say.
func changedBetween(ctx context.Context, then, now store.Repository, environ []string) (map[string]bool, bool) {
	changed := map[string]bool{}
	if then.Head == now.Head {
		return changed, true
	}
	if !isHex(then.Head) || !isHex(now.Head) {
		return changed, false
	}
	g, err := newGit(ctx, then.Root, environ)
	if err != nil {
		return changed, false
	}
	out, err := g.run(ctx, "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=all", then.Head, now.Head)
	if err != nil && !errors.Is(err, errGitCut) {
		return changed, false
	}
	complete := err == nil
	for {
		path, rest, ok := strings.Cut(string(out), "\x00")
		if !ok {
			return changed, complete
		}
		changed[path], out = true, []byte(rest)
	}
}

// namedPaths are the words of text that can be paths under root, sorted,
// relative to it, and of the files that can have changed those that text holds
// although they are not one word.
func (c comparison) namedPaths(text, root string) []string {
	seen := map[string]bool{}
	prefix := strings.TrimSuffix(filepath.ToSlash(root), "/") + "/"
	for word := range strings.FieldsFuncSeq(text, endsPath) {
		word = strings.TrimRight(word, ".")
		word = strings.TrimPrefix(strings.TrimPrefix(word, prefix), "./")
		if strings.ContainsAny(word, "./") && !strings.HasPrefix(word, "/") && len(word) < 1024 {
			seen[word] = true
		}
		if len(seen) >= maxNamed {
			break
		}
	}
	for _, path := range c.candidates() {
		if strings.ContainsFunc(path, endsPath) && strings.Contains(text, path) {
			seen[path] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// endsPath reports whether a rune is not taken as part of a path in prose.
func endsPath(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_@+~./-", r)
}
