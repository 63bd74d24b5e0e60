package store

import (
	"hash/fnv"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"time"
)

// memory is a file system in memory, fast enough for millions of small runs. It
// is used by one goroutine at a time.
type memory struct {
	nodes map[string]*node
	now   func() time.Time
	// between is called before every operation and, in a listing, between the
	// names: a directory is not listed in one instant.
	between func()
}

type node struct {
	data  []byte
	dir   bool
	mode  fs.FileMode
	mtime time.Time
}

func newMemory(now func() time.Time) *memory {
	return &memory{nodes: map[string]*node{".": {dir: true, mode: 0o700}}, now: now, between: func() {}}
}

func (m *memory) opener(string) (directory, error) { return memoryDirectory{m, "."}, nil }

type memoryDirectory struct {
	m    *memory
	base string
}

func (d memoryDirectory) at(name string) string { return path.Join(d.base, name) }

func (d memoryDirectory) get(op, name string) (*node, error) {
	d.m.between()
	if n := d.m.nodes[d.at(name)]; n != nil {
		return n, nil
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
}

func (d memoryDirectory) put(op, name string, n *node) error {
	d.m.between()
	if d.m.nodes[d.at(name)] != nil {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrExist}
	}
	d.m.nodes[d.at(name)] = n
	return nil
}

func (d memoryDirectory) Open(name string) (file, error) {
	n, err := d.get("open", name)
	if err != nil {
		return nil, err
	}
	return &memoryFile{d.m, d.at(name), n, 0}, nil
}

func (d memoryDirectory) Create(name string) (file, error) {
	n := &node{mode: 0o600, mtime: d.m.now()}
	if err := d.put("create", name, n); err != nil {
		return nil, err
	}
	return &memoryFile{d.m, d.at(name), n, 0}, nil
}

func (d memoryDirectory) Mkdir(name string) error {
	return d.put("mkdir", name, &node{dir: true, mode: 0o700})
}

func (d memoryDirectory) Lstat(name string) (fs.FileInfo, error) {
	n, err := d.get("lstat", name)
	if err != nil {
		return nil, err
	}
	return memoryInfo{n, path.Base(name)}, nil
}

func (d memoryDirectory) Chmod(name string, mode fs.FileMode) error {
	n, err := d.get("chmod", name)
	if err == nil {
		n.mode = mode
	}
	return err
}

func (d memoryDirectory) Chtimes(name string, t time.Time) error {
	n, err := d.get("chtimes", name)
	if err == nil {
		n.mtime = t
	}
	return err
}

func (d memoryDirectory) Link(name, second string) error {
	n, err := d.get("link", name)
	if err != nil {
		return err
	}
	return d.put("link", second, n)
}

func (d memoryDirectory) Rename(name, to string) error {
	n, err := d.get("rename", name)
	if err == nil {
		d.m.nodes[d.at(to)] = n
		delete(d.m.nodes, d.at(name))
	}
	return err
}

func (d memoryDirectory) Remove(name string) error {
	_, err := d.get("remove", name)
	delete(d.m.nodes, d.at(name))
	return err
}

func (d memoryDirectory) Enter(name string) (directory, error) {
	if _, err := d.get("enter", name); err != nil {
		return nil, err
	}
	return memoryDirectory{d.m, d.at(name)}, nil
}

func (d memoryDirectory) Close() error { return nil }

type memoryFile struct {
	m    *memory
	name string
	n    *node
	at   int64
}

func (f *memoryFile) Read(b []byte) (int, error) {
	n, err := f.ReadAt(b, f.at)
	f.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

func (f *memoryFile) ReadAt(b []byte, at int64) (int, error) {
	if at >= int64(len(f.n.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.n.data[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memoryFile) Write(b []byte) (int, error) {
	f.n.data = append(f.n.data, b...)
	return len(b), nil
}

func (f *memoryFile) Stat() (fs.FileInfo, error)   { return memoryInfo{f.n, path.Base(f.name)}, nil }
func (f *memoryFile) Chmod(mode fs.FileMode) error { f.n.mode = mode; return nil }
func (f *memoryFile) Sync() error                  { return nil }
func (f *memoryFile) Close() error                 { return nil }

// Readdirnames goes through the names in the order of a hash, as ext4 does, and
// shows each that is there when its turn comes.
func (f *memoryFile) Readdirnames(int) ([]string, error) {
	var shown []string
	last := uint64(0)
	for {
		next, name := uint64(math.MaxUint64), ""
		for p := range f.m.nodes {
			if h := order(p); path.Dir(p) == f.name && p != "." && h > last && h < next {
				next, name = h, path.Base(p)
			}
		}
		if name == "" {
			return shown, nil
		}
		shown = append(shown, name)
		last = next
		f.m.between()
	}
}

func order(p string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, p)
	return h.Sum64()
}

type memoryInfo struct {
	n    *node
	name string
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return int64(len(i.n.data)) }
func (i memoryInfo) ModTime() time.Time { return i.n.mtime }
func (i memoryInfo) IsDir() bool        { return i.n.dir }
func (i memoryInfo) Sys() any           { return nil }

func (i memoryInfo) Mode() fs.FileMode {
	if i.n.dir {
		return i.n.mode | os.ModeDir
	}
	return i.n.mode
}
