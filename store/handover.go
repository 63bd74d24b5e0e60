package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

const (
	// firstLine is how line 1 begins; the number is the version of the file.
	firstLine = "handover/1 "
	anyLine   = "handover/"
	lastLine  = "sha256 "
	// trailerBytes is the length of the last line with its line feed.
	trailerBytes = len(lastLine) + 2*sha256.Size + 1
	// maxHandover bounds a handover file, maxHeader its line 1, in bytes.
	maxHandover = 64 << 20
	maxHeader   = 8 << 20
)

// Handover is one stored handover, checked and in memory. It stays valid when
// the Store is closed.
type Handover struct {
	Header Header
	// Size of the whole file, in bytes.
	Size int64
	body []byte
}

// Text returns the verified bytes of a part (PartTask, PartHandover,
// PartSummary), and false where the handover has no such part. The bytes are
// not to be changed.
func (h *Handover) Text(part string) ([]byte, bool) {
	for _, p := range h.Header.Parts {
		if p.Name == part {
			return h.body[p.Offset : p.Offset+p.Bytes], true
		}
	}
	return nil, false
}

// Handover reads a handover and checks it: identity against id, every part and
// the whole file against their SHA-256. The errors are ErrNotFound,
// RemovedError, ErrDamaged, ErrCollision and ErrNewerFormat.
func (s *Store) Handover(id string) (*Handover, error) {
	if !ValidID(id) {
		return nil, fmt.Errorf("%w: %.64q is not the id of a handover", ErrNotFound, id)
	}
	d, err := s.visit(dirHandovers)
	if missing(err) {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if err := s.removed(d, id); err != nil {
		return nil, err
	}
	return s.load(d, id)
}

// load reads and checks a handover, removed or not.
func (s *Store) load(d place, id string) (*Handover, error) {
	data, err := s.readFile(d, id+suffixHandover, maxHandover)
	if missing(err) {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", id, err)
	}
	h, err := decodeHandover(data)
	if err != nil {
		return nil, fmt.Errorf("%w (%s); nothing of it is shown", err, d.file(id+suffixHandover))
	}
	if err := h.Header.names(id, d); err != nil {
		return nil, err
	}
	return h, nil
}

// names checks that a header belongs to the id that its file is named by.
func (h *Header) names(id string, d place) error {
	if h.ID == id && h.Ordinal > 0 && HandoverID(h.Actor, h.Ordinal) == id {
		return nil
	}
	return collision(d, id)
}

func collision(d place, id string) error {
	return fmt.Errorf("%w: %s; nothing was read or written; look at line 1 of that file and move it away", ErrCollision, d.file(id+suffixHandover))
}

// removed is the RemovedError of an id that was removed, else nil.
func (s *Store) removed(d place, id string) error {
	there, err := exists(d, id+suffixRemoved)
	if err != nil || !there {
		return err
	}
	var left removal
	if err := s.recordIn(d, id+suffixRemoved, &left); err != nil && !errors.Is(err, ErrDamaged) {
		return err
	}
	return RemovedError{ID: id, At: left.At, SHA256: left.SHA256}
}

// removal is what stays of a removed handover.
type removal struct {
	Version int       `json:"v"`
	ID      string    `json:"id"`
	At      time.Time `json:"at"`
	SHA256  string    `json:"sha256,omitempty"` // of the whole file
}

// namedText is a part to be written.
type namedText struct{ name, text string }

// encodeHandover lays out a handover file and fills in h.Parts.
func encodeHandover(h *Header, texts []namedText) ([]byte, error) {
	h.Parts = nil
	var at int64
	for _, t := range texts {
		sum := sha256.Sum256([]byte(t.text))
		h.Parts = append(h.Parts, Part{t.name, at, int64(len(t.text)), hex.EncodeToString(sum[:])})
		at += int64(len(t.text)) + 1
	}
	header, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if len(header) > maxHeader {
		return nil, fmt.Errorf("the record about the handover has %d bytes, at most %d are stored", len(header), maxHeader)
	}
	var b bytes.Buffer
	b.Grow(len(firstLine) + len(header) + 1 + int(at) + trailerBytes)
	b.WriteString(firstLine)
	b.Write(header)
	b.WriteByte('\n')
	for _, t := range texts {
		b.WriteString(t.text)
		b.WriteByte('\n')
	}
	sum := sha256.Sum256(b.Bytes())
	b.WriteString(lastLine)
	b.WriteString(hex.EncodeToString(sum[:]))
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// decodeHandover takes a file apart and checks every hash in it.
func decodeHandover(data []byte) (*Handover, error) {
	end := len(data) - trailerBytes
	if end < 0 || !bytes.HasPrefix(data[end:], []byte(lastLine)) || data[len(data)-1] != '\n' {
		return nil, fmt.Errorf("%w: the last line is not a SHA-256", ErrDamaged)
	}
	sum := sha256.Sum256(data[:end])
	if string(data[end+len(lastLine):len(data)-1]) != hex.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("%w: its bytes do not have the SHA-256 in its last line", ErrDamaged)
	}
	first, rest, ok := bytes.Cut(data[:end], []byte("\n"))
	if !ok {
		return nil, fmt.Errorf("%w: line 1 does not end", ErrDamaged)
	}
	h := &Handover{Size: int64(len(data)), body: rest}
	if err := h.Header.decode(first); err != nil {
		return nil, err
	}
	for _, p := range h.Header.Parts {
		if p.Offset < 0 || p.Bytes < 0 || p.Offset > int64(len(rest)) || p.Bytes > int64(len(rest))-p.Offset {
			return nil, fmt.Errorf("%w: part %.64q lies outside the file", ErrDamaged, p.Name)
		}
		sum := sha256.Sum256(rest[p.Offset : p.Offset+p.Bytes])
		if hex.EncodeToString(sum[:]) != p.SHA256 {
			return nil, fmt.Errorf("%w: part %.64q does not have its SHA-256", ErrDamaged, p.Name)
		}
	}
	return h, nil
}

// decode reads line 1 without its line feed.
func (h *Header) decode(first []byte) error {
	text, ok := bytes.CutPrefix(first, []byte(firstLine))
	if !ok {
		if strings.HasPrefix(string(first), anyLine) {
			return fmt.Errorf("%w: a handover of another version", ErrNewerFormat)
		}
		return fmt.Errorf("%w: not a handover", ErrDamaged)
	}
	if err := json.Unmarshal(text, h); err != nil {
		return fmt.Errorf("%w: line 1: %w", ErrDamaged, err)
	}
	if h.Version > RecordVersion {
		return fmt.Errorf("%w: a handover of version %d", ErrNewerFormat, h.Version)
	}
	return nil
}

// header reads line 1 only; the hashes are not checked. Body is the offset in
// the file from which the parts count.
func (s *Store) header(d place, id string) (h Header, body int64, err error) {
	f, size, err := s.openFile(d, id+suffixHandover)
	if missing(err) {
		return h, 0, fmt.Errorf("%w: %s", ErrNotFound, id)
	}
	if err != nil {
		return h, 0, err
	}
	defer f.Close()
	buf := make([]byte, 0, min(size, 16<<10))
	for {
		from := len(buf)
		buf = buf[:cap(buf)]
		n, err := f.ReadAt(buf[from:], int64(from))
		buf = buf[:from+n]
		if end := bytes.IndexByte(buf, '\n'); end >= 0 {
			if err := h.decode(buf[:end]); err != nil {
				return h, 0, fmt.Errorf("%w (%s)", err, d.file(id+suffixHandover))
			}
			return h, int64(end) + 1, h.names(id, d)
		}
		if err != nil || int64(len(buf)) >= size || len(buf) >= maxHeader+len(firstLine) {
			return h, 0, fmt.Errorf("%w: line 1 of %s does not end", ErrDamaged, d.file(id+suffixHandover))
		}
		buf = append(make([]byte, 0, min(size, 4*int64(cap(buf)))), buf...)
	}
}
