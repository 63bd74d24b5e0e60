//go:build linux || darwin

package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// hookInTypeScript does the work of a measuring hook, as a plugin without a
// binary would.
//
//go:embed hook.mts
var hookInTypeScript []byte

// measureNode compares the measuring hook with the same in TypeScript.
func measureNode(b *builder) (map[string]value, error) {
	node, err := node24()
	if err != nil {
		return nil, err
	}
	if node == "" {
		return map[string]value{"hook_vs_node_ts": {unknown: "no node 24 in .hosts; run make hosts"}}, nil
	}
	s, err := newScene(b)
	if err != nil {
		return nil, err
	}
	script := filepath.Join(s.home, "plugin", "hook.mts")
	if err := write(script, hookInTypeScript); err != nil {
		return nil, err
	}
	inTypeScript := func(p process) process {
		p.program, p.args = program{node}, []string{"--experimental-strip-types", "--no-warnings", script}
		return p
	}
	quietID, loudID := "11111111-2222-4333-8444-000000000004", "11111111-2222-4333-8444-000000000005"
	over, err := s.session(loudID, transcript(loudID, agent, megabyte, loud), 1)
	if err != nil {
		return nil, err
	}
	p, err := over.batch(toolText(12))
	if err != nil {
		return nil, err
	}
	if out, err := inTypeScript(p).output(); err != nil || !strings.Contains(out, fmt.Sprint(loud)) {
		return nil, fmt.Errorf("the hook in TypeScript does not measure: %q, %w", out, err)
	}
	under, err := s.session(quietID, transcript(quietID, agent, megabyte, quiet), 1)
	if err != nil {
		return nil, err
	}
	if p, err = under.batch(toolText(12)); err != nil {
		return nil, err
	}
	took, err := timed(40, p, inTypeScript(p))
	if err != nil {
		return nil, err
	}
	return map[string]value{"hook_vs_node_ts": ratio(took[1], took[0])}, nil
}

// node24 finds the node of the pinned hosts, "" where there is none.
func node24() (string, error) {
	hosts := os.Getenv("HANDOVER_E2E_HOSTS")
	if hosts == "" {
		hosts = ".hosts"
	}
	hosts, err := filepath.Abs(hosts)
	if err != nil {
		return "", err
	}
	found, err := filepath.Glob(filepath.Join(hosts, "node_modules", "node-*", "bin", "node"))
	if err != nil || len(found) == 0 {
		return "", err
	}
	version, err := exec.Command(found[0], "--version").Output()
	if err != nil || !strings.HasPrefix(string(version), "v24.") {
		return "", err
	}
	return found[0], nil
}
