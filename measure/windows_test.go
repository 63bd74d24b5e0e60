package measure_test

import (
	"testing"

	"github.com/auto-context-handover/handover/measure"
)

func TestWindow(t *testing.T) {
	for id, want := range map[string]int64{
		"claude-opus-5-5":                              1_000_000,
		"claude-opus-5-5[1m]":                          1_000_000,
		"claude-sonnet-5":                              1_000_000,
		"claude-haiku-5-5":                             1_000_000,
		"claude-fable-5-2":                             1_000_000,
		"claude-mythos-preview":                        1_000_000,
		"claude-opus-4-7":                              1_000_000,
		"claude-opus-4-6":                              200_000, // or 1M: the smaller
		"claude-opus-4-6[1m]":                          1_000_000,
		"claude-sonnet-4-6[1M]":                        1_000_000,
		"claude-sonnet-4-6[1m][1m]":                    1_000_000,
		"claude-sonnet-4-5-20250929":                   200_000,
		"claude-sonnet-4-5-20250929[1m]":               1_000_000,
		"claude-sonnet-4-20250514":                     200_000,
		"claude-opus-4-20250514":                       200_000,
		"claude-opus-4-1-20250805":                     200_000,
		"claude-opus-4-5[1m]":                          200_000, // the host widens it for nobody
		"claude-haiku-4-5-20251001":                    200_000,
		"claude-haiku-4-5[1m]":                         200_000,
		"claude-3-7-sonnet-latest":                     200_000,
		"claude-3-5-sonnet-20241022":                   200_000,
		"us.anthropic.claude-sonnet-4-6":               200_000,
		"us.anthropic.claude-3-7-sonnet-20250219-v1:0": 200_000,
		"anthropic.claude-haiku-5-5":                   1_000_000,
		"claude-3-7-sonnet@20250219":                   200_000,
		"anthropic/claude-opus-5":                      1_000_000,
		"arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1": 200_000,

		"":                           0,
		"[1m]":                       0,
		"<synthetic>":                0,
		"claude-opus":                0,
		"claude-opus-6":              0,
		"claude-opus-5-5-turbo":      0,
		"my-claude-opus-5":           0,
		"notanthropic.claude-opus-5": 0,
		"claude-code":                0,
		"gpt-5":                      0,
		"opus":                       0,
	} {
		got := measure.Window(id)
		if got.Tokens != want {
			t.Errorf("Window(%q) = %d, want %d", id, got.Tokens, want)
		}
		if got.Known() && (!got.Assumed || got.Source != measure.TableSource) {
			t.Errorf("Window(%q) is not marked as assumed: %+v", id, got)
		}
	}
}

func TestModelName(t *testing.T) {
	for id, want := range map[string]string{
		"us.anthropic.claude-3-7-sonnet-20250219-v1:0": "claude-3-7-sonnet",
		"Claude-Opus-5-5[1m]":                          "claude-opus-5-5",
		"openai/gpt-5.2":                               "gpt-5.2",
		"qwen3-coder-plus":                             "qwen3-coder-plus",
		"-20250101":                                    "-20250101",
		"":                                             "",
	} {
		if got := measure.ModelName(id); got != want {
			t.Errorf("ModelName(%q) = %q, want %q", id, got, want)
		}
	}
}

func FuzzWindow(f *testing.F) {
	f.Add("claude-opus-5-5[1m]")
	f.Add("us.anthropic.claude-3-7-sonnet-20250219-v1:0")
	f.Fuzz(func(t *testing.T, id string) {
		if w := measure.Window(id); w.Known() != w.Assumed {
			t.Errorf("%q: %+v", id, w)
		}
	})
}
