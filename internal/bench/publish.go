//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/auto-context-handover/handover/store"
)

// published is the size in bytes of the handover that is published.
const published = 16 << 10

// measurePublish compares the publishing of a handover with the least system
// calls that make a file of the same size appear at once, verified and durable.
// The baseline has the same two fsyncs: one of the file, one of its folder.
func measurePublish(b *builder) (map[string]value, error) {
	folder, err := b.folder("publish")
	if err != nil {
		return nil, err
	}
	data, plain := filepath.Join(folder, "data"), filepath.Join(folder, "plain")
	if err := os.Mkdir(plain, 0o700); err != nil {
		return nil, err
	}
	st, err := store.Create(data)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	// The first also makes folders and sweeps, which happens once an hour.
	first, err := st.Publish(draft(0, published))
	if err != nil {
		return nil, err
	}
	h, err := st.Handover(first.ID)
	if err != nil {
		return nil, err
	}
	content := make([]byte, h.Size)
	publish := func(round int) (time.Duration, error) {
		d := draft(round+1, published)
		start := time.Now()
		p, err := st.Publish(d)
		took := time.Since(start)
		if err == nil && p.Existing {
			err = fmt.Errorf("%s had been stored before", p.ID)
		}
		return took, err
	}
	raw := func(round int) (time.Duration, error) {
		start := time.Now()
		err := publishRaw(plain, fmt.Sprintf("ho-%016x.handover", round), content)
		return time.Since(start), err
	}
	took, err := rounds(400, raw, publish)
	if err != nil {
		return nil, err
	}
	return map[string]value{"publish_vs_syscalls": ratio(took[1], took[0])}, nil
}
