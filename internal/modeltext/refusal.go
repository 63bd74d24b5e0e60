package modeltext

import "strconv"

// Cause is the first true reason why a call was refused. It stands in the text
// as [handover:refused CAUSE].
type Cause string

const (
	// CauseArgument: a wrong, missing or unknown argument. Part, What.
	CauseArgument Cause = "argument"
	// CauseText: a text that cannot be kept byte for byte. Part, Offset, What.
	CauseText Cause = "text"
	// CauseTooLarge: over the size that can be kept. Part, Size, Limit.
	CauseTooLarge Cause = "too-large"
	// CauseStoreFull: the disk is full. Path.
	CauseStoreFull Cause = "store-full"
	// CauseStoreReadOnly: the store cannot be written. Path.
	CauseStoreReadOnly Cause = "store-read-only"
	// CauseStoreForeign: the store belongs to another user. Path.
	CauseStoreForeign Cause = "store-foreign"
	// CauseStoreUnfit: no hard links, or modes do not stick. Path.
	CauseStoreUnfit Cause = "store-unfit"
	// CauseStoreNewer: a newer program wrote this store. Path.
	CauseStoreNewer Cause = "store-newer"
	// CauseStore: another failure of the store. Path, What.
	CauseStore Cause = "store"
	// CauseOtherStore: the hook wrote its record in another store. Path is the
	// server's, Other the one that holds it.
	CauseOtherStore Cause = "other-store"
	// CauseVersions: hook and server do not understand each other. Hook, Server.
	CauseVersions Cause = "versions"
	// CauseChangedArguments: the arguments are not those the hook saw.
	CauseChangedArguments Cause = "changed-arguments"
	// CauseSeveralActors: another agent sent the same call.
	CauseSeveralActors Cause = "several-agents"
	// CauseReplayed: this call was already answered.
	CauseReplayed Cause = "already-used"
	// CauseForeignToken: the hidden argument is not one of ours.
	CauseForeignToken Cause = "foreign-token"
	// CauseNoHook: no hook of ours ran for this call. Path is the server's store.
	CauseNoHook Cause = "no-hook"
	// CauseHookFailed: our hook ran and could not do its part. What.
	CauseHookFailed Cause = "hook-failed"
	// CauseKind: this kind of agent may not store. Part is the kind, What why.
	CauseKind Cause = "kind"
	// CauseNoCallID: the host sent the call without its id.
	CauseNoCallID Cause = "no-call-id"
	// CausePlan: plan mode.
	CausePlan Cause = "plan-mode"
	// CauseUnknownAgent: the host has not shown this agent otherwise, or its id
	// is ambiguous. What.
	CauseUnknownAgent Cause = "unknown-agent"
	// CauseTooLong: longer than a successor could take in; asked once. Size,
	// Limit (tokens).
	CauseTooLong Cause = "too-long"
	// CauseUncertain: the last write may or may not be durable. Part is the id.
	CauseUncertain Cause = "uncertain"
	// CauseDamaged: a stored file fails its checks. Part is the id, Path.
	CauseDamaged Cause = "damaged"
	// CauseCollision: the id is taken by another agent's file. Path.
	CauseCollision Cause = "collision"
)

// Detail is what a refusal names. Which fields a cause uses stands with it.
type Detail struct {
	Part, What   string
	Offset       int
	Size, Limit  int64
	Path, Other  string
	Hook, Server string
	// Read: the refused call is a read, so nothing was to be stored.
	Read bool
}

// fallback is what an agent does when storing is not possible now.
const fallback = " If that does not help, finish the step and report normally, with open points and next steps."

// fallbackRead is the same for a read.
const fallbackRead = " If that does not help, say that the handover could not be read."

// Refusal says what happened, what was not done, and what to do next.
func (v Voice) Refusal(c Cause, d Detail) string {
	happened, next := v.refusal(c, d)
	nothing := " Nothing was stored. "
	if d.Read {
		nothing = " Nothing was read. "
	}
	switch {
	case c == CauseUncertain:
		nothing = " "
	case c == CauseReplayed && !d.Read:
		// The first answer may have stored it.
		nothing = " Nothing was stored a second time. "
	}
	return lead(wordRefused, string(c)) + " " + happened + nothing + next
}

