package store

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// temporary is what the name of every unfinished file begins with.
const temporary = ".tmp-"

// maxRecord bounds a small record, in bytes; a spawn's prompt is the largest.
const maxRecord = 16 << 20

// random is n random bytes in hex.
func random(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// notSynced is the failure of the one step after which a file has its name but
// may not survive a power failure. The name was taken back unless kept.
type notSynced struct {
	cause error
	kept  bool
}

func (e notSynced) Error() string { return e.cause.Error() }
func (e notSynced) Unwrap() error { return e.cause }

// putNew writes a file that must not exist yet: the whole of it, or nothing. It
// fails with fs.ErrExist where the name is taken. Durable: the directory is
// opened first, so that after the file has its name only one fsync can fail.
func (s *Store) putNew(d place, name string, data []byte, durable bool) error {
	var handle file
	if durable {
		var err error
		if handle, err = d.Open("."); err != nil {
			return err
		}
		defer handle.Close()
	}
	return s.putNewSynced(d, handle, name, data, false)
}

// putNewSynced is putNew with the open directory to fsync; nil is not durable.
// Where that fsync fails the name is taken back, unless keep: somebody else may
// have found the file under it meanwhile and relied on it.
func (s *Store) putNewSynced(d place, handle file, name string, data []byte, keep bool) error {
	temp, err := s.putTemporary(d, data, handle != nil)
	if err != nil {
		return err
	}
	err = s.link(d, temp, name)
	if err == nil && handle != nil {
		if err = syncDirectory(handle); err != nil {
			err = notSynced{cause: err, kept: keep || d.Remove(name) != nil}
		}
	}
	d.Remove(temp)
	return err
}

// linked reports whether name is temp itself: over NFS a link that was made can
// be answered as if the name had been taken. That temp has a second name is not
// enough; somebody else may have given it one, a backup by hard links for one.
func (s *Store) linked(d place, temp, name string) bool {
	ours, err := d.Lstat(temp)
	if err != nil || !secondName(ours) {
		return false
	}
	theirs, err := d.Lstat(name)
	return err == nil && os.SameFile(ours, theirs)
}

func (s *Store) link(d place, temp, name string) error {
	err := d.Link(temp, name)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		if s.linked(d, temp, name) {
			return nil
		}
		return err
	case noLinks(err):
		return s.unfit(ErrNoLinks, err)
	}
	return err
}

// putTemporary writes a file under a temporary name, with mode 0600 whatever
// the umask, and reads it back. Where it fails nothing is left.
func (s *Store) putTemporary(d place, data []byte, durable bool) (name string, err error) {
	name = temporary + random(8)
	f, err := d.Create(name)
	if err != nil {
		return "", err
	}
	err = s.fill(f, data, durable)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		d.Remove(name)
		return "", err
	}
	return name, nil
}

func (s *Store) fill(f file, data []byte, durable bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !exact(info) {
		if err := f.Chmod(0o600); err != nil {
			if noModes(err) {
				return s.unfit(ErrNoModes, err)
			}
			return err
		}
		if info, err = f.Stat(); err != nil {
			return err
		}
		if lax(info) {
			return s.unfit(ErrNoModes, nil)
		}
	}
	if n, err := f.Write(data); err != nil {
		return err
	} else if n != len(data) {
		return io.ErrShortWrite
	}
	if !durable {
		return nil
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return readBack(f, data)
}

// readBack compares what the file holds with what was written.
func readBack(f file, data []byte) error {
	const block = 64 << 10
	buf := make([]byte, min(block, len(data)+1))
	var at int64
	for {
		n, err := f.ReadAt(buf, at)
		if at+int64(n) > int64(len(data)) || string(buf[:n]) != string(data[at:at+int64(n)]) {
			return fmt.Errorf("%w: the disk gave other bytes back than were written", ErrDamaged)
		}
		at += int64(n)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if at != int64(len(data)) {
		return fmt.Errorf("%w: the disk gave %d bytes back of %d", ErrDamaged, at, len(data))
	}
	return nil
}

// replace writes a file whole, over an older one where there is one. It is not
// durable; of two writers the last wins.
func (s *Store) replace(d place, name string, data []byte) error {
	temp, err := s.putTemporary(d, data, false)
	if err != nil {
		return err
	}
	if err := d.Rename(temp, name); err != nil {
		d.Remove(temp)
		return err
	}
	return nil
}

// readFile reads a regular file of this user's, of at most limit bytes.
func (s *Store) readFile(d place, name string, limit int64) ([]byte, error) {
	f, size, err := s.openFile(d, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > limit {
		return nil, fmt.Errorf("%w: %s has %d bytes", ErrDamaged, d.file(name), size)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	return data, nil
}

// openFile opens a regular file of this user's and gives its size in bytes. A
// symbolic link is refused.
func (s *Store) openFile(d place, name string) (file, int64, error) {
	before, err := d.Lstat(name)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case before.Mode()&fs.ModeSymlink != 0:
		return nil, 0, fmt.Errorf("%w: %s", ErrSymlink, d.file(name))
	case !before.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%w: %s is not a file", ErrDamaged, d.file(name))
	}
	if owner, self, is := foreign(before); is {
		return nil, 0, OwnerError{Path: d.file(name), Owner: owner, Want: self}
	}
	f, err := d.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// line is a small record as it stands on disk.
func line(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// putRecord creates a small record exclusively in a directory of the store.
// won is false where another was first.
func (s *Store) putRecord(dir, name string, v any, durable bool) (won bool, err error) {
	data, err := line(v)
	if err != nil {
		return false, err
	}
	d, err := s.enter(dir)
	if err != nil {
		return false, err
	}
	defer d.Close()
	err = s.putNew(d, name, data, durable)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("writing %s: %w", s.path(dir+"/"+name), err)
	}
	return true, nil
}

// record reads a small record. A missing one is ErrNotFound, one of a higher
// version ErrNewerFormat, an empty or undecodable one ErrDamaged.
func (s *Store) record(dir, name string, into any) error {
	d, err := s.visit(dir)
	if missing(err) {
		return fmt.Errorf("%w: %s", ErrNotFound, s.path(dir+"/"+name))
	}
	if err != nil {
		return err
	}
	defer d.Close()
	return s.recordIn(d, name, into)
}

func (s *Store) recordIn(d place, name string, into any) error {
	data, err := s.readFile(d, name, maxRecord)
	if missing(err) {
		return fmt.Errorf("%w: %s", ErrNotFound, d.file(name))
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", d.file(name), err)
	}
	var head struct {
		Version int `json:"v"`
	}
	if err := json.Unmarshal(data, &head); err != nil || head.Version < 1 {
		return fmt.Errorf("%w: %s is not a record", ErrDamaged, d.file(name))
	}
	if head.Version > RecordVersion {
		return fmt.Errorf("%w: %s", ErrNewerFormat, d.file(name))
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, d.file(name), err)
	}
	return nil
}

// unfinished reports whether a name is a temporary one.
func unfinished(name string) bool { return strings.HasPrefix(name, temporary) }
