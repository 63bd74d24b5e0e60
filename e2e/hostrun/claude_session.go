package hostrun

import "encoding/json"

// ClaudeSession is a run of Claude Code that takes several prompts, among them
// commands such as /compact and /clear.
type ClaudeSession struct {
	claude  *Claude
	process *Process
	next    int // line of output after the last result
}

// Session starts a run that waits for prompts.
func (c *Claude) Session(args ...string) *ClaudeSession {
	c.tb.Helper()
	all := append([]string{"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"}, c.options()...)
	return &ClaudeSession{claude: c, process: c.start(append(all, args...))}
}

// Prompt sends a prompt and waits for the end of its turn.
func (s *ClaudeSession) Prompt(prompt string) ClaudeEvent {
	s.claude.tb.Helper()
	s.Send(prompt)
	return s.Result()
}

// Send sends a prompt and does not wait.
func (s *ClaudeSession) Send(prompt string) {
	s.claude.tb.Helper()
	s.process.Send(userLine(prompt))
}

// Result waits for the end of the next turn.
func (s *ClaudeSession) Result() ClaudeEvent {
	s.claude.tb.Helper()
	var e ClaudeEvent
	line, next := s.process.Await(s.next, func(line []byte) bool {
		e = ClaudeEvent{}
		return json.Unmarshal(line, &e) == nil && e.Type == "result"
	})
	s.next = next
	e.Raw = line
	return e
}

// Kill ends the run at once, as a crash would.
func (s *ClaudeSession) Kill() { s.process.Kill() }

// End closes the input and waits for the end of the run.
func (s *ClaudeSession) End() *ClaudeResult {
	s.claude.tb.Helper()
	return s.claude.result(s.process)
}