func (v Voice) refusal(c Cause, d Detail) (happened, next string) {
	fall := fallback
	if d.Read {
		fall = fallbackRead
	}
	doctor := "The user can run `handover doctor`, which names the cause and the cure."
	switch c {
	case CauseArgument:
		return "The argument " + name(d.Part) + " is not right: " + quoteOr(d.What, maxReason) + ".", "Call again with the arguments of the tool's schema."
	case CauseText:
		return name(d.Part) + " cannot be kept exactly: " + quoteOr(d.What, maxReason) + " at byte " + strconv.Itoa(d.Offset) + ".", "Write that place in plain text and call again."
	case CauseTooLarge:
		return name(d.Part) + " has " + group(d.Size) + " bytes; at most " + group(d.Limit) + " can be kept.", "Name files and commands instead of copying them, and call again."
	case CauseStoreFull:
		return "The disk of the store " + path(d.Path) + " is full.", "Tell the user to free some space, then call again." + fall
	case CauseStoreReadOnly:
		return "The store " + path(d.Path) + " cannot be written.", "The user can make it writable or set AUTO_CONTEXT_HANDOVER_DATA to another directory." + fall
	case CauseStoreForeign:
		return "The store " + path(d.Path) + " belongs to another user.", "The user can set AUTO_CONTEXT_HANDOVER_DATA to a directory of their own." + fall
	case CauseStoreUnfit:
		return "The file system of the store " + path(d.Path) + " has no hard links or does not keep file modes.", "The user can set AUTO_CONTEXT_HANDOVER_DATA to a directory on another disk." + fall
	case CauseStoreNewer:
		return "A newer version of handover wrote the store " + path(d.Path) + "; this one only reads it.", "The user can update handover and restart " + v.Host.Title + "." + fall
	case CauseStore:
		return "The store " + path(d.Path) + " failed: " + quoteOr(d.What, maxReason) + ".", "Call again once. " + doctor + fall
	case CauseOtherStore:
		return "The hook wrote its record to the store " + path(d.Other) + ", the server uses " + path(d.Path) + ".", "The user can give both the same AUTO_CONTEXT_HANDOVER_DATA." + fall
	case CauseVersions:
		return "The hook is version " + name(d.Hook) + " and the server " + name(d.Server) + "; they do not fit.", "The user can restart " + v.Host.Title + " so that both are of one version." + fall
	case CauseChangedArguments:
		return "The arguments are not the ones that the handover hook saw; another hook changed them on the way.", "Call again once. The user can look at which other hooks rewrite this tool's input." + fall
	case CauseSeveralActors:
		return "Another agent sent the same call at the same time, so it is unclear whose this is.", "Call again with the same text." + fall
	case CauseReplayed:
		return "This very call was already answered once.", "Make a new call with the same text." + fall
	case CauseForeignToken:
		return "The call has an argument that only the handover hook may add.", "Call again with only the arguments of the tool's schema." + fall
	case CauseNoHook:
		return "No hook of the handover plugin ran for this call, so it is unknown who called; the server looked in " + path(d.Path) + ". The hooks are not installed, not trusted, or failed.", doctor + fall
	case CauseHookFailed:
		return "The handover hook could not do its part: " + quoteOr(d.What, maxReason) + ".", "Call again once. " + doctor + fall
	case CauseKind:
		return "An agent of kind " + name(d.Part) + " cannot hand over here: " + quoteOr(d.What, maxReason) + ".", "Go on, or finish the step and report normally, with open points and next steps."
	case CauseNoCallID:
		return v.Host.Title + " sent this call without its id.", "Please call it again with the same text; the next call is bound another way." + fall
	case CausePlan:
		return "Plan mode does not let a handover be stored.", "Give a normal report instead: what is done, open points and next steps."
	case CauseUnknownAgent:
		return "It is not certain which agent called: " + quoteOr(d.What, maxReason) + ".", "Finish the step and report normally, with open points and next steps."
	case CauseTooLong:
		return "The handover is about " + group(d.Size) + " tokens, more than the " + group(d.Limit) + " at which a successor is itself asked to hand over.", "Shorten it: name files and commands, drop finished detail. The same text sent again unchanged is stored as it is."
	case CauseUncertain:
		return "The text may be stored as " + identifier(d.Part) + ", but the disk did not confirm it.", "Call again with the same text; it is not stored twice." + fall
	case CauseDamaged:
		return "The file of " + identifier(d.Part) + " fails its checks: " + path(d.Path) + ".", "The user can look at it with `handover show`; do not rely on memory of it."
	case CauseCollision:
		return "The id of this handover is taken by another agent's file, " + path(d.Path) + ".", doctor + fall
	}
	return "The cause is " + name(string(c)) + ".", doctor + fall // no cause of ours
}
