package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxDepth is more than any config.json needs.
const maxDepth = 16

// value is one JSON value: nil, bool, string, json.Number, []value or object.
type value any

// object keeps the members in the order of the file.
type object []member

type member struct {
	key   string
	value value
}

// parse reads exactly one JSON value. Keys that occur twice in one object are an
// error, since only one of them could count. Errors name the line.
func parse(data []byte) (value, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := parseValue(dec, 0)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("text after the end of the object")
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errCut
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", line(data, dec, err), err)
	}
	return v, nil
}

// errCut: the file is empty, or a bracket is still open at its end.
var errCut = errors.New("the file ends too early")

// line is where in the file an error is, counted from 1.
func line(data []byte, dec *json.Decoder, err error) int {
	at := dec.InputOffset()
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errCut):
		at = int64(len(data))
	case errors.As(err, &syntax):
		at = syntax.Offset
	}
	return 1 + bytes.Count(data[:min(at, int64(len(data)))], []byte("\n"))
}

func parseValue(dec *json.Decoder, depth int) (value, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, errors.New("nested too deeply")
	}
	switch token {
	case json.Delim('{'):
		return parseObject(dec, depth)
	case json.Delim('['):
		list := []value{}
		for dec.More() {
			v, err := parseValue(dec, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return token, nil
}

func parseObject(dec *json.Decoder, depth int) (value, error) {
	o := object{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, ok := token.(string)
		if !ok {
			return nil, fmt.Errorf("%v where a key belongs", token)
		}
		for _, m := range o {
			if m.key == key {
				return nil, fmt.Errorf("the key %q occurs twice", key)
			}
		}
		v, err := parseValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		o = append(o, member{key, v})
	}
	_, err := dec.Token()
	return o, err
}

// kind is what a value is, for people.
func kind(v value) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case []value:
		return "a list"
	}
	return "an object"
}
