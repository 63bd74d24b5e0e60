package mcpserver

import (
	"bytes"
	"encoding/json"
)

// maxID bounds the text of an id that idFinder keeps.
const maxID = 256

// idFinder finds the top-level member "id" of a JSON object that is fed to it
// piece by piece, in fixed memory. It does not check the JSON: it serves only
// to address the error answer to a line that is no usable message.
type idFinder struct {
	depth    int
	inString bool
	escaped  bool
	// key collects the string read last at depth 1; isKey: it may be a key.
	key   []byte
	isKey bool
	// value collects the id's value while taking.
	value  []byte
	taking bool
	found  json.RawMessage
}

// foundID returns the id in a line that is complete.
func foundID(text []byte) json.RawMessage {
	var f idFinder
	f.feed(text)
	return f.id()
}

// id returns the id's text if it is a JSON string or number, else null.
func (f *idFinder) id() json.RawMessage {
	v := bytes.TrimSpace(f.found)
	if len(v) > 0 && len(v) <= maxID && json.Valid(v) && (v[0] == '"' || v[0] == '-' || v[0] >= '0' && v[0] <= '9') {
		return v
	}
	return json.RawMessage("null")
}

func (f *idFinder) feed(p []byte) {
	for _, b := range p {
		f.step(b)
	}
}

func (f *idFinder) step(b byte) {
	if f.inString {
		f.collect(b)
		switch {
		case f.escaped:
			f.escaped = false
		case b == '\\':
			f.escaped = true
		case b == '"':
			f.inString = false
		}
		return
	}
	switch b {
	case '"':
		f.inString = true
		if f.depth == 1 && !f.taking {
			f.key = f.key[:0]
		}
		f.collect(b)
	case '{', '[':
		f.depth++
		f.isKey = f.depth == 1 && b == '{'
		f.taking = false
	case '}', ']':
		f.endValue()
		f.depth--
	case ',':
		f.endValue()
		f.isKey = f.depth == 1
	case ':':
		if f.depth == 1 && f.isKey {
			f.isKey = false
			f.taking = string(f.key) == `"id"`
			f.value = f.value[:0]
		}
	default:
		if f.taking {
			f.collect(b)
		}
	}
}

// collect keeps a byte of the member being read at depth 1.
func (f *idFinder) collect(b byte) {
	switch {
	case f.depth != 1:
	case f.taking && len(f.value) <= maxID:
		f.value = append(f.value, b)
	case f.isKey && len(f.key) <= maxID:
		f.key = append(f.key, b)
	}
}

func (f *idFinder) endValue() {
	if f.depth == 1 && f.taking {
		f.found = append(f.found[:0], f.value...)
		f.taking = false
	}
}
