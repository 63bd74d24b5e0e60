//go:build linux || darwin

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	megabyte = 1 << 20
	gigabyte = 1 << 30
	// quiet is a number of tokens below every stage, loud one above the first,
	// for the window of the model in the transcript.
	quiet, loud = 60_000, 130_000
	hookRounds  = 600
)

// config is a config.json as people have one; it changes no stage of the
// subagent that is measured.
const config = `{
  "soft": "auto",
  "mode": {"main": "manual", "subagent": "advise"},
  "overrides": [
    {"match": {"host": "claude", "agent": "Explore"}, "soft": 120000},
    {"match": {"host": "claude", "role": "main"}, "mode": {"main": "advise"}},
    {"match": {"host": "claude", "model": "claude-sonnet-4-5"}, "window": 1000000}
  ]
}
`

// measureHook compares the hook on the two events that nearly all are with a
// program that does nothing.
func measureHook(b *builder) (map[string]value, error) {
	s, err := newScene(b)
	if err != nil {
		return nil, err
	}
	if err := speaks(s); err != nil {
		return nil, err
	}
	small, err := s.session("11111111-2222-4333-8444-000000000001", transcript("11111111-2222-4333-8444-000000000001", agent, megabyte, quiet), 1)
	if err != nil {
		return nil, err
	}
	foreign, err := small.foreign()
	if err != nil {
		return nil, err
	}
	measuring, err := small.batch(toolText(12))
	if err != nil {
		return nil, err
	}
	empty, err := b.build("./internal/bench/empty")
	if err != nil {
		return nil, err
	}
	nothing := process{program: empty, env: foreign.env, stdin: foreign.stdin}
	configured := measuring
	folder := filepath.Join(s.home, "config")
	if err := write(filepath.Join(folder, "handover", "config.json"), []byte(config)); err != nil {
		return nil, err
	}
	configured.env = s.with("XDG_CONFIG_HOME=" + folder).env
	all := []process{nothing, foreign, measuring, configured}
	large, tailErr := largeRecord(b, s)
	if tailErr == nil {
		all = append(all, large)
	}

	values := map[string]value{}
	err = unchanged(s.data, func() error {
		took, err := timed(hookRounds, all...)
		if err != nil {
			return err
		}
		values["hook_foreign_vs_empty_go"] = ratio(took[1], took[0])
		values["hook_measuring_vs_empty_go"] = ratio(took[2], took[0])
		values["hook_measuring_config_vs_empty_go"] = ratio(took[3], took[0])
		if tailErr == nil {
			values["tail_1gb_vs_1mb"] = ratio(took[4], took[2])
		}
		if values["hook_foreign_mb"], err = foreign.peak(b); err != nil {
			return err
		}
		values["hook_measuring_mb"], err = configured.peak(b)
		return err
	})
	return values, errors.Join(err, tailErr)
}

// speaks fails if the hook is silent about a record that is over the first
// stage: then its silence about the others would mean nothing.
func speaks(s *scene) error {
	v, err := s.session("11111111-2222-4333-8444-000000000000", transcript("11111111-2222-4333-8444-000000000000", agent, megabyte, loud), 1)
	if err != nil {
		return err
	}
	over, err := v.batch(toolText(12))
	if err != nil {
		return err
	}
	out, err := over.output()
	if err == nil && !strings.Contains(out, "[handover:notice 1]") {
		err = fmt.Errorf("the hook gave no notice at %d tokens, but answered %q", loud, out)
	}
	return err
}

// largeRecord is the batch event of an agent whose record has a gigabyte.
func largeRecord(b *builder, s *scene) (process, error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(b.dir, &disk); err != nil {
		return process{}, err
	}
	if uint64(disk.Bavail)*uint64(disk.Bsize) < 3*gigabyte {
		return process{}, fmt.Errorf("tail_1gb_vs_1mb: %s has not 3 GB left", b.dir)
	}
	id := "11111111-2222-4333-8444-000000000002"
	v, err := s.session(id, transcript(id, agent, megabyte, quiet), gigabyte/megabyte)
	if err != nil {
		return process{}, err
	}
	return v.batch(toolText(12))
}

// timed runs the programs in rounds and returns their medians. Each has first
// to be silent once.
func timed(n int, all ...process) ([]time.Duration, error) {
	var steps []step
	for _, p := range all {
		if err := p.silent(); err != nil {
			return nil, err
		}
		steps = append(steps, p.time)
	}
	return rounds(n, steps...)
}

// measureLargeStdin feeds the hook a batch whose tools printed 16 MB.
func measureLargeStdin(b *builder) (map[string]value, error) {
	s, err := newScene(b)
	if err != nil {
		return nil, err
	}
	id := "11111111-2222-4333-8444-000000000003"
	v, err := s.session(id, transcript(id, agent, megabyte, quiet), 1)
	if err != nil {
		return nil, err
	}
	batch, err := v.batch(toolText(16 * megabyte / len(toolText(1))))
	if err != nil {
		return nil, err
	}
	empty, err := b.build("./internal/bench/empty")
	if err != nil {
		return nil, err
	}
	nothing := process{program: empty, env: batch.env, stdin: batch.stdin}
	took, err := timed(100, nothing, batch)
	if err != nil {
		return nil, err
	}
	peak, err := batch.peak(b)
	return map[string]value{
		"hook_stdin_16mb_vs_empty_go": ratio(took[1], took[0]),
		"hook_stdin_16mb_mb":          peak,
	}, err
}
