package scan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/auto-context-handover/handover/internal/scan"
)

// chunked gives at most n bytes at a time.
type chunked struct {
	r io.Reader
	n int
}

func (c chunked) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.n)]) }

// scanners gives the same input in every way it can come.
func scanners(data []byte) map[string]*scan.Scanner {
	all := map[string]*scan.Scanner{
		"bytes":       scan.NewBytes(data),
		"reader":      scan.New(bytes.NewReader(data), make([]byte, 4096)),
		"chunks of 1": scan.New(chunked{bytes.NewReader(data), 1}, make([]byte, 256)),
	}
	for _, n := range []int{1, 2, 3, 5, 8, 13, 64} {
		all[fmt.Sprint("buffer of ", n)] = scan.New(bytes.NewReader(data), make([]byte, n))
	}
	return all
}

const (
	fuzzString = 40 // low limits, so that the fuzzer meets both sides
	fuzzRaw    = 40
)

// noValue stands where the scanner gave none.
type noValue struct{}

// take builds what the scanner says of a value, through the accessor for its kind.
func take(s *scan.Scanner) (any, error) {
	kind, err := s.Kind()
	if err != nil {
		return nil, err
	}
	var v any
	ok := true
	switch kind {
	case scan.Object:
		members := map[string]any{}
		err = s.Object(func(key string) error {
			v, err := take(s)
			if _, twice := members[key]; twice {
				return fmt.Errorf("%q offered twice", key)
			}
			members[key] = v
			return err
		})
		v = members
	case scan.Array:
		elements := []any{}
		err = s.Array(func(i int) error {
			if i != len(elements) {
				return errors.New("wrong index")
			}
			v, err := take(s)
			elements = append(elements, v)
			return err
		})
		v = elements
	case scan.String:
		v, ok, err = s.String(fuzzString)
	case scan.Number:
		v, ok, err = s.Int()
	case scan.Bool:
		v, ok, err = s.Bool()
	case scan.Null:
		err = s.Skip()
	}
	if !ok {
		v = noValue{}
	}
	return v, err
}

// same checks the scanner's value against encoding/json's.
func same(got, want any) error {
	switch want := want.(type) {
	case map[string]any:
		members, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("got %T for an object", got)
		}
		for key, v := range members {
			if strings.Contains(key, "\ufffd") {
				continue // encoding/json merges other names into this one
			}
			w, ok := want[key]
			if !ok {
				return fmt.Errorf("member %q does not exist", key)
			}
			if err := same(v, w); err != nil {
				return fmt.Errorf("%q: %w", key, err)
			}
		}
		for key := range want {
			if _, ok := members[key]; !ok && len(key) <= scan.MaxKey && !strings.Contains(key, "\ufffd") {
				return fmt.Errorf("member %q is missing", key)
			}
		}
		return nil
	case []any:
		elements, ok := got.([]any)
		if !ok || len(elements) != len(want) {
			return fmt.Errorf("got %v for an array of %d", got, len(want))
		}
		for i := range want {
			if err := same(elements[i], want[i]); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
		return nil
	case json.Number:
		var v int64
		if json.Unmarshal([]byte(want), &v) != nil {
			return equal(got, noValue{})
		}
		return equal(got, v)
	case string:
		if got == any(noValue{}) && (len(want) > fuzzString || strings.Contains(want, "\ufffd")) {
			return nil
		}
		return equal(got, want)
	}
	return equal(got, want)
}

func equal(got, want any) error {
	if got != want {
		return fmt.Errorf("got %#v, encoding/json has %#v", got, want)
	}
	return nil
}

