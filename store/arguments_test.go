package store

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
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
			`{"hand\u006fver":"aé\n😀","_handover_\u0063apability":{"a":[1]},"summary":"s"}`,
		},
		{`{"a":"\b\f\n\r\t\/\\\"\u002F\uABCD\uabcd"}`, `{"a":"\u0008\u000c\u000A\u000d\u0009/\u005c\u0022\/ꯍꯍ"}`},
		{`{}`, ` { } `, `{"_handover_capability":""}`},
		{`{"a":{"x":1,"y":[1,"2",null]}}`, `{"a": {"y": [ 1 , "\u0032" , null ], "x":1}}`},
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
		`{"a":true}`, `{"a":false}`, `{"a":[]}`, `{"a":{}}`, `{"a":[[]]}`, `{"a":[1,2]}`, `{"a":["1,2"]}`, `{"a":[[1],2]}`, `{"a":[1,[2]]}`,
		`{"a":{"b":1},"c":2}`, `{"a":{"b":1,"c":2}}`, `{"a":"x","a":"y"}`, `{"a":"y","a":"x"}`, `{"handover":"e\u0301"}`, `{"handover":"\u00e9"}`,
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
		{`{"x":[{"y":"\ud800"}]}`, "x", `\ud800`, 0},
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
			if !errors.As(err, &bad) {
				t.Fatalf("%q: %v", raw, err)
			}
			return
		}
		if !utf8.Valid(raw) {
			t.Fatalf("%q has a hash", raw)
		}
		r := &argumentReader{rest: string(raw)}
		r.space()
		members, err := r.object("")
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, m := range members {
			if names[m.name] {
				return // encoding/json keeps the last of them
			}
			names[m.name] = true
		}
		for _, m := range members {
			if s, ok := want[m.name].(string); ok != (m.value[0] == "string") || ok && s != m.value[1] {
				t.Fatalf("%q: %q is %q here and %v there", raw, m.name, m.value, want[m.name])
			}
			if n, ok := want[m.name].(json.Number); ok && n.String() != m.value[1] {
				t.Fatalf("%q: %q is %q here and %v there", raw, m.name, m.value, n)
			}
		}
		if len(names) != len(want) {
			t.Fatalf("%q: %d members here, %d there", raw, len(names), len(want))
		}
		// Written anew by encoding/json it is the same call.
		again, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]any
		d = json.NewDecoder(strings.NewReader(string(again)))
		d.UseNumber()
		if d.Decode(&back) != nil || !reflect.DeepEqual(want, back) {
			return
		}
		if other, err := ArgumentHash(again, reserved); err == nil && other != h && !nestedTwice(raw) {
			t.Fatalf("%q and %q differ", raw, again)
		}
	})
}

// nestedTwice reports whether an object within has a name twice, which
// encoding/json forgets.
func nestedTwice(raw []byte) bool {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	count := 0
	for {
		t, err := d.Token()
		if err != nil {
			break
		}
		if _, ok := t.(json.Delim); ok {
			count++
		}
	}
	return count > 2
}
