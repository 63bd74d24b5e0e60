package modeltext

import "github.com/auto-context-handover/handover/internal/hosts"

// ToolDescription is a tool's description in tools/list.
func (v Voice) ToolDescription(t hosts.Tool) string {
	switch t {
	case hosts.ToolHandover:
		return `Store a handover of unfinished work, word for word, so that a fresh agent goes on with it. Call it after a handover notice or when the user or your caller asks; a finished task is reported normally instead. It writes only to a private store, so read-only instructions allow it. The answer is a receipt and says what to do next. Headings of handover, in this order, "none" where there is nothing: ` + templateShort() + `. summary ends with "` + pendingLabel + ` none" or a list.`
	case hosts.ToolRead:
		return `Read a stored handover: of a subagent that ended with a receipt (ho-…) or without a usable report, or of the session before. A subagent's gives the compact view, with what its caller needs to replace it; full:true gives the whole text in pages. Without id: the last handovers of this project. Reads only.`
	}
	return ""
}

// ArgumentDescription is the description of one argument in a tool's schema.
func (v Voice) ArgumentDescription(t hosts.Tool, argument string) string {
	switch string(t) + "." + argument {
	case "context_handover.handover":
		return "The whole handover, with all headings. It must stand alone with the repository and the task."
	case "context_handover.summary":
		return `A few lines for the caller or user, ending with "` + pendingLabel + ` none" or a list.`
	case "read_handover.id":
		return "The id from a receipt (ho-…), a prefix of it of 8 characters or more, or a session's or subagent's own id. Leave it out to list."
	case "read_handover.full":
		return "true: the original task and the whole handover."
	case "read_handover.page":
		return "The page of the full view, from 1."
	}
	return ""
}

// Instructions is the server's own introduction in the protocol. A host that
// defers tools introduces agents by hooks and gets none; elsewhere it holds
// only what is true for every role.
func (v Voice) Instructions() string {
	if v.Host.Loader != "" {
		return ""
	}
	return "handover keeps unfinished work: context_handover stores it, read_handover reads it back by an id like ho-…. Without a notice or a request there is nothing to do."
}
