package scan_test

import (
	"bytes"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/scan"
)

// toolOutput is n bytes of a JSON string's inside that look like a program's
// listing: a short escape about every 30 bytes.
func toolOutput(n int) string {
	const line = `\tif err := os.WriteFile(name, []byte(\"x\"), 0o600); err != nil {\n\t\treturn fmt.Errorf(\"writing %s: %w\", name, err)\n\t}\n`
	return strings.Repeat(line, n/len(line)+1)
}

func stdin(n int) string {
	return `{"session_id":"0a1b2c3d","transcript_path":"/home/x/.claude/projects/p/s.jsonl","cwd":"/home/x/p",` +
		`"permission_mode":"default","hook_event_name":"PostToolBatch","agent_id":"abeae8a9e1d7e70ee","agent_type":"general-purpose",` +
		`"tool_responses":[{"tool_name":"Read","tool_use_id":"toolu_01","content":"` + toolOutput(n) + `"}],"last":true}`
}

// hook takes what a hook takes of its stdin.
func hook(s *scan.Scanner) (texts [4]string, err error) {
	err = s.Document(func(key string) (err error) {
		switch key {
		case "session_id":
			texts[0], _, err = s.String(256)
		case "transcript_path":
			texts[1], _, err = s.String(4096)
		case "hook_event_name":
			texts[2], _, err = s.String(64)
		case "agent_id":
			texts[3], _, err = s.String(256)
		}
		return err
	})
	return texts, err
}

