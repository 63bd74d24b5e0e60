package adaptertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/auto-context-handover/handover/hooks"
)

// member is one member of a sample, in the order of the file.
type member struct {
	name  string
	value json.RawMessage
}

func membersOf(t *testing.T, raw []byte) []member {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	var all []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, member{key.(string), v})
	}
	return all
}

func write(all []member, space string) []byte {
	var b bytes.Buffer
	b.WriteString("{")
	for i, m := range all {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "%s%q%s:%s%s%s", space, m.name, space, space, m.value, space)
	}
	b.WriteString("}")
	return b.Bytes()
}

// same: raw means exactly what the sample means.
func (s Suite) same(t *testing.T, c sample, raw io.Reader, what string) {
	t.Helper()
	got, err := s.Host.Decode(raw, s.Env())
	if err != nil {
		t.Errorf("%s, %s: %v", c.name, what, err)
		return
	}
	if diff := cmp.Diff(c.want, got); diff != "" {
		t.Errorf("%s, %s: means something else:\n%s", c.name, what, diff)
	}
}

// reordered: the order of members and the pieces in which they arrive are
// nothing that a host promises.
func (s Suite) reordered(t *testing.T, samples []sample) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range samples {
		s.same(t, c, iotest.OneByteReader(bytes.NewReader(c.raw)), "byte by byte")
		s.same(t, c, iotest.DataErrReader(bytes.NewReader(c.raw)), "with its end")
		for range 20 {
			all := membersOf(t, c.raw)
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			if got, err := s.Host.Decode(bytes.NewReader(write(all, "")), s.Env()); err != nil {
				t.Errorf("%s, reordered: %v", c.name, err)
			} else if diff := cmp.Diff(c.want, s.unsized(got, c.want)); diff != "" {
				t.Errorf("%s, reordered: means something else:\n%s", c.name, diff)
			}
		}
	}
}

// unsized leaves out the one count that depends on how values are spaced.
func (s Suite) unsized(got, want hooks.Event) hooks.Event {
	got.Batch.Bytes = want.Batch.Bytes
	return got
}

// padded: white space, a byte order mark and members that we do not know mean
// nothing.
func (s Suite) padded(t *testing.T, samples []sample) {
	for _, c := range samples {
		s.same(t, c, strings.NewReader("\ufeff"+string(c.raw)+"\r\n"), "with a byte order mark and CRLF")
		all := membersOf(t, c.raw)
		all = append(all, member{"a_member_of_tomorrow", json.RawMessage(`{"deep":[{"tool_name":"x","agent_id":["y"]}]}`)})
		all = append([]member{{"another", json.RawMessage(`"\ud800 \u0000"`)}}, all...)
		got, err := s.Host.Decode(bytes.NewReader(write(all, " \r\n\t")), s.Env())
		if err != nil {
			t.Errorf("%s, with unknown members: %v", c.name, err)
		} else if diff := cmp.Diff(c.want, s.unsized(got, c.want)); diff != "" {
			t.Errorf("%s, with unknown members: means something else:\n%s", c.name, diff)
		}
	}
}

// cut: an event that is not whole is an error, wherever it was cut.
func (s Suite) cut(t *testing.T, samples []sample) {
	for _, c := range samples {
		whole := bytes.TrimSpace(c.raw)
		for n := 0; n < len(whole); n++ {
			ev, err := s.Host.Decode(bytes.NewReader(whole[:n]), s.Env())
			if err == nil {
				t.Fatalf("%s, cut after %d bytes: was taken for %+v", c.name, n, ev)
			}
		}
		for _, junk := range []string{string(whole) + "{}", string(whole) + "x", "[" + string(whole) + "]", "null", "", "\x00"} {
			if ev, err := s.Host.Decode(strings.NewReader(junk), s.Env()); err == nil {
				t.Errorf("%s, as %.30q…: was taken for %+v", c.name, junk, ev)
			}
		}
	}
}

// doubled: when a member that says who it is stands twice, nobody is believed.
func (s Suite) doubled(t *testing.T, samples []sample) {
	if len(s.Identity) == 0 {
		t.Fatal("the suite names no identity members")
	}
	for _, c := range samples {
		all := membersOf(t, c.raw)
		for _, m := range all {
			for _, name := range s.Identity {
				if m.name != name {
					continue
				}
				twice := append([]member{{name, json.RawMessage(`"somebody-else"`)}}, all...)
				if ev, err := s.Host.Decode(bytes.NewReader(write(twice, "")), s.Env()); err == nil && ev.Name != hooks.Ignored {
					t.Errorf("%s with two members %q: was taken for %+v", c.name, name, ev.Actor)
				}
			}
		}
	}
}

// large: a value that nobody asked for takes no memory, and a reader that is
// not drained would count as a failure.
func (s Suite) large(t *testing.T, samples []sample) {
	const size = 64 << 20
	for _, c := range samples {
		raw := bytes.TrimSpace(c.raw)
		in := io.MultiReader(bytes.NewReader(raw[:len(raw)-1]), strings.NewReader(`,"a_member_of_tomorrow":"`),
			io.LimitReader(ones{}, size), strings.NewReader(`"}`))
		left := &counter{r: in}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := s.Host.Decode(left, s.Env())
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s with a large member: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s with a large member: means something else:\n%s", c.name, diff)
		}
		if want := int64(len(raw) + size + len(`,"a_member_of_tomorrow":""`)); left.n != want {
			t.Errorf("%s with a large member: %d of %d bytes were read", c.name, left.n, want)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
			t.Errorf("%s with a large member: %d bytes were allocated", c.name, grown)
		}
		break
	}
}

type ones struct{}

func (ones) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '1'
	}
	return len(b), nil
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}
