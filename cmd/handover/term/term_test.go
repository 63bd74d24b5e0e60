package term

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	for _, c := range []struct{ in, text, line string }{
		{"plain é 漢 🙂", "plain é 漢 🙂", "plain é 漢 🙂"},
		{"a\tb\nc\r\nd", "a\tb\nc\r\nd", `a\tb\nc\r\nd`},
		{"over\rwrite", `over\rwrite`, `over\rwrite`},
		{"\x1b[31mred\x1b]0;t\x07", `\x1b[31mred\x1b]0;t\x07`, `\x1b[31mred\x1b]0;t\x07`},
		{"\u009b31m", `\x9b31m`, `\x9b31m`},
		{"del\x7f nul\x00", `del\x7f nul\x00`, `del\x7f nul\x00`},
		{"\u202egnp.exe", `\u202egnp.exe`, `\u202egnp.exe`},
		{"bad\xffbyte", `bad\xffbyte`, `bad\xffbyte`},
		{"\U000e0041tag", `\U000e0041tag`, `\U000e0041tag`},
		{"👩\u200d💻", "👩\u200d💻", "👩\u200d💻"},
		{"sep\u2028", `sep\u2028`, `sep\u2028`},
	} {
		if got := Escape(c.in); got != c.text {
			t.Errorf("Escape(%q) = %q, want %q", c.in, got, c.text)
		}
		if got := Line(c.in); got != c.line {
			t.Errorf("Line(%q) = %q, want %q", c.in, got, c.line)
		}
	}
}

func TestJSON(t *testing.T) {
	text := "a\x1b\u009b\u202e\U000e0041é\n\u200d"
	encoded, err := json.MarshalIndent(map[string]string{"k": text}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got := JSON(string(encoded))
	if strings.ContainsAny(got, "\x1b\u009b\u202e\U000e0041") {
		t.Errorf("JSON left something: %q", got)
	}
	var back map[string]string
	if err := json.Unmarshal([]byte(got), &back); err != nil || back["k"] != text {
		t.Errorf("JSON changed the value: %q, %v", back["k"], err)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a\x1b[0m\u009b\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		if got := Line(s); strings.ContainsFunc(got, hostile) {
			t.Errorf("Line(%q) = %q", s, got)
		}
		if got := Escape(s); strings.ContainsAny(strings.ReplaceAll(got, "\r\n", "\n"), "\x1b\r\x00\u009b") {
			t.Errorf("Escape(%q) = %q", s, got)
		}
	})
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in      string
		columns int
		want    string
	}{
		{"short", 5, "short"},
		{"longer", 5, "long…"},
		{"été é", 4, "été…"},
		{"x", 0, ""},
	} {
		if got := Cut(c.in, c.columns); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.columns, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string
	}{
		{"", ""},
		{"one two  three", "one two/three"},
		{"incomprehensibilities are", "incompr…/are"},
		{"aaaaaaaa b", "aaaaaaaa/b"},
	} {
		if got := strings.Join(Wrap(c.in, 8), "/"); got != c.want {
			t.Errorf("Wrap(%q, 8) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000"} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestGauge(t *testing.T) {
	for _, c := range []struct {
		tokens, soft int64
		want         string
	}{
		{0, 100, "[......|..]"},
		{50, 100, "[###...|..]"},
		{99, 100, "[#####.|..]"},
		{100, 100, "[######|..]"},
		{120, 100, "[######|#.]"},
		{900, 100, "[######|##]"},
		{900, 0, "[......|..]"},
	} {
		if got := Gauge(c.tokens, c.soft, 8); got != c.want {
			t.Errorf("Gauge(%d, %d) = %q, want %q", c.tokens, c.soft, got, c.want)
		}
	}
}
