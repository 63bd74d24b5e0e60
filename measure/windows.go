package measure

import "strings"

// TableSource is the Source of every window from the embedded table.
const TableSource = "table"

// Window looks a model id up in the embedded table. The id is the one in the
// actor's own record of its request; the spellings of the clouds that resell a
// model ("us.anthropic.…-v1:0", "…@20250929", "anthropic/…"), a date and the
// suffix "[1m]" are understood. An id that is not in the table is unknown: no
// window is guessed from a similar name.
//
// A window from the table is always Assumed. Where an id can mean two windows
// it is the smaller one. An account without long context, or a setting of the
// host, can narrow a window further; the table cannot know that, and the user's
// own `window` in config.json says better.
func Window(model string) Limit {
	id, long := plainModel(model)
	for _, m := range windows() {
		if m.id != id {
			continue
		}
		if long && m.long > m.window {
			return Limit{Tokens: m.long, Source: TableSource, Assumed: true}
		}
		return Limit{Tokens: m.window, Source: TableSource, Assumed: true}
	}
	return Limit{}
}

// modelWindow is one row of the table.
type modelWindow struct {
	id string
	// window is the model's window in tokens, the smaller one where there are two.
	window int64
	// long is the window that the suffix "[1m]" asks for; 0 where the model has
	// only one. The host believes the suffix on any id, a provider does not.
	long int64
}

const (
	k200 = 200_000
	m1   = 1_000_000
)

// windows is the table. The rows are those of the model catalogue inside Claude
// Code 2.1.332 (its `context` objects: `window`, and `maximum_window` for long).
// Version 3 models without such an object have the program's default, 200,000.
func windows() []modelWindow {
	return []modelWindow{
		{id: "claude-3-haiku", window: k200},
		{id: "claude-3-sonnet", window: k200},
		{id: "claude-3-opus", window: k200},
		{id: "claude-3-5-haiku", window: k200},
		{id: "claude-3-5-sonnet", window: k200},
		{id: "claude-3-7-sonnet", window: k200},

		{id: "claude-haiku-4-5", window: k200},
		{id: "claude-haiku-5-5", window: m1},

		{id: "claude-sonnet-4", window: k200, long: m1}, // dated ids of 4.0 have no second digit
		{id: "claude-sonnet-4-0", window: k200, long: m1},
		{id: "claude-sonnet-4-5", window: k200, long: m1},
		{id: "claude-sonnet-4-6", window: k200, long: m1},
		{id: "claude-sonnet-5", window: m1},
		{id: "claude-sonnet-5-5", window: m1},

		{id: "claude-opus-4", window: k200},
		{id: "claude-opus-4-0", window: k200},
		{id: "claude-opus-4-1", window: k200},
		{id: "claude-opus-4-5", window: k200},
		{id: "claude-opus-4-6", window: k200, long: m1},
		{id: "claude-opus-4-7", window: m1},
		{id: "claude-opus-4-8", window: m1},
		{id: "claude-opus-5", window: m1},
		{id: "claude-opus-5-5", window: m1},

		{id: "claude-fable-5", window: m1},
		{id: "claude-fable-5-1", window: m1},
		{id: "claude-fable-5-2", window: m1},
		{id: "claude-mythos-preview", window: m1},
		{id: "claude-mythos-5", window: m1},
		{id: "claude-mythos-5-1", window: m1},
		{id: "claude-mythos-5-2", window: m1},
	}
}

// ModelName is the maker's own undated name of a model, by which config.json can
// name it: without the spelling of a cloud, a date or the suffix "[1m]".
func ModelName(id string) string {
	name, _ := plainModel(id)
	return name
}

// plainModel takes a model id down to the maker's own undated name, and reports
// whether it asked for the long window.
func plainModel(id string) (name string, long bool) {
	name = strings.ToLower(id)
	for strings.HasSuffix(name, "[1m]") {
		name, long = strings.TrimSuffix(name, "[1m]"), true
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if i := strings.LastIndex(name, "anthropic."); i == 0 || i > 0 && name[i-1] == '.' {
		name = name[i+len("anthropic."):]
		name = withoutVersion(name)
	}
	name, _, _ = strings.Cut(name, "@")
	name = strings.TrimSuffix(name, "-latest")
	return withoutDate(name), long
}

// withoutVersion removes the "-v1:0" (or "-v1") of Bedrock.
func withoutVersion(name string) string {
	i := strings.LastIndex(name, "-v")
	if i < 0 || strings.Trim(name[i+2:], "0123456789:") != "" {
		return name
	}
	return name[:i]
}

// withoutDate removes a trailing -YYYYMMDD.
func withoutDate(name string) string {
	const n = len("-20060102")
	if len(name) <= n {
		return name
	}
	at := len(name) - n
	if name[at] != '-' || strings.Trim(name[at+1:], "0123456789") != "" {
		return name
	}
	return name[:at]
}
