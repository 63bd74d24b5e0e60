package demo

// The words of the play: what the user wants, and what the scripted models say
// about the work itself. Everything else they take from what they are sent.

const (
	userAsks = "Move the retry settings of the worker into config.yaml. Do it with a subagent."

	task = "Move the retry settings of the worker into config.yaml.\n" +
		"Rules: do not change the public API; keep worker.go formatted.\n" +
		"Done when config.yaml holds the number of retries and worker.go reads it.\n"

	agentType = "general-purpose"

	workerGo = "package worker\n\n// retries is how often a job is tried again.\nconst retries = 3\n"

	// step is the first of the next steps; the successor does what it says.
	step = "1. Write `retries: 3` to `config.yaml`. It worked when the file holds exactly that line.\n" +
		"2. Let worker.go read it.\n"

	summary = "The retry setting is found (worker.go, 3 retries); config.yaml is not written yet.\n"

	finalReport = "config.yaml holds the number of retries; worker.go is next."
)

// chapters are the sections of the handover that the worker writes, by the
// headings that the notice must name. The values hold what is easily lost:
// a tab, a carriage return, a line separator, an emoji.
func chapters() map[string]string {
	return map[string]string{
		"Rules in force":         "- \"do not change the public API\" (the user)\n- keep worker.go formatted",
		"Goal now":               "As in the task. Done when config.yaml holds the number and worker.go reads it.",
		"Done, checked":          "- worker.go holds the setting — read it, line 4: const retries = 3",
		"Done, not checked":      "none",
		"Ruled out":              "- an environment variable: the rules keep the public API as it is",
		"Decisions":              "- YAML, not TOML: the file exists in other services (mine)",
		"Values to keep":         "exact bytes: tab [\t], CR LF [\r\n], separator [\u2028], emoji [🙂]",
		"Still running":          "none",
		"Deviations":             "none",
		"Questions":              "none",
		"Prioritized next steps": step,
	}
}

// The readings of the play: below soft twice, then above it.
func workerUsage(request int) usage {
	steps := []usage{
		{input: 1_200, create: 18_400, read: 1_900, output: 640},
		{input: 310, create: 24_700, read: 20_300, output: 1_480},
		{input: 280, create: 17_100, read: 45_000, output: 1_120},
		{input: 150, create: 700, read: 63_200, output: 210},
		{input: 120, create: 300, read: 64_000, output: 1_100},
		{input: 90, create: 200, read: 65_000, output: 300},
	}
	return steps[min(request, len(steps)-1)]
}

func smallUsage(request int) usage {
	n := int64(request)
	return usage{input: 400, create: 1_100, read: 9_000 + 1_500*n, output: 120}
}

// soft is the plugin option that the play's user has set, in tokens.
const soft = 60_000
