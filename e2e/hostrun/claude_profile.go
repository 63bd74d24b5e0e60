package hostrun

import (
	"strings"

	"github.com/auto-context-handover/handover/e2e/model"
)

// ClaudeHost is what a script must know about Claude Code's requests.
func ClaudeHost() model.Host { return model.Host{Profile: claudeOrigin, Side: claudeSide} }

// claudeOrigin tells Claude Code's requests apart: by the session and agent
// headers, by the system prompt of the auto mode's classifier, by the order that
// ends a summariser's request, and by the tools, which only loops have.
func claudeOrigin(r *model.Request) model.Origin {
	o := model.Origin{
		Session: r.Header.Get("X-Claude-Code-Session-Id"),
		Agent:   r.Header.Get("X-Claude-Code-Agent-Id"),
	}
	last := r.LastUser()
	switch {
	case strings.Contains(r.System, "You are a security monitor for autonomous AI coding agents"):
		o.Kind = model.KindClassifier
	case strings.Contains(last, "Your task is to create a detailed summary of"):
		o.Kind = model.KindCompaction
	case len(r.Tools) == 0 && strings.Contains(strings.ToLower(r.System), "title"):
		o.Kind = model.KindTitle
	case len(r.Tools) == 0:
		o.Kind = model.KindSide
	case o.Agent != "":
		o.Kind = model.KindAgent
	default:
		o.Kind = model.KindMain
	}
	return o
}

// claudeSide answers the side requests that a story leaves out: the classifier
// allows, the summariser summarises, and all else gets one word.
func claudeSide(t *model.Turn) model.Answer {
	switch t.Request.Origin.Kind {
	case model.KindClassifier:
		return ClaudeVerdict(true)
	case model.KindCompaction:
		return model.Text("<summary>The work so far, in short.</summary>")
	}
	return model.Text("Story")
}
