package config_test

import (
	"path/filepath"
	"testing"

	"github.com/auto-context-handover/handover/internal/config"
)

const ordinary = `{
  "soft": 150000,
  "mode": {"main": "manual", "subagent": "advise"},
  "overrides": [
    {"match": {"host": "claude", "agent": "Explore"}, "soft": 120000},
    {"match": {"host": "claude", "role": "main"}, "mode": {"main": "advise"}},
    {"match": {"host": "claude", "model": "claude-opus-4-6"}, "window": 1000000}
  ]
}`

func BenchmarkLoadMissing(b *testing.B) {
	file := filepath.Join(b.TempDir(), "config.json")
	for b.Loop() {
		if _, err := config.Load(file); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text := []byte(ordinary)
	for b.Loop() {
		if _, err := config.Parse("config.json", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	f, q := parse(b, ordinary), explore()
	for b.Loop() {
		config.Resolve(f, q)
	}
}
