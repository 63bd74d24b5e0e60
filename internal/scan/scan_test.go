package scan_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/auto-context-handover/handover/internal/scan"
)

// readers are the ways in which the same input can arrive.
func readers(t *testing.T, input string, check func(t *testing.T, s *scan.Scanner)) {
	t.Helper()
	t.Run("bytes", func(t *testing.T) { check(t, scan.NewBytes([]byte(input))) })
	t.Run("reader", func(t *testing.T) { check(t, scan.New(strings.NewReader(input), nil)) })
	t.Run("one byte", func(t *testing.T) { check(t, scan.New(iotest.OneByteReader(strings.NewReader(input)), nil)) })
	t.Run("buffer of 3", func(t *testing.T) { check(t, scan.New(strings.NewReader(input), make([]byte, 3))) })
	t.Run("data with EOF", func(t *testing.T) {
		check(t, scan.New(iotest.DataErrReader(strings.NewReader(input)), make([]byte, 5)))
	})
}

func TestEndIsStrict(t *testing.T) {
	for _, c := range []struct {
		input string
		want  error
	}{
		{`{}`, nil},
		{"\xEF\xBB\xBF {\r\n\"a\" :\t[ 1 , {} ,[],\"\"] }\r\n", nil},
		{`"` + "\xff\xfe" + `\ud800"`, nil}, // skipped, so let through
		{`-0.5e+7`, nil},
		{`0`, nil},
		{`null`, nil},
		{``, io.ErrUnexpectedEOF},
		{" \n", io.ErrUnexpectedEOF},
		{`{"a":1`, io.ErrUnexpectedEOF},
		{`{"a":"x`, io.ErrUnexpectedEOF},
		{`"\`, io.ErrUnexpectedEOF},
		{`"\u00`, io.ErrUnexpectedEOF},
		{`tru`, io.ErrUnexpectedEOF},
		{`1e`, io.ErrUnexpectedEOF},
		{`-`, io.ErrUnexpectedEOF},
		{"\xEF\xBB", io.ErrUnexpectedEOF},
		{"\xEF\xBB\xBE{}", scan.ErrSyntax},
		{" \xEF\xBB\xBF{}", scan.ErrSyntax},
		{"\xEF\xBB\xBF\xEF\xBB\xBF{}", scan.ErrSyntax},
		{`{"a":1}{`, scan.ErrSyntax},
		{`{"a":1}` + "\x00\x00", scan.ErrSyntax},
		{"\x00\x00{}", scan.ErrSyntax},
		{`{"a":1,}`, scan.ErrSyntax},
		{`{,}`, scan.ErrSyntax},
		{`[1,]`, scan.ErrSyntax},
		{`[1 2]`, scan.ErrSyntax},
		{`[1}`, scan.ErrSyntax},
		{`{"a":1]`, scan.ErrSyntax},
		{`{"a" 1}`, scan.ErrSyntax},
		{`{a:1}`, scan.ErrSyntax},
		{`{"a":b}`, scan.ErrSyntax},
		{`{1:1}`, scan.ErrSyntax},
		{"\"a\nb\"", scan.ErrSyntax},
		{"\"a\x1fb\"", scan.ErrSyntax},
		{`"\x"`, scan.ErrSyntax},
		{`"\u12G4"`, scan.ErrSyntax},
		{`"\u000: "`, scan.ErrSyntax},
		{`01`, scan.ErrSyntax},
		{`-01`, scan.ErrSyntax},
		{`+1`, scan.ErrSyntax},
		{`1.`, io.ErrUnexpectedEOF},
		{`[1.]`, scan.ErrSyntax},
		{`.5`, scan.ErrSyntax},
		{`[1e+]`, scan.ErrSyntax},
		{`[--1]`, scan.ErrSyntax},
		{`truE`, scan.ErrSyntax},
		{`nulll`, scan.ErrSyntax},
		{`NaN`, scan.ErrSyntax},
		{"{}\u00a0", scan.ErrSyntax},
		{`{} // no`, scan.ErrSyntax},
		{strings.Repeat("[", scan.MaxDepth) + strings.Repeat("]", scan.MaxDepth), nil},
		{strings.Repeat("[", scan.MaxDepth+1) + strings.Repeat("]", scan.MaxDepth+1), scan.ErrDepth},
		{strings.Repeat(`{"a":`, scan.MaxDepth+1), scan.ErrDepth},
		{strings.Repeat("[", 1<<20), scan.ErrDepth},
	} {
		name := c.input[:min(len(c.input), 40)]
		readers(t, c.input, func(t *testing.T, s *scan.Scanner) {
			if err := s.End(); !errors.Is(err, c.want) {
				t.Errorf("%q: %v, want %v", name, err, c.want)
			}
			if got := s.Offset(); got != int64(len(c.input)) {
				t.Errorf("%q: drained to %d of %d", name, got, len(c.input))
			}
		})
	}
}

func TestString(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, c := range []struct {
		input string
		max   int
		want  string
		ok    bool
	}{
		{`""`, 0, "", true},
		{`"abc"`, 3, "abc", true},
		{`"abc"`, 2, "", false},
		{`"abc"`, -1, "", false},
		{`"` + long + `"`, 200, long, true},
		{`"` + long + `"`, 199, "", false},
		{`"a\n\"\\\/\b\f\r\t\u0000\u00e9"`, 99, "a\n\"\\/\b\f\r\t\x00é", true},
		{`"\u00e9"`, 2, "é", true},
		{`"\u00e9"`, 1, "", false},
		{`"\uD83D\uDE00!"`, 5, "😀!", true},
		{`"\ud83d\ude00"`, 3, "", false},
		{`"\ud83d"`, 99, "", false},
		{`"\ud83dx\ude00"`, 99, "", false},
		{`"\ud83d\n\ude00"`, 99, "", false},
		{`"\ude00\ud83d"`, 99, "", false},
		{`"\ud83d\ud83d\ude00"`, 99, "", false},
		{`"\ud83d\u0041"`, 99, "", false},
		{"\"a\xffb\"", 99, "", false},
		{"\"\xed\xa0\x80\"", 99, "", false},
		{"\"\xe2\\u0041\x82\xac\"", 99, "", false},
		{`"` + "\ufffd" + `"`, 99, "\ufffd", true},
		{`"\ufffd"`, 99, "\ufffd", true},
		{`null`, 99, "", false},
		{`{"a":["b"]}`, 99, "", false},
		{`12`, 99, "", false},
	} {
		readers(t, "["+c.input+`,"next"]`, func(t *testing.T, s *scan.Scanner) {
			var got [2]string
			var ok [2]bool
			err := s.Array(func(i int) (err error) {
				limit := 4
				if i == 0 {
					limit = c.max
				}
				got[i], ok[i], err = s.String(limit)
				return err
			})
			if err == nil {
				err = s.End()
			}
			if err != nil || got[0] != c.want || ok[0] != c.ok {
				t.Errorf("%s: %q, %v, %v", c.input, got[0], ok[0], err)
			}
			if got[1] != "next" || !ok[1] {
				t.Errorf("%s: then %q, %v", c.input, got[1], ok[1])
			}
		})
	}
}

func TestInt(t *testing.T) {
	for _, c := range []struct {
		input string
		want  int64
		ok    bool
	}{
		{"0", 0, true}, {"-0", 0, true}, {"7", 7, true}, {"-120", -120, true},
		{"9223372036854775807", 1<<63 - 1, true},
		{"9223372036854775808", 0, false},
		{"-9223372036854775808", -1 << 63, true},
		{"-9223372036854775809", 0, false},
		{"92233720368547758080", 0, false},
		{"-92233720368547758080", 0, false},
		{"18446744073709551616", 0, false},
		{"18446744073709551617", 0, false},
		{"36893488147419103232", 0, false},
		{"1.0", 0, false}, {"1e3", 0, false}, {"10E-1", 0, false}, {"0e0", 0, false},
		{`"12"`, 0, false}, {"null", 0, false}, {"true", 0, false}, {"[1]", 0, false},
		{"1" + strings.Repeat("0", 100000), 0, false},
	} {
		readers(t, " "+c.input+" ", func(t *testing.T, s *scan.Scanner) {
			got, ok, err := s.Int()
			if err == nil {
				err = s.End()
			}
			if got != c.want || ok != c.ok || err != nil {
				t.Errorf("%.30s: %d, %v, %v", c.input, got, ok, err)
			}
		})
	}
}

func TestBoolAndKind(t *testing.T) {
	kinds := []scan.Kind{scan.Bool, scan.Bool, scan.Null, scan.Number, scan.String, scan.Array, scan.Object}
	readers(t, `[true,false,null,-1,"x",[1],{"a":1}]`, func(t *testing.T, s *scan.Scanner) {
		err := s.Array(func(i int) error {
			if kind, err := s.Kind(); kind != kinds[i] || err != nil {
				t.Errorf("element %d: %v, %v", i, kind, err)
			}
			v, ok, err := s.Bool()
			if v != (i == 0) || ok != (i < 2) {
				t.Errorf("element %d: %v, %v", i, v, ok)
			}
			return err
		})
		if err != nil || s.End() != nil {
			t.Error(err, s.End())
		}
	})
}

func TestRaw(t *testing.T) {
	const value = `{ "x" : [1, "\ud800 }"] , "y":-1.5e3}`
	for limit, want := range map[int]bool{len(value): true, len(value) - 1: false, 1 << 20: true} {
		readers(t, `{"a": `+value+` ,"b": 5 }`, func(t *testing.T, s *scan.Scanner) {
			err := s.Document(func(key string) error {
				text, ok, err := s.Raw(limit)
				if key == "a" && (ok != want || want != (string(text) == value)) {
					t.Errorf("limit %d: %q, %v", limit, text, ok)
				}
				if key == "b" && string(text) != "5" {
					t.Errorf("limit %d: b is %q", limit, text)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDuplicates(t *testing.T) {
	for _, c := range []struct {
		input string
		want  error
	}{
		{`{"take":1,"other":2,"other":3}`, nil},
		{`{"take":1,"x":{"take":2}}`, nil},
		{`{"take":1,"take":1}`, scan.ErrDuplicate},
		{`{"take":1,"t\u0061ke":1}`, scan.ErrDuplicate},
		{`{"take":null,"skip":1,"skip":2,"take":1}`, scan.ErrDuplicate},
		{`{"look":1,"look":1}`, scan.ErrDuplicate},
		{`{"nest":{"take":1},"nest":{}}`, scan.ErrDuplicate},
		{`{"nest":{"take":1,"take":2}}`, scan.ErrDuplicate},
		{`{"TAKE":1,"take":1}`, nil},
		{"{\"\\ud800\":1,\"\\ud800\":1,\"\xff\":1,\"\xff\":2}", nil},
	} {
		readers(t, c.input, func(t *testing.T, s *scan.Scanner) {
			var member func(key string) error
			member = func(key string) error {
				var err error
				switch key {
				case "take":
					_, _, err = s.Int()
				case "skip":
					err = s.Skip()
				case "look":
					_, err = s.Kind()
				case "nest":
					err = s.Object(member)
				}
				return err
			}
			if err := s.Document(member); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", c.input, err, c.want)
			}
		})
	}
}

func TestTakenIsBounded(t *testing.T) {
	object := func(members int) string {
		var b strings.Builder
		b.WriteString(`{"":0`)
		for i := 1; i < members; i++ {
			b.WriteString(`,"` + strings.Repeat("k", i) + `":0`)
		}
		return b.String() + "}"
	}
	for members, want := range map[int]error{scan.MaxTaken: nil, scan.MaxTaken + 1: scan.ErrMembers} {
		s := scan.NewBytes([]byte(object(members)))
		err := s.Document(func(string) error { _, _, err := s.Int(); return err })
		if !errors.Is(err, want) {
			t.Errorf("%d taken: %v", members, err)
		}
		s = scan.NewBytes([]byte(object(members)))
		if err := s.Document(func(string) error { return nil }); err != nil {
			t.Errorf("%d skipped: %v", members, err)
		}
	}
}

func TestLongKeysAreNotOffered(t *testing.T) {
	long := strings.Repeat("k", scan.MaxKey)
	readers(t, `{"`+long+`":1,"`+long+`k":2,"\u006b`+long+`":3,"b":4}`, func(t *testing.T, s *scan.Scanner) {
		var got []string
		err := s.Document(func(key string) error { got = append(got, key); return nil })
		if err != nil || len(got) != 2 || got[0] != long || got[1] != "b" {
			t.Errorf("%v, %d keys", err, len(got))
		}
	})
}

func TestCallbackErrorComesBackAndEverythingIsDrained(t *testing.T) {
	stop := errors.New("stop")
	input := `{"a":[{"b":1}],"c":` + strings.Repeat(" ", 1000) + `1}`
	readers(t, input, func(t *testing.T, s *scan.Scanner) {
		err := s.Document(func(string) error {
			return s.Array(func(int) error { return s.Object(func(string) error { return stop }) })
		})
		if err != stop {
			t.Errorf("got %v", err)
		}
		if s.Offset() != int64(len(input)) {
			t.Errorf("drained to %d of %d", s.Offset(), len(input))
		}
		if _, _, err := s.Int(); err != stop {
			t.Errorf("afterwards %v", err)
		}
	})
}

func TestSwallowedErrorIsFinal(t *testing.T) {
	s := scan.NewBytes([]byte(`{"a":{"x":01},"b":2}`))
	var got []string
	err := s.Document(func(key string) error {
		got = append(got, key)
		_ = s.Object(func(string) error { _, _, err := s.Int(); return err })
		return nil
	})
	if !errors.Is(err, scan.ErrSyntax) || len(got) != 1 {
		t.Errorf("%v after %q", err, got)
	}
}

func TestErrKindLeavesTheValue(t *testing.T) {
	s := scan.NewBytes([]byte(`{"a":"text"}`))
	err := s.Document(func(string) error {
		if err := s.Object(func(string) error { return nil }); !errors.Is(err, scan.ErrKind) {
			t.Errorf("Object on a string: %v", err)
		}
		if err := s.Array(func(int) error { return nil }); !errors.Is(err, scan.ErrKind) {
			t.Errorf("Array on a string: %v", err)
		}
		text, ok, err := s.String(10)
		if text != "text" || !ok {
			t.Errorf("%q, %v", text, ok)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWrongUse(t *testing.T) {
	s := scan.NewBytes([]byte(`[1,2]`))
	err := s.Array(func(int) error {
		if _, _, err := s.Int(); err != nil {
			return err
		}
		_, _, err := s.Int() // must not be the next element
		return err
	})
	if !errors.Is(err, scan.ErrUse) {
		t.Errorf("taking twice: %v", err)
	}
	s = scan.NewBytes([]byte(`[1,2]`))
	if err := s.Array(func(int) error { return s.End() }); !errors.Is(err, scan.ErrUse) {
		t.Errorf("End inside: %v", err)
	}
	s = new(scan.Scanner)
	if err := s.End(); !errors.Is(err, scan.ErrUse) {
		t.Errorf("zero Scanner: %v", err)
	}
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, input := range []string{``, `{"a":`, `{"a":"xx`, `{"a":1}`, `12`} {
		r := io.MultiReader(strings.NewReader(input), iotest.ErrReader(broken))
		s := scan.New(r, make([]byte, 4))
		if err := s.End(); err != broken {
			t.Errorf("%q: %v", input, err)
		}
		if _, err := s.Drain(); err != broken {
			t.Errorf("%q: drain: %v", input, err)
		}
	}
	s := scan.New(stuck{}, nil)
	if err := s.End(); err != io.ErrNoProgress {
		t.Errorf("a reader that gives nothing: %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestOffsetTellsSizes(t *testing.T) {
	readers(t, `{"a": "12345678","b":[1,2,3]}`, func(t *testing.T, s *scan.Scanner) {
		sizes := map[string]int64{}
		err := s.Document(func(key string) error {
			before := s.Offset()
			err := s.Skip()
			sizes[key] = s.Offset() - before
			return err
		})
		if err != nil || sizes["a"] != 11 || sizes["b"] != 7 {
			t.Errorf("%v, %v", sizes, err)
		}
	})
}

func TestReset(t *testing.T) {
	s := scan.New(strings.NewReader(`{"a":[`), nil)
	if err := s.Document(func(string) error { return s.Skip() }); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	for range 2 {
		s.Reset([]byte(`{"a":1}`))
		var got int64
		err := s.Document(func(string) (err error) { got, _, err = s.Int(); return err })
		if err != nil || got != 1 {
			t.Fatal(got, err)
		}
	}
}
