// Package scan reads one JSON value as a stream, in fixed memory, and hands out
// only what its caller asks for.
//
// It exists for two inputs: a hook's stdin, one object that can be 60 MB because
// it carries the outputs of tools, and a row of a transcript. A caller walks
// objects and arrays by callback and takes the few members it wants; whatever it
// does not take is checked and dropped where it stands:
//
//	s := scan.New(os.Stdin, nil)
//	err := s.Document(func(key string) error {
//		var err error
//		switch key {
//		case "session_id":
//			session, known, err = s.String(256)
//		case "tool_response": // megabytes: not taken, so skipped
//		}
//		return err
//	})
//
// What is read this way decides who a caller is. The rule is therefore: the
// value that encoding/json would give, or no value, never another one. A string
// that cannot be kept exactly is no value, a member that was taken and comes
// again is an error, and so is anything that is not strict JSON, also in the
// parts that are skipped (invalid UTF-8 and lone surrogates in skipped strings
// are let through, as encoding/json does). Two things are looser than
// encoding/json: a byte order mark at the start is tolerated, and names are
// compared exactly, never by case folding.
//
// Only after Document (or End) returned nil is it known that the input was one
// well-formed value: before that nothing that was taken may be acted upon.
//
// The package uses neither reflection nor fmt, which would show in the start of
// every hook.
package scan

import "io"

const (
	// bufferSize is what a Scanner allocates when it is given no buffer.
	bufferSize = 64 << 10
	// MaxDepth is how many objects and arrays may be open at once, the same as
	// in encoding/json.
	MaxDepth = 10000
	// MaxKey is the longest name of a member, in bytes, that is offered to a
	// callback; members with a longer name are skipped.
	MaxKey = 1024
	// MaxTaken is how many members a callback can take of one object. They are
	// remembered to see duplicates, and memory is bounded.
	MaxTaken = 256
)

// Scanner reads one JSON value. The zero Scanner has no input: call Reset or
// ResetReader. Every method that takes a value takes the one at the current
// position: the whole input at first, inside a callback the member or element
// the callback is called for. A value can be taken once.
//
// An error is final: all methods but Drain return it from then on. The exception
// is ErrKind. A Scanner is not safe for concurrent use.
type Scanner struct {
	src    io.Reader // nil when buf is the whole input
	srcErr error     // how src ended
	buf    []byte    // buf[r:w] is read and not yet consumed
	r, w   int
	base   int64 // offset in the input of buf[0]
	err    error // the final error

	begun   bool // the byte order mark was looked for
	pending bool // a value is at the current position
	told    bool // the caller learned something of the current value
	depth   int  // objects and arrays that are open

	keeping bool // Raw wants buf[mark:r], and kept before it
	over    bool // Raw's limit is passed
	mark    int
	keepMax int
	kept    []byte

	text  []byte   // where strings are put together
	taken []string // names of the members taken, of all open objects
	names names
	nest  [MaxDepth/64 + 1]uint64 // skip: one bit for each level, set for objects
}

// New is a Scanner over r, which it reads through buf (of at least one byte; nil
// or empty: its own 64 KiB). It reads ahead, up to the length of the buffer.
func New(r io.Reader, buf []byte) *Scanner {
	s := new(Scanner)
	s.ResetReader(r, buf)
	return s
}

// NewBytes is a Scanner over b, which is neither copied nor changed.
func NewBytes(b []byte) *Scanner {
	s := new(Scanner)
	s.Reset(b)
	return s
}

// Reset makes s a new Scanner over b, keeping what it allocated: the way to read
// many rows with one Scanner.
func (s *Scanner) Reset(b []byte) {
	s.start()
	s.buf, s.w = b, len(b)
}

// ResetReader makes s a new Scanner over r, like New.
func (s *Scanner) ResetReader(r io.Reader, buf []byte) {
	if len(buf) == 0 {
		buf = make([]byte, bufferSize)
	}
	s.start()
	s.src, s.buf = r, buf
}

func (s *Scanner) start() {
	s.src, s.srcErr, s.buf, s.r, s.w, s.base, s.err = nil, nil, nil, 0, 0, 0, nil
	s.begun, s.pending, s.told, s.depth = false, true, false, 0
	s.keeping, s.over, s.mark, s.keepMax, s.kept = false, false, 0, 0, nil
	s.text, s.taken = s.text[:0], s.taken[:0]
}

// Offset is the number of bytes consumed so far. The difference over a Skip is
// the size of what was skipped, with the white space before it.
func (s *Scanner) Offset() int64 { return s.base + int64(s.r) }

// begin goes to the first byte of the value at the current position and returns
// it without consuming it.
func (s *Scanner) begin() (byte, error) {
	if s.err != nil {
		return 0, s.err
	}
	if !s.pending {
		return 0, s.fail(ErrUse, "no value here")
	}
	if !s.begun {
		s.begun = true
		if err := s.byteOrderMark(); err != nil {
			return 0, err
		}
	}
	return s.space()
}

// done notes that the value at the current position was taken.
func (s *Scanner) done() { s.pending, s.told = false, true }

func (s *Scanner) byteOrderMark() error {
	const mark = "\xEF\xBB\xBF"
	for i := range len(mark) {
		c, ok := s.peek()
		switch {
		case ok && c == mark[i]:
			s.r++
		case i == 0:
			return nil
		case !ok:
			return s.ended()
		default:
			return s.fail(ErrSyntax, "broken byte order mark")
		}
	}
	return nil
}

// peek is the next byte; false at the end of the input, however it came.
func (s *Scanner) peek() (byte, bool) {
	if s.r == s.w && !s.fill() {
		return 0, false
	}
	return s.buf[s.r], true
}

// space consumes white space and returns the byte after it, which it leaves.
func (s *Scanner) space() (byte, error) {
	for {
		for s.r < s.w {
			switch c := s.buf[s.r]; c {
			case ' ', '\n', '\r', '\t':
				s.r++
			default:
				return c, nil
			}
		}
		if !s.fill() {
			return 0, s.ended()
		}
	}
}

// fill reads the next bytes into the buffer, of which everything is consumed.
// It returns false when there are none; srcErr says why.
func (s *Scanner) fill() bool {
	if s.src == nil && s.srcErr == nil {
		s.srcErr = io.EOF
	}
	if s.srcErr != nil {
		return false
	}
	s.keep()
	s.base += int64(s.w)
	s.r, s.w, s.mark = 0, 0, 0
	for range 100 {
		s.w, s.srcErr = s.src.Read(s.buf)
		if s.w > 0 {
			return true
		}
		if s.srcErr != nil {
			return false
		}
	}
	s.srcErr = io.ErrNoProgress
	return false
}
