package config

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// places are the folders that an agent's project counts as lying in: itself and,
// for a git worktree, the same folder in its repository. They are worked out
// when the first override asks, since most configs never do.
type places struct {
	project string
	known   bool
	chains  [][]folder
}

// folder is one directory on the way from a project up to the root.
type folder struct {
	path string
	info os.FileInfo // nil where it does not exist
}

// within reports whether the project is the folder or lies in it, and the length
// of the folder's resolved path in bytes. Folders are compared as the file
// system does, so symbolic links, letter case and ways to write an accent make
// no difference.
func (p *places) within(pattern string) (length int, ok bool) {
	if p.project == "" {
		return 0, false
	}
	if !p.known {
		p.known = true
		p.resolve()
	}
	pattern = resolved(pattern)
	info, err := os.Stat(pattern)
	for _, chain := range p.chains {
		for _, f := range chain {
			if f.path == pattern || err == nil && f.info != nil && os.SameFile(info, f.info) {
				return len(f.path), true
			}
		}
	}
	return 0, false
}

func (p *places) resolve() {
	own := resolved(p.project)
	p.chains = [][]folder{chain(own)}
	if repository, ok := mainTree(p.chains[0]); ok {
		p.chains = append(p.chains, chain(repository))
	}
}

// resolved is the path without symbolic links, as far as it exists.
func resolved(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolved(dir), filepath.Base(path))
	}
	return path
}

// chain is a folder and all above it, from the inside out.
func chain(path string) []folder {
	var all []folder
	for {
		f := folder{path: path}
		if info, err := os.Stat(path); err == nil {
			f.info = info
		}
		all = append(all, f)
		up := filepath.Dir(path)
		if up == path {
			return all
		}
		path = up
	}
}

// mainTree is the folder that corresponds to a project in the repository whose
// worktree it lies in; ok is false where it lies in none. The repository must
// hold the worktree's git folder and name the worktree in it, so that no file in
// a project can claim another's settings.
func mainTree(project []folder) (path string, ok bool) {
	for _, f := range project {
		link := filepath.Join(f.path, ".git")
		info, err := os.Lstat(link)
		if err != nil {
			continue
		}
		if !info.Mode().IsRegular() {
			return "", false
		}
		repository, ok := worktreeOf(f.path, info)
		if !ok {
			return "", false
		}
		inside, err := filepath.Rel(f.path, project[0].path)
		if err != nil {
			return "", false
		}
		return filepath.Join(repository, inside), true
	}
	return "", false
}

// worktreeOf is the folder of the repository that a worktree belongs to; link is
// the worktree's file .git.
func worktreeOf(tree string, link os.FileInfo) (repository string, ok bool) {
	git, ok := strings.CutPrefix(line1(filepath.Join(tree, ".git")), "gitdir: ")
	if !ok {
		return "", false
	}
	git = resolved(against(tree, git))
	common, back := line1(filepath.Join(git, "commondir")), line1(filepath.Join(git, "gitdir"))
	if common == "" || back == "" {
		return "", false
	}
	common = resolved(against(git, common))
	named, err := os.Lstat(against(git, back))
	if err != nil || !os.SameFile(named, link) || filepath.Dir(git) != filepath.Join(common, "worktrees") {
		return "", false
	}
	if filepath.Base(common) == ".git" {
		return filepath.Dir(common), true
	}
	return common, true
}

// line1 is the first line of one of git's small files, "" where there is none.
func line1(path string) string {
	f, err := open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 1<<13))
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, "\r")
}

// against is path, from base where it is relative.
func against(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}
