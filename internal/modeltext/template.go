package modeltext

// Heading is one heading of the template for a handover.
type Heading struct{ Title, Hint string }

// Template is what a handover holds, in this order.
func Template() []Heading {
	return []Heading{
		{"Rules in force", "the user's own words, prohibitions first"},
		{"Goal now", "what differs from the task; done when"},
		{"Done, checked", "fact — command and result"},
		{"Done, not checked", "what, where, keep/finish/revert"},
		{"Ruled out", "what was tried, what happened"},
		{"Decisions", "choice, why, whose"},
		{"Values to keep", "errors, ids, numbers that cannot be read again"},
		{"Still running", ""},
		{"Deviations", "stop conditions met, failed calls, unverified claims; while one is unresolved, call nothing passed or done"},
		{"Questions", "for the user; to find out"},
		{titleNextSteps, "numbered; 1 is an exact action and how to know it worked"},
	}
}

// pendingLabel starts the end of a summary.
const pendingLabel = "User decisions pending:"

// template is the long form, which comes with the first notice of an epoch.
func template() string {
	s := `handover: these headings in this order, "none" where there is nothing. Name files and commands instead of copying them. It must stand alone with the repository and the task. No secrets, only where they are kept. Nothing about your own agent, model or chain: that is recorded.`
	for _, h := range Template() {
		s += "\n## " + h.Title
		if h.Hint != "" {
			s += " (" + h.Hint + ")"
		}
	}
	return s + "\nsummary: a few lines, the last `" + pendingLabel + " none` or a list."
}

// templateShort is the form in the tool's description.
func templateShort() string {
	s := ""
	for i, h := range Template() {
		if i > 0 {
			s += "; "
		}
		s += h.Title
	}
	return s
}
