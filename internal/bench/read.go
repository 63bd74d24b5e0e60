//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/auto-context-handover/handover/store"
)

const (
	few  = 100
	many = 100_000
	// readBefore is how many of them at most were read before. A look at all
	// reads would show at that number already.
	readBefore = 10_000
)

// measureRead compares the reading of a handover in a store that holds a
// hundred thousand with that in a store of a hundred.
func measureRead(b *builder) (map[string]value, error) {
	small, err := crowd(b, few)
	if err != nil {
		return nil, err
	}
	large, err := crowd(b, many)
	if err != nil {
		return nil, err
	}
	took, err := rounds(300, small, large)
	if err != nil {
		return nil, err
	}
	return map[string]value{"read_100k_vs_100": ratio(took[1], took[0])}, nil
}

// crowd makes a store of n handovers and returns the reading of one of them, as
// the server reads for a caller that has the id.
func crowd(b *builder, n int) (step, error) {
	folder, err := b.folder("read")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(folder, fmt.Sprint(n))
	st, err := store.Create(dir)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	p, err := st.Publish(draft(0, published))
	if err != nil {
		return nil, err
	}
	ids := []string{p.ID}
	for i := 1; i < n; i++ {
		ids = append(ids, fmt.Sprintf("ho-%016x", uint64(i)*0x9e3779b97f4a7c15))
	}
	if err := multiply(filepath.Join(dir, "handovers"), ids); err != nil {
		return nil, err
	}
	for _, id := range ids[:min(n, readBefore)] {
		if err := st.RecordRead(id, "reader", 1, 1, true); err != nil {
			return nil, err
		}
	}
	return func(int) (time.Duration, error) {
		start := time.Now()
		err := readOne(dir, p.ID)
		return time.Since(start), err
	}, nil
}

// readOne reads a handover and what was learned about it since.
func readOne(dir, id string) error {
	st, err := store.Open(dir)
	if err != nil {
		return err
	}
	defer st.Close()
	found, err := st.Resolve(id, store.Scope{Host: "claude"})
	if err != nil {
		return err
	}
	h, err := st.Handover(found.ID)
	if err != nil {
		return err
	}
	if text, ok := h.Text(store.PartHandover); !ok || len(text) != published {
		return fmt.Errorf("%s is not what was stored", id)
	}
	later, err := st.Joined(found.ID)
	if err == nil && len(later.Reads) != 1 {
		err = fmt.Errorf("%s was read by %d readers", id, len(later.Reads))
	}
	return err
}

// linked is how many names one file is given; file systems bound that.
const linked = 500

// multiply gives the handover with the first of the ids companions with the
// others. What stands in them does not matter, since nobody reads them.
func multiply(folder string, ids []string) error {
	path := func(id string) string { return filepath.Join(folder, id+".handover") }
	text, err := os.ReadFile(path(ids[0]))
	if err != nil {
		return err
	}
	source := ""
	for i, id := range ids[1:] {
		if i%linked == 0 {
			source = path(id)
			err = os.WriteFile(source, text, 0o600)
		} else {
			err = os.Link(source, path(id))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
