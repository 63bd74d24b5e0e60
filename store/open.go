package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// The directories of a store.
const (
	dirHandovers     = "handovers"
	dirContinuations = "continuations"
	dirReads         = "reads"
	dirSpawns        = "spawns"
	dirActors        = "actors"
	dirCapabilities  = "capabilities"
	dirServers       = "servers"
	dirSessions      = "sessions"
)

// Store is one opened store. It is used for one call and then closed; its
// methods may be called from several goroutines.
type Store struct {
	dir   string
	root  directory
	write bool
	now   func() time.Time

	mu        sync.Mutex
	inspected map[string]bool
	messages  []string
}

// Open opens the store in dir to read. It changes nothing. A directory that is
// not there is ErrNoStore; one of another user is an OwnerError. Symbolic links
// are followed up to dir and refused inside it.
func Open(dir string) (*Store, error) {
	return openStore(dir, false, openDirectory)
}

// Create opens the store in dir to write, and makes it if it is not there.
// Modes that let others in are tightened and told by Tightened. Besides Open's
// errors there are ErrNewerFormat and ErrUnfit.
func Create(dir string) (*Store, error) {
	return createStore(dir, openDirectory)
}

func createStore(dir string, opener func(string) (directory, error)) (*Store, error) {
	s, err := openStore(dir, true, opener)
	if errors.Is(err, ErrNoStore) {
		if err := makeDirectories(dir); err != nil {
			return nil, fmt.Errorf("making the store: %w", err)
		}
		s, err = openStore(dir, true, opener)
	}
	if err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func openStore(dir string, write bool, opener func(string) (directory, error)) (*Store, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("the store's directory has to be an absolute path, not %q", dir)
	}
	root, err := opener(dir)
	if missing(err) {
		return nil, fmt.Errorf("%w: %w", ErrNoStore, err)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	s := &Store{dir: dir, root: root, write: write, now: time.Now, inspected: map[string]bool{}}
	if err := s.inspect("."); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Close closes the store. Handovers read from it stay valid.
func (s *Store) Close() error { return s.root.Close() }

// Dir is the directory as it was given.
func (s *Store) Dir() string { return s.dir }

// Tightened tells, one line each, which modes let others in: after Create what
// was tightened, after Open what the next write will tighten.
func (s *Store) Tightened() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.messages...)
}

func (s *Store) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages = append(s.messages, fmt.Sprintf(format, args...))
}

// path is a name in the store as people are shown it.
func (s *Store) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// top is the store's own directory.
func (s *Store) top() place { return place{s.root, s.dir} }

func (s *Store) writable() error {
	if !s.write {
		return fmt.Errorf("%w: %s", ErrReadOnly, s.dir)
	}
	return nil
}

// makeDirectories makes dir and what is missing above it, each with mode 0700
// whatever the umask, and makes their names durable.
func makeDirectories(dir string) error {
	if parent := filepath.Dir(dir); parent != dir {
		if _, err := os.Stat(parent); missing(err) {
			if err := makeDirectories(parent); err != nil {
				return err
			}
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return err
	}
	f, err := os.Open(filepath.Dir(dir))
	if err != nil {
		if noSync(err) {
			return nil
		}
		return err
	}
	defer f.Close()
	if err := syncDirectory(f); err != nil && !noSync(err) {
		return err
	}
	return nil
}
