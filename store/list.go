package store

import (
	"errors"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// summaryLine bounds the first line of a summary in a list, in bytes.
const summaryLine = 400

// ListQuery says which handovers to list.
type ListQuery struct {
	// Project: only those of this project; "" is all.
	Project string
	// Limit on how many; 0 is all.
	Limit int
}

// Summary is a handover in a list. Only line 1 and the beginning of the summary
// were read; hashes are not checked.
type Summary struct {
	ID     string
	Header Header
	// Line is the first line of the summary, cut at 400 bytes.
	Line string
	// Bytes of the whole file.
	Bytes int64
	// Continued: a successor was asked for or taken on.
	Continued bool
	// Err says why the file cannot be read; then only ID and Modified are set.
	Err error
	// Modified is the time of the file.
	Modified time.Time
}

// List returns the handovers, the newest first. Files that cannot be read are
// in the list with Err. Which are the newest is taken from the times of the
// files, so that a list of the last five reads little more than five; where
// that hides older ones behind a Limit (a store restored without its times), a
// list without one has all.
func (s *Store) List(q ListQuery) ([]Summary, error) {
	d, err := s.visit(dirHandovers)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	found, err := s.byTime(d)
	if err != nil {
		return nil, err
	}
	same := map[string]bool{}
	var list []Summary
	for _, x := range found {
		if q.Limit > 0 && len(list) >= q.Limit {
			break
		}
		x := s.summarize(d, x)
		if errors.Is(x.Err, ErrNotFound) {
			continue
		}
		if q.Project != "" {
			if x.Err != nil {
				continue // whose it is cannot be told
			}
			is, known := same[x.Header.Project]
			if !known {
				is = SameProject(x.Header.Project, q.Project)
				same[x.Header.Project] = is
			}
			if !is {
				continue
			}
		}
		list = append(list, x)
	}
	s.markContinued(list)
	slices.SortStableFunc(list, func(a, b Summary) int { return b.when().Compare(a.when()) })
	return list, nil
}

func (x Summary) when() time.Time {
	if x.Err != nil {
		return x.Modified
	}
	return x.Header.Created
}

// byTime lists the ids of the stored handovers, the latest file first.
func (s *Store) byTime(d place) ([]Summary, error) {
	found, err := names(d, ".")
	if err != nil {
		return nil, err
	}
	removed := map[string]bool{}
	for _, name := range found {
		if id, ok := strings.CutSuffix(name, suffixRemoved); ok {
			removed[id] = true
		}
	}
	var all []Summary
	for _, name := range found {
		id, ok := strings.CutSuffix(name, suffixHandover)
		if !ok || !ValidID(id) || removed[id] {
			continue
		}
		info, err := d.Lstat(name)
		if err != nil {
			continue
		}
		all = append(all, Summary{ID: id, Bytes: info.Size(), Modified: info.ModTime()})
	}
	slices.SortFunc(all, func(a, b Summary) int {
		return firstOf(b.Modified.Compare(a.Modified), strings.Compare(a.ID, b.ID))
	})
	return all, nil
}

// summarize reads line 1 and the beginning of the summary.
func (s *Store) summarize(d place, x Summary) Summary {
	header, body, err := s.header(d, x.ID)
	if err != nil {
		return Summary{ID: x.ID, Bytes: x.Bytes, Modified: x.Modified, Err: err}
	}
	x.Header = header
	for _, p := range header.Parts {
		if p.Name == PartSummary {
			x.Line = s.firstWords(d, x.ID, body+p.Offset, p.Bytes)
		}
	}
	return x
}

// firstWords reads the first line of a part, cut on a character.
func (s *Store) firstWords(d place, id string, at, size int64) string {
	f, _, err := s.openFile(d, id+suffixHandover)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, max(0, min(size, summaryLine)))
	n, err := f.ReadAt(buf, at)
	if err != nil && err != io.EOF {
		return ""
	}
	text, _, _ := strings.Cut(string(buf[:n]), "\n")
	for len(text) > 0 {
		if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return strings.TrimSuffix(text, "\r")
}

func (s *Store) markContinued(list []Summary) {
	d, err := s.visit(dirContinuations)
	if err != nil {
		return
	}
	defer d.Close()
	for i := range list {
		for _, state := range continuationStates() {
			if there, err := exists(d, list[i].ID+"."+string(state)); err == nil && there {
				list[i].Continued = true
			}
		}
	}
}

// Lineage returns the ids of all stored handovers that belong to the line of
// the given one, itself included, sorted by time: those with the same origin
// and those of the same actors.
func (s *Store) Lineage(id string) ([]string, error) {
	if _, err := s.Handover(id); err != nil && !errors.Is(err, ErrDamaged) {
		return nil, err
	}
	all, err := s.List(ListQuery{})
	if err != nil {
		return nil, err
	}
	d, err := s.visit(dirHandovers)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	parents := map[string]string{}
	actors := map[string]string{}
	for _, x := range all {
		if x.Err != nil {
			continue
		}
		before := x.Header.Lineage.Predecessor
		if x.Header.Lineage.State == LineageUnknown {
			before = s.lateLineage(d, x.Header.Actor, x.Header.Project, maxUnwritten).Predecessor
		}
		join(parents, x.ID, before)
		key := x.Header.Actor.Key()
		join(parents, x.ID, actors[key])
		actors[key] = x.ID
	}
	line := []string{}
	for _, x := range slices.Backward(all) {
		if top(parents, x.ID) == top(parents, id) {
			line = append(line, x.ID)
		}
	}
	return line, nil
}

// join puts two ids into one set; an empty one is none.
func join(parents map[string]string, a, b string) {
	if b == "" {
		return
	}
	if a, b := top(parents, a), top(parents, b); a != b {
		parents[a] = b
	}
}

func top(parents map[string]string, id string) string {
	for parents[id] != "" {
		id = parents[id]
	}
	return id
}