// FuzzObject checks that the scanner gives what encoding/json gives, or nothing,
// however the input arrives.
func FuzzObject(f *testing.F) {
	for _, seed := range seeds() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// What encoding/json says; only the byte order mark is ours.
		plain := bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
		valid := json.Valid(plain)
		var want any
		if valid {
			d := json.NewDecoder(bytes.NewReader(plain))
			d.UseNumber()
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
		}
		first, _ := take(scan.NewBytes(data))
		firstErr := scan.NewBytes(data).End()
		for name, s := range scanners(data) {
			err := s.End()
			if (err == nil) != valid {
				t.Fatalf("%s: End says %v, encoding/json says valid %v", name, err, valid)
			}
			if fmt.Sprint(err) != fmt.Sprint(firstErr) {
				t.Fatalf("%s: %v, bytes: %v", name, err, firstErr)
			}
			if n := s.Offset(); n != int64(len(data)) {
				t.Fatalf("%s: drained to %d of %d", name, n, len(data))
			}
		}
		for name, s := range scanners(data) {
			got, err := take(s)
			if err == nil {
				err = s.End()
			}
			if err != nil {
				refused := errors.Is(err, scan.ErrDuplicate) || errors.Is(err, scan.ErrMembers)
				if valid && !refused {
					t.Fatalf("%s: %v on valid JSON", name, err)
				}
				continue
			}
			if !valid {
				t.Fatalf("%s: no error on invalid JSON", name)
			}
			if err := same(got, want); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !reflect.DeepEqual(got, first) {
				t.Fatalf("%s: got %v, bytes: %v", name, got, first)
			}
		}
		if members, ok := want.(map[string]any); ok {
			raws(t, data, plain, members)
		}
	})
}

// raws checks Raw, and what the accessors of other kinds say, member by member.
func raws(t *testing.T, data, plain []byte, members map[string]any) {
	var want map[string]json.RawMessage
	if err := json.Unmarshal(plain, &want); err != nil {
		t.Fatal(err)
	}
	for name, s := range scanners(data) {
		got := map[string][]byte{}
		err := s.Document(func(key string) error {
			text, ok, err := s.Raw(fuzzRaw)
			if err == nil && ok != (text != nil) {
				t.Fatalf("%s: %q with ok %v", name, text, ok)
			}
			got[key] = text
			return err
		})
		if err != nil {
			continue // duplicates; FuzzObject has judged validity
		}
		for key, text := range got {
			if w := want[key]; text == nil && len(w) <= fuzzRaw || text != nil && !bytes.Equal(text, w) {
				if !strings.Contains(key, "\ufffd") {
					t.Fatalf("%s: %q is %q, encoding/json has %q", name, key, text, w)
				}
			}
			if text != nil {
				if v, err := take(scan.NewBytes(text)); err == nil && utf8.Valid(text) && !strings.Contains(key, "\ufffd") {
					if err := same(v, members[key]); err != nil {
						t.Fatalf("%s: Raw of %q: %v", name, key, err)
					}
				}
			}
		}
	}
	for _, accessor := range []func(s *scan.Scanner) (any, bool, error){
		func(s *scan.Scanner) (any, bool, error) { return second(s.String(1 << 20)) },
		func(s *scan.Scanner) (any, bool, error) { return second(s.Int()) },
		func(s *scan.Scanner) (any, bool, error) { return second(s.Bool()) },
	} {
		for name, s := range scanners(data) {
			got := map[string]any{}
			err := s.Document(func(key string) error {
				v, ok, err := accessor(s)
				if ok {
					got[key] = v
				}
				return err
			})
			if err != nil {
				continue
			}
			for key, v := range got {
				want := members[key]
				if n, ok := want.(json.Number); ok {
					want, _ = n.Int64()
				}
				if err := equal(v, want); err != nil && !strings.Contains(key, "\ufffd") {
					t.Fatalf("%s: %q: %v", name, key, err)
				}
			}
		}
	}
}

func second[T any](v T, ok bool, err error) (any, bool, error) { return v, ok, err }

func seeds() []string {
	return []string{
		`{}`, `[]`, `null`, `"x"`, `-0`, ``,
		`{"session_id":"0a1b","agent_id":"a12","tool_input":{"handover":"a\nb","summary":"\ud83d\ude00"},"tool_name":"x"}`,
		`{"type":"assistant","message":{"id":"msg_1","usage":{"input_tokens":104,"cache_read_input_tokens":1004,"output_tokens":24}}}`,
		`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", "{\"\xff\":1}",
		"\xEF\xBB\xBF{\"a\":1}\r\n", `{"a":1}{"b":2}`, "\x00\x00{\"a\":1}", `{"a":1,}`, `{"a":01}`,
		`[9223372036854775807,-9223372036854775808,9223372036854775808,1e3,1.0,-0]`,
		`{"a":[[[{"b":[]}]]],"c":{"d":{"e":{}}}}`, `[true,false,null,tru]`,
		`{"long":"` + strings.Repeat("x\\u00e9\\\"", 30) + `"}`,
		strings.Repeat(`[{"a":`, 40) + "1" + strings.Repeat("}]", 40),
	}
}