func BenchmarkStdin(b *testing.B) {
	for name, n := range map[string]int{"1KB": 100, "256KB": 256 << 10, "16MB": 16 << 20} {
		b.Run(name, func(b *testing.B) {
			input, buf := stdin(n), make([]byte, 64<<10)
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := hook(scan.New(onlyReader{strings.NewReader(input)}, buf)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// onlyReader hides what else a reader can do.
type onlyReader struct{ io.Reader }

func BenchmarkSkipString(b *testing.B) {
	for name, part := range map[string]string{
		"plain": "x", "listing": toolOutput(1), "escapes only": `\n`, "unicode escapes": `\u00e9`, "utf-8": "é", "base64": strings.Repeat("Zm9v", 20),
	} {
		b.Run(name, func(b *testing.B) {
			input := []byte(`"` + strings.Repeat(part, (1<<20)/len(part)) + `"`)
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				if err := scan.NewBytes(input).End(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

const row = `{"parentUuid":"…","isSidechain":true,"agentId":"abeae8a9e1d7e70ee","message":{"id":"msg_mock_004","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"sub bash"}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":104,"cache_creation_input_tokens":14,"cache_read_input_tokens":1004,"output_tokens":24,"output_tokens_details":{"thinking_tokens":0},"service_tier":"standard","cache_creation":{"ephemeral_5m_input_tokens":0},"inference_geo":"","iterations":[],"speed":"standard","fallback_credit":null},"stop_details":null},"apiBlockIndex":0,"requestId":"req_mock_004","requestedModel":"claude-opus-5-5","type":"assistant","uuid":"6f0b8f6c","timestamp":"2026-11-30T23:11:47.330Z","entrypoint":"sdk-cli","cwd":"/x","sessionId":"S","version":"2.1.332","gitBranch":"HEAD"}`

func usage(s *scan.Scanner) (kind string, total int64, err error) {
	err = s.Document(func(key string) (err error) {
		switch key {
		case "type":
			kind, _, err = s.String(64)
		case "message":
			err = s.Object(func(key string) error {
				if key != "usage" {
					return nil
				}
				return s.Object(func(key string) error {
					switch key {
					case "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens":
						n, _, err := s.Int()
						total += n
						return err
					}
					return nil
				})
			})
		}
		return err
	})
	return kind, total, err
}

func BenchmarkRow(b *testing.B) {
	b.Run("scan", func(b *testing.B) {
		input, s := []byte(row), new(scan.Scanner)
		b.SetBytes(int64(len(row)))
		b.ReportAllocs()
		for b.Loop() {
			s.Reset(input)
			if kind, total, err := usage(s); err != nil || kind != "assistant" || total != 1146 {
				b.Fatal(kind, total, err)
			}
		}
	})
	b.Run("scan, new each time", func(b *testing.B) {
		input := []byte(row)
		b.SetBytes(int64(len(row)))
		b.ReportAllocs()
		for b.Loop() {
			if _, total, err := usage(scan.NewBytes(input)); err != nil || total != 1146 {
				b.Fatal(total, err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		input := []byte(row)
		b.SetBytes(int64(len(row)))
		b.ReportAllocs()
		for b.Loop() {
			var v struct {
				Type    string
				Message struct {
					Usage struct {
						In    int64 `json:"input_tokens"`
						Write int64 `json:"cache_creation_input_tokens"`
						Read  int64 `json:"cache_read_input_tokens"`
						Out   int64 `json:"output_tokens"`
					}
				}
			}
			if err := json.Unmarshal(input, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// endless gives the start of an object, n bytes of a member's value, and its end.
type endless struct {
	n, at int
	value string
}

func (e *endless) Read(p []byte) (int, error) {
	const head, tail = `{"session_id":"0a1b2c3d","tool_response":`, `,"agent_id":"a12"}`
	total := len(head) + e.n + len(tail)
	if e.at == total {
		return 0, io.EOF
	}
	var n int
	switch {
	case e.at < len(head):
		n = copy(p, head[e.at:])
	case e.at < len(head)+e.n:
		n = e.fill(p[:min(len(p), len(head)+e.n-e.at)], e.at-len(head))
	default:
		n = copy(p, tail[e.at-len(head)-e.n:])
	}
	e.at += n
	return n, nil
}

func (e *endless) fill(p []byte, at int) int {
	n := copy(p, e.value[at%16:])
	for filled := n; n < len(p); n += filled {
		filled = copy(p[n:], e.value)
	}
	if at == 0 {
		p[0] = '"'
	}
	if at+len(p) == e.n {
		p[len(p)-1] = '"'
	}
	return len(p)
}

func TestMemoryIsFixed(t *testing.T) {
	const size = 60 << 20
	for name, member := range map[string]func(s *scan.Scanner) error{
		"not taken":             func(*scan.Scanner) error { return nil },
		"String beyond its max": func(s *scan.Scanner) error { _, _, err := s.String(4096); return err },
		"Raw beyond its max":    func(s *scan.Scanner) error { _, _, err := s.Raw(4096); return err },
		"another type":          func(s *scan.Scanner) error { _, _, err := s.Int(); return err },
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var agent string
			s := scan.New(&endless{n: size, value: strings.Repeat("text text text t", 256)}, nil)
			err := s.Document(func(key string) (err error) {
				switch key {
				case "tool_response":
					return member(s)
				case "agent_id":
					agent, _, err = s.String(64)
				}
				return err
			})
			runtime.ReadMemStats(&after)
			if err != nil || agent != "a12" {
				t.Fatalf("%q, %v", agent, err)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 128<<10 {
				t.Errorf("allocated %d bytes in all", got)
			}
		})
	}
}

func TestRowsOfOneShapeAllocateOnlyWhatIsTaken(t *testing.T) {
	s, input := new(scan.Scanner), []byte(row)
	allocs := testing.AllocsPerRun(100, func() {
		s.Reset(input)
		if _, _, err := usage(s); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 4 { // the string that is taken, and what the closures cost
		t.Errorf("%v allocations a row", allocs)
	}
}

func TestBenchmarkInputIsWhatItSays(t *testing.T) {
	if !json.Valid([]byte(stdin(1000))) || !json.Valid([]byte(row)) {
		t.Fatal("not JSON")
	}
	texts, err := hook(scan.New(bytes.NewReader([]byte(stdin(1000))), nil))
	if err != nil || texts[3] != "abeae8a9e1d7e70ee" {
		t.Fatal(texts, err)
	}
}
