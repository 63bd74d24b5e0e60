package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/auto-context-handover/handover/internal/actor"
)

func TestResolve(t *testing.T) {
	s := create(t, fresh(t))
	in := Scope{Host: "claude", Session: "5e55107e", Project: "/srv/project"}
	elsewhere := in
	elsewhere.Project = "/srv/elsewhere"
	first := publish(t, s, draft(sub(1), "one"))
	root := publish(t, s, draft(mainAgent(), "main"))
	unique := actor.ID{Host: "qwen", Session: "q1", Agent: "b1", Unique: "2026-01-01"}
	third := publish(t, s, draft(unique, "three"))
	want := func(ref string, in Scope, id string, err error) {
		t.Helper()
		r, got := s.Resolve(ref, in)
		if r.ID != id || err == nil && got != nil || err != nil && !errors.Is(got, err) {
			t.Errorf("%q: %+v %v, want %s %v", ref, r, got, id, err)
		}
	}
	for _, ref := range []string{first.ID, first.ID[:len("ho-")+8], first.ID[3 : 3+9], "a1", "5e55107e:a1"} {
		want(ref, in, first.ID, nil)
	}
	want("5e55107e", in, root.ID, nil)
	want("q1:b1", in, third.ID, nil)
	want(first.ID, elsewhere, first.ID, nil)
	want(first.ID, Scope{}, first.ID, nil)
	want("a1", Scope{}, "", ErrUnknownProject)
	for _, ref := range []string{"a1", "5e55107e", "q1:b1", first.ID[:14]} {
		want(ref, elsewhere, "", ErrNotFound)
	}
	for _, ref := range []string{"", "A1", first.ID[:len("ho-")+7], "ho-ffffffffffffffff", "ho-FFFFFFFFFFFFFFFF", strings.Repeat("x", 600), "../../format", "b1"} {
		want(ref, in, "", ErrNotFound)
	}
	if r, _ := s.Resolve("5e55107e:a77", in); r.Actor == nil || *r.Actor != sub(77) {
		t.Errorf("an agent that handed nothing over: %+v", r)
	}
	if r, _ := s.Resolve("a1", in); r.Actor == nil || *r.Actor != sub(1) {
		t.Errorf("%+v", r)
	}
	// Two agents with one bare id on hosts that use ids again.
	again := unique
	again.Unique = "2026-02-02"
	fourth := publish(t, s, draft(again, "four"))
	_, err := s.Resolve("q1:b1", in)
	var ambiguous AmbiguousError
	if !errors.As(err, &ambiguous) || len(ambiguous.Candidates) != 2 || !errors.Is(err, ErrAmbiguous) {
		t.Errorf("%v", err)
	}
	if err := s.Remove(fourth.ID, first.ID); err != nil {
		t.Fatal(err)
	}
	want("q1:b1", in, third.ID, nil)
	want(first.ID, in, "", ErrRemoved)
	want("a1", in, "", ErrRemoved)
}

func TestProjectsAreComparedAsDirectories(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		a, b string
		want bool
	}{{dir, link, true}, {dir, dir + "/", true}, {dir, t.TempDir(), false}, {"", "", false}, {"/gone", "/gone", true}, {"/gone", "/other", false}, {dir, "/gone", false}} {
		if SameProject(x.a, x.b) != x.want {
			t.Errorf("%q %q", x.a, x.b)
		}
	}
}

func TestList(t *testing.T) {
	dir := fresh(t)
	s := create(t, dir)
	start := time.Now().Add(-time.Hour)
	var ids []string
	for n := range 8 {
		d := draft(sub(n), "text")
		d.Created = start.Add(time.Duration(n) * time.Minute)
		d.Summary = strings.Repeat("é", 300) + "\nsecond"
		if n%2 == 1 {
			d.Project = "/srv/elsewhere"
			d.Summary = fmt.Sprintf("summary %d\nsecond", n)
		}
		p := publish(t, s, d)
		file := filepath.Join(dir, "handovers", p.ID+".handover")
		if err := os.Chtimes(file, d.Created, d.Created); err != nil {
			t.Fatal(err)
		}
		ids = append([]string{p.ID}, ids...)
	}
	got := func(q ListQuery) (list []string) {
		t.Helper()
		found, err := s.List(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range found {
			list = append(list, x.ID)
		}
		return list
	}
	if list := got(ListQuery{}); fmt.Sprint(list) != fmt.Sprint(ids) {
		t.Errorf("%v", list)
	}
	if list := got(ListQuery{Project: "/srv/elsewhere", Limit: 3}); fmt.Sprint(list) != fmt.Sprint([]string{ids[0], ids[2], ids[4]}) {
		t.Errorf("%v", list)
	}
	found, _ := s.List(ListQuery{Limit: 2})
	if found[0].Line != "summary 7" || found[1].Line != strings.Repeat("é", 200) || found[0].Continued || found[0].Bytes == 0 {
		t.Errorf("%+v", found)
	}
	if err := os.Truncate(filepath.Join(dir, "handovers", ids[0]+".handover"), 5); err != nil {
		t.Fatal(err)
	}
	found, _ = s.List(ListQuery{})
	if len(found) != 8 || !errors.Is(found[0].Err, ErrDamaged) {
		t.Errorf("a damaged file is not shown: %+v", found[0])
	}
	if list := got(ListQuery{Project: "/srv/project"}); len(list) != 4 {
		t.Errorf("%v", list)
	}
}
