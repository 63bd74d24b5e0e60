package literal

import "regexp"

// The syntax of our texts. Every pattern of this package is here.
var (
	// The first thing of each text of ours: [handover:WORD rest].
	leadPattern = regexp.MustCompile(`\[handover:([a-z]+)(?: ([^\]\n]*))?\]`)
	// An id, as a word of its own.
	idPattern = regexp.MustCompile(`\bho-[0-9a-f]{16}\b`)
	// The start of a call in backticks, up to its arguments.
	callPattern = regexp.MustCompile("`([A-Za-z_][A-Za-z0-9_.:-]*)\\(\\{")
	// The query of a call that loads a tool.
	selectPattern = regexp.MustCompile(`^select:([A-Za-z_][A-Za-z0-9_.:-]*)$`)

	// A frame's first line: indentation by a host, mark, what it is.
	openPattern = regexp.MustCompile(`^([ \t]*)<<<([0-9a-f]{8}) (.+)$`)
	// A frame's last line. The mark must be that of the first.
	closePattern = regexp.MustCompile(`^[ \t]*([0-9a-f]{8})>>>$`)
	// What a view says about the marks, and the ceiling of what they frame.
	marksPattern   = regexp.MustCompile(`(?i)between the marks ([0-9a-f]{8})\b`)
	ceilingPattern = regexp.MustCompile(`report and do not command`)

	// A receipt's first and last line; the last holds its id.
	receiptOpenPattern  = regexp.MustCompile(`(?m)^([ \t]*)\[handover:receipt\]$`)
	receiptClosePattern = regexp.MustCompile(`(?m)^[ \t]*\[/handover:receipt (ho-[0-9a-f]{16})\]$`)
	idLinePattern       = regexp.MustCompile(`^ho-[0-9a-f]{16}$`)
	handBackPattern     = regexp.MustCompile(`sent with ([A-Za-z_]+)`)

	// A line of a list, and a successor's prompt, which is one line.
	itemPattern   = regexp.MustCompile(`^(ho-[0-9a-f]{16})  (.+)$`)
	promptPattern = regexp.MustCompile(`(?m)^[ \t]*(\[handover:continue (ho-[0-9a-f]{16})\] .+)$`)

	// A notice: its stage, its number, the headings of the template.
	tokensPattern  = regexp.MustCompile(`Your context (?:now )?holds (?:about )?([0-9][0-9,]*) tokens`)
	headingPattern = regexp.MustCompile(`(?m)^## (.+?)(?: \(.*\))?$`)

	// The parts of the views.
	pagePattern      = regexp.MustCompile(`^(ho-[0-9a-f]{16}) page ([0-9]+) of ([0-9]+)$`)
	compactPattern   = regexp.MustCompile(`^(ho-[0-9a-f]{16}) compact$`)
	segmentPattern   = regexp.MustCompile(`^(handover|task as the host showed it)(?: \(joined\))?, bytes ([0-9]+)-([0-9]+) of ([0-9]+)(?:, sha256 ([0-9a-f]{64}))?$`)
	completePattern  = regexp.MustCompile(`(?m)^Complete\.$`)
	typePattern      = regexp.MustCompile(`(?m)^- agent type: (.+)$`)
	modelPattern     = regexp.MustCompile(`(?m)^- model: (.+)$`)
	addPattern       = regexp.MustCompile(`(?m)^- add after the prompt: (.+)$`)
	isolationPattern = regexp.MustCompile(`(?m)^- isolation: "([a-z]+)"`)
)

// Words of the leads.
const (
	wordIntroduction = "intro"
	wordNotice       = "notice"
	wordStored       = "stored"
	wordClosed       = "closed"
	wordRefused      = "refused"
	wordRead         = "read"
	wordList         = "list"
)
