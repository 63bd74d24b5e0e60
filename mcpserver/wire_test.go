package mcpserver

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	for _, test := range []struct {
		name, in string
		want     []string // "!ID" for a line that is too long
	}{
		{"none", "", nil},
		{"blank", "\n \r\n\t\n", nil},
		{"ends", "a\nb\r\n\nc", []string{"a\n", "b\r\n", "c"}},
		{"long", `{"id":7,"a":"` + long + "\"}\nb\n", []string{"!7", "b\n"}},
		{"long, id last", `{"a":{"id":1,"b":"` + long + `"},"id" : "x\"y" }` + "\nb\n", []string{`!"x\"y"`, "b\n"}},
		{"long without end", long, []string{"!null"}},
	} {
		for _, wrap := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.DataErrReader} {
			lines := newLineReader(wrap(strings.NewReader(test.in)), 200_000)
			var got []string
			for {
				l, err := lines.next()
				if err != nil {
					if !errors.Is(err, io.EOF) {
						t.Errorf("%s: %v", test.name, err)
					}
					break
				}
				if l.long {
					got = append(got, "!"+string(l.id))
				} else {
					got = append(got, string(l.text))
				}
			}
			if strings.Join(got, "|") != strings.Join(test.want, "|") {
				t.Errorf("%s: %.200q, want %.200q", test.name, got, test.want)
			}
		}
	}
}

func TestFoundID(t *testing.T) {
	for in, want := range map[string]string{
		``:                                 "null",
		`{}`:                               "null",
		`[{"id":1}]`:                       "null",
		`{"id":1}`:                         "1",
		`{"id": -1.5e3 ,"a":2}`:            "-1.5e3",
		`{"a":"id","id":"b"}`:              `"b"`,
		`{"a":{"id":1},"b":[{"id":2}]}`:    "null",
		`{"id":{"a":1}}`:                   "null",
		`{"id":null}`:                      "null",
		`{"id":true}`:                      "null",
		`{"jsonrpc":"2.0","id":9,"method"`: "9",
		`{"id":1,"id":2}`:                  "2",
		`{"\"id":1,"x":"\\","id":3}`:       "3",
		`}}}]"id":1`:                       "null",
		`{"id":"` + strings.Repeat("x", 1000) + `"}`: "null",
	} {
		if got := string(foundID([]byte(in))); got != want {
			t.Errorf("%.60s: %s, want %s", in, got, want)
		}
	}
}

func FuzzFoundID(f *testing.F) {
	f.Add(`{"id":1,"a":[{"id":"x"}]}`)
	f.Fuzz(func(t *testing.T, in string) { foundID([]byte(in)) })
}
