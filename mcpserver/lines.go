package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxLine bounds one message on stdin. A handover is at most 1 MiB; the rest is
// room for the escapes of its JSON and for what else a host may send.
const maxLine = 16 << 20

// line is one line of stdin.
type line struct {
	// text is the line without its end; nil where it was too long to keep.
	text []byte
	// id is the value of the top-level member "id", as far as one was seen, so
	// that a line that is no message can still be answered by its id.
	id json.RawMessage
	// long: the line had more than maxLine bytes and was skipped.
	long bool
}

// lineReader cuts a stream into lines in bounded memory.
type lineReader struct {
	r     *bufio.Reader
	limit int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// next returns the next line that is not blank. A last line without an end is a
// line; the error comes with the call after it.
func (l *lineReader) next() (line, error) {
	for {
		got, err := l.read()
		if got.long || len(bytes.TrimSpace(got.text)) > 0 {
			return got, nil
		}
		if err != nil {
			return line{}, err
		}
	}
}

func (l *lineReader) read() (line, error) {
	var got line
	var ids idFinder
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case got.long:
			ids.feed(part)
		case len(got.text)+len(part) > l.limit:
			got.long = true
			ids.feed(got.text)
			ids.feed(part)
			got.text = nil
		default:
			got.text = append(got.text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if got.long {
			got.id = ids.id()
		}
		return got, err
	}
}
