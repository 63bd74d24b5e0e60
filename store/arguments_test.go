package store

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
)

const reserved = "_handover_capability"

func hash(t testing.TB, raw string) string {
	t.Helper()
	h, err := ArgumentHash([]byte(raw), reserved)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return h
}

func TestArgumentHash(t *testing.T) {
	same := [][]string{
		{
			`{"handover":"a\u00e9\n😀","summary":"s"}`,
			"{ \"summary\" : \"s\",\n\"handover\":\"a\u00e9\\u000a\\ud83d\\ude00\" }",
			`{"handover":"aé\n😀","_handover_capability":"x.y","summary":"s"}`,
			`{"hand\u006fver":"aé\n😀","_handover_\u0063apability":"z","summary":"s"}`,
		},
		{`{"a":"\b\f\n\r\t\/\\\"\u002F\uABCD\uabcd"}`, `{"a":"\u0008\u000c\u000A\u000d\u0009/\u005c\u0022\/ꯍꯍ"}`},
		{`{}`, ` { } `, `{"_handover_capability":""}`},
	}
	hashes := map[string]string{}
	for _, group := range same {
		for _, raw := range group {
			if hash(t, raw) != hash(t, group[0]) {
				t.Errorf("%s and %s differ", raw, group[0])
			}
		}
		hashes[hash(t, group[0])] = group[0]
	}
	for _, raw := range []string{
		`{"handover":"aé\n😀","summary":"t"}`, `{"handover":"a","summary":null}`, `{"handover":"a","summary":"null"}`, `{"handover":"a"}`,
		`{"handover":"as","ummary":""}`, `{"a":1}`, `{"a":1.0}`, `{"a":"1"}`, `{"a":12345678901234567890}`, `{"a":12345678901234567891}`,
		`{"a":true}`, `{"a":false}`, `{"a":"x","a":"y"}`, `{"a":"y","a":"x"}`, `{"handover":"e\u0301"}`, `{"handover":"\u00e9"}`,
	} {
		h := hash(t, raw)
		if other, taken := hashes[h]; taken {
			t.Errorf("%s and %s are the same", raw, other)
		}
		hashes[h] = raw
	}
}

func TestArgumentsThatAreNone(t *testing.T) {
	for _, raw := range []string{"", "[]", `"x"`, "null", "1", "{", `{"a":1}{}`, `{"a":1,}`, "{\"a\":\"\n\"}"} {
		if h, err := ArgumentHash([]byte(raw), reserved); err == nil {
			t.Errorf("%s: %s", raw, h)
		}
	}
}

// TestNestedArguments: no parameter takes one, so it is refused by name; only
// what the reserved member holds is nobody's business.
func TestNestedArguments(t *testing.T) {
	for _, x := range []struct{ raw, name, kind string }{
		{`{"a":{}}`, "a", "object"},
		{`{"a":[]}`, "a", "array"},
		{`{"b":1,"a":[{"x":"]}\"\\"},[[1]]],"c":"d"}`, "a", "array"},
		{`{"_handover_capability":1,"summary":{"x":"\ud800"}}`, "summary", "object"},
	} {
		_, err := ArgumentHash([]byte(x.raw), reserved)
		var nested NestedError
		if !errors.As(err, &nested) || nested.Name != x.name || nested.Kind != x.kind || !strings.Contains(err.Error(), x.name) {
			t.Errorf("%s: %v", x.raw, err)
		}
	}
	plain := hash(t, `{"a":"x","b":2}`)
	for _, value := range []string{`{}`, `[]`, `{"a":[1,{"b":"]}\"\\"}]}`, ` [ "{" , "\\" ] `} {
		if hash(t, `{"a":"x","_handover_capability":`+value+`,"b":2}`) != plain {
			t.Errorf("%s changes the hash", value)
		}
	}
}

// TestArgumentsInMemory: what a call costs grows with its length, not with how
// deep it is.
func TestArgumentsInMemory(t *testing.T) {
	const deep = 9_000
	for _, name := range []string{"a", reserved} {
		raw := []byte(`{"` + name + `":` + strings.Repeat(`["`+strings.Repeat("x", 220)+`",`, deep) + "0" + strings.Repeat("]", deep) + "}")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ArgumentHash(raw, reserved)
		runtime.ReadMemStats(&after)
		if used, most := after.TotalAlloc-before.TotalAlloc, uint64(3*len(raw)); used > most {
			t.Errorf("%d bytes of %s took %d bytes of memory", len(raw), name, used)
		}
		if (err == nil) != (name == reserved) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestArgumentTextsThatCannotBeKept(t *testing.T) {
	for _, x := range []struct {
		raw, part, what string
		offset          int64
	}{
		{`{"handover":"ab\ud800"}`, "handover", `\ud800`, 2},
		{`{"handover":"é\n\udc00x"}`, "handover", `\udc00`, 3},
		{`{"summary":"\ud83d\ude00\ud83dx"}`, "summary", `\ud83d`, 4},
		{`{"summary":"\ud83d\u0041"}`, "summary", `\ud83d`, 0},
		{`{"summary":"\ud83d\ud83d\ude00"}`, "summary", `\ud83d`, 0},
		{`{"summary":"` + "a\xff" + `"}`, "summary", "0xff", 1},
		{`{"summary":"\n` + "a\xff" + `"}`, "summary", "0xff", 2},
		{`{"\ud800":1}`, "a member's name", `\ud800`, 0},
	} {
		_, err := ArgumentHash([]byte(x.raw), reserved)
		var bad TextError
		if !errors.As(err, &bad) || bad.Part != x.part || bad.Offset != x.offset || !strings.Contains(bad.What, x.what) {
			t.Errorf("%s: %+v", x.raw, err)
		}
	}
}

// FuzzArgumentHash compares with encoding/json: where both read an object with
// different names, every string is decoded to the same value.
func FuzzArgumentHash(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":"b\u0041\ud83d\ude00","c":[1,{"d":null}],"e":-1.5e3}`, `{"a":"\ud800"}`, "{\"\\u0000\":\"\xff\"}", `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		h, err := ArgumentHash(raw, reserved)
		var want map[string]any
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber()
		if !json.Valid(raw) || d.Decode(&want) != nil || want == nil {
			if err == nil {
				t.Fatalf("%q is no object and has a hash", raw)
			}
			return
		}
		if err != nil {
			var bad TextError
			var nested NestedError
			if !errors.As(err, &bad) && !errors.As(err, &nested) {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		members, err := Arguments(raw)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, m := range members {
			if names[m.Name] {
				return // encoding/json keeps the last of them
			}
			names[m.Name] = true
		}
		for _, m := range members {
			if s, ok := want[m.Name].(string); ok != (m.Kind == "string") || ok && s != m.Text {
				t.Fatalf("%q: %+v is %v there", raw, m, want[m.Name])
			}
			if n, ok := want[m.Name].(json.Number); ok != (m.Kind == "number") || ok && n.String() != m.Text {
				t.Fatalf("%q: %+v is %v there", raw, m, want[m.Name])
			}
		}
		if len(names) != len(want) {
			t.Fatalf("%q: %d members here, %d there", raw, len(names), len(want))
		}
		// Written anew by encoding/json it is the same call.
		delete(want, reserved)
		again, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := ArgumentHash(again, reserved); err != nil || other != h {
			t.Fatalf("%q and %q differ: %v", raw, again, err)
		}
	})
}
