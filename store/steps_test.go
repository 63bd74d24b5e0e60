package store

import (
	"io/fs"
	"sync"
	"time"
)

// steps sees every operation on the file system before and after it is done.
// What before returns is the operation's error, and it is not done.
type steps struct {
	before func(n int, op string) error
	after  func(n int, op string)
	// torn makes the write at this step write half of its bytes; then before is
	// asked.
	torn bool

	mu  sync.Mutex
	n   int
	ops []string
}

func (st *steps) step(op string) (int, error) {
	st.mu.Lock()
	st.n++
	n := st.n
	st.ops = append(st.ops, op)
	st.mu.Unlock()
	if st.before == nil {
		return n, nil
	}
	return n, st.before(n, op)
}

func (st *steps) done(n int, op string) {
	if st.after != nil {
		st.after(n, op)
	}
}

// do runs an operation as one step.
func (st *steps) do(op string, f func() error) error {
	n, err := st.step(op)
	if err != nil {
		return err
	}
	err = f()
	st.done(n, op)
	return err
}

// opener opens directories of the operating system whose operations are steps.
func (st *steps) opener(path string) (directory, error) {
	d, err := openDirectory(path)
	if err != nil {
		return nil, err
	}
	return stepDirectory{d, st}, nil
}

type stepDirectory struct {
	directory
	st *steps
}

func (d stepDirectory) Open(name string) (f file, err error) {
	err = d.st.do("open "+name, func() error { f, err = d.directory.Open(name); return err })
	return stepFile{f, d.st}, err
}

func (d stepDirectory) Create(name string) (f file, err error) {
	err = d.st.do("create "+name, func() error { f, err = d.directory.Create(name); return err })
	return stepFile{f, d.st}, err
}

func (d stepDirectory) Mkdir(name string) error {
	return d.st.do("mkdir "+name, func() error { return d.directory.Mkdir(name) })
}

func (d stepDirectory) Lstat(name string) (info fs.FileInfo, err error) {
	err = d.st.do("lstat "+name, func() error { info, err = d.directory.Lstat(name); return err })
	return info, err
}

func (d stepDirectory) Chmod(name string, mode fs.FileMode) error {
	return d.st.do("chmod "+name, func() error { return d.directory.Chmod(name, mode) })
}

func (d stepDirectory) Chtimes(name string, t time.Time) error {
	return d.st.do("chtimes "+name, func() error { return d.directory.Chtimes(name, t) })
}

func (d stepDirectory) Link(name, second string) error {
	return d.st.do("link "+name+" "+second, func() error { return d.directory.Link(name, second) })
}

func (d stepDirectory) Rename(name, to string) error {
	return d.st.do("rename "+name+" "+to, func() error { return d.directory.Rename(name, to) })
}

func (d stepDirectory) Remove(name string) error {
	return d.st.do("remove "+name, func() error { return d.directory.Remove(name) })
}

func (d stepDirectory) Enter(name string) (sub directory, err error) {
	err = d.st.do("enter "+name, func() error { sub, err = d.directory.Enter(name); return err })
	return stepDirectory{sub, d.st}, err
}

func (d stepDirectory) Close() error {
	defer d.directory.Close()
	return d.st.do("close directory", func() error { return nil })
}

type stepFile struct {
	file
	st *steps
}

func (f stepFile) Read(b []byte) (n int, err error) {
	err = f.st.do("read", func() error { n, err = f.file.Read(b); return err })
	return n, err
}

func (f stepFile) ReadAt(b []byte, at int64) (n int, err error) {
	err = f.st.do("readat", func() error { n, err = f.file.ReadAt(b, at); return err })
	return n, err
}

func (f stepFile) Write(b []byte) (n int, err error) {
	if f.st.torn {
		half, err := f.file.Write(b[:len(b)/2])
		if err != nil {
			return half, err
		}
		if _, err := f.st.step("torn write"); err != nil {
			return half, err
		}
		rest, err := f.file.Write(b[half:])
		return half + rest, err
	}
	err = f.st.do("write", func() error { n, err = f.file.Write(b); return err })
	return n, err
}

func (f stepFile) Stat() (info fs.FileInfo, err error) {
	err = f.st.do("stat", func() error { info, err = f.file.Stat(); return err })
	return info, err
}

func (f stepFile) Chmod(mode fs.FileMode) error {
	return f.st.do("fchmod", func() error { return f.file.Chmod(mode) })
}

func (f stepFile) Sync() error { return f.st.do("sync", f.file.Sync) }

func (f stepFile) Readdirnames(n int) (list []string, err error) {
	err = f.st.do("list", func() error { list, err = f.file.Readdirnames(n); return err })
	return list, err
}

func (f stepFile) Close() error {
	defer f.file.Close()
	return f.st.do("close", func() error { return nil })
}
