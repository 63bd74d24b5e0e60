package mcpserver

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/measure"
	"github.com/auto-context-handover/handover/store"
)

// bytesPerToken is how text is estimated where nobody counted its tokens.
const bytesPerToken = 4

// contextHandover is the tool context_handover: validate, look up, claim,
// publish, in this order, so that a mistake in the arguments does not use up
// the record that binds the call.
func (s *Server) contextHandover(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	// What was begun is finished: neither the host's cancellation nor the end of
	// its pipe may leave a caller without the answer to a stored text.
	ctx = context.WithoutCancel(ctx)
	text, why := s.keep(ctx, req.Params)
	if why != nil {
		s.Log.Warn("context_handover refused", "cause", why.cause, "what", why.detail.What)
		return refusal(s.texts.Refusal(why.cause, why.detail)), nil
	}
	return text, nil
}

func (s *Server) keep(ctx context.Context, params *mcp.CallToolParamsRaw) (*mcp.CallToolResult, *refused) {
	members, token, problem := arguments(params.Arguments)
	if problem != nil {
		return nil, problem.refused(hosts.ToolHandover)
	}
	in, problem := decodeHandover(members)
	if problem != nil {
		return nil, problem.refused(hosts.ToolHandover)
	}
	hash, err := store.ArgumentHash(params.Arguments, hosts.ReservedKey)
	if err != nil {
		return nil, s.storeRefused(err)
	}
	if s.DataDir == "" {
		return nil, s.noDirectory()
	}
	st, err := store.Create(s.DataDir)
	if err != nil {
		return nil, s.storeRefused(err)
	}
	defer st.Close()
	for _, line := range st.Tightened() {
		s.Log.Warn(line)
	}
	who, unbound := s.bind(st, call{hosts.ToolHandover, params.Meta, token, hash})
	if unbound != nil {
		return nil, s.unboundRefused(st, unbound)
	}
	kind, why := s.mayWrite(who)
	if why != nil {
		return nil, why
	}
	if why := s.tooLong(st, who, hash, in.Handover); why != nil {
		return nil, why
	}
	return s.publish(ctx, st, who, kind, in)
}

// noDirectory is the refusal where the store's place is not known.
func (s *Server) noDirectory() *refused {
	d := modeltext.Detail{}
	if s.DataErr != nil {
		d.What = s.DataErr.Error()
	}
	return &refused{modeltext.CauseStore, d}
}

// mayWrite checks what the record says about the caller against the host's row.
// A host that names its actors itself may do so without a record; then only
// its main kind is assumed.
func (s *Server) mayWrite(who caller) (hosts.Kind, *refused) {
	name := who.record.Kind
	if !who.hooked {
		name = string(who.actor.Role())
	}
	kind, known := s.Host.Kind(name)
	switch {
	case !known:
		return kind, &refused{modeltext.CauseKind, modeltext.Detail{Part: name, What: "this server does not know the kind"}}
	case !kind.Write:
		return kind, &refused{modeltext.CauseKind, modeltext.Detail{Part: name, What: kind.Why}}
	case who.record.ReadOnly:
		return kind, &refused{cause: modeltext.CausePlan}
	}
	return kind, nil
}

// tooLong asks once to shorten a text that is longer than the successor's own
// soft limit. The same text sent again is stored. A closed subagent is not
// asked: no text of it is stored, but the one that is.
func (s *Server) tooLong(st *store.Store, who caller, hash, text string) *refused {
	soft := who.record.Diagnostics.Soft.Tokens
	tokens := int64(len(text)) / bytesPerToken
	if soft <= 0 || tokens <= soft {
		return nil
	}
	if _, closed, err := st.Closed(who.actor); err == nil && closed && !who.actor.Main() {
		return nil
	}
	first, err := st.LongOnce(who.actor, hash)
	if err != nil {
		return s.storeRefused(err)
	}
	if !first {
		return nil
	}
	return &refused{modeltext.CauseTooLong, modeltext.Detail{Size: tokens, Limit: soft}}
}

// publish stores the text and words the receipt.
func (s *Server) publish(ctx context.Context, st *store.Store, who caller, kind hosts.Kind, in HandoverInput) (*mcp.CallToolResult, *refused) {
	published, err := st.Publish(s.draft(ctx, st, who, kind, in))
	var closed store.ClosedError
	switch {
	case errors.As(err, &closed):
		return refusal(s.texts.Already(closed.ID)), nil
	case err != nil:
		return nil, s.storeRefused(err)
	}
	s.rollOver(ctx, st, published.Header)
	return answer(s.texts.Receipt(modeltext.ReceiptInput{
		ID: published.ID, Role: kind.Role, Mark: s.mark(), Summary: in.Summary, NoHook: !who.hooked,
	})), nil
}

// draft gathers what is known at this moment; nothing is added later.
func (s *Server) draft(ctx context.Context, st *store.Store, who caller, kind hosts.Kind, in HandoverInput) store.Draft {
	r := who.record
	worktree := lineageWorktree(st, r)
	directory := cmp.Or(worktree, r.Directory, r.Project)
	d := store.Draft{Handover: in.Handover, Summary: in.Summary}
	d.Actor = who.actor
	d.Kind = kind.Name
	d.Role = kind.Role
	d.Created = s.Now().UTC()
	d.Project, d.Directory, d.Worktree = r.Project, r.Directory, worktree
	d.Turn, d.CallID = r.Turn, r.CallID
	d.Provenance = r.Provenance
	d.Diagnostics = r.Diagnostics
	d.Lineage = r.Lineage
	d.SpawnKey = r.SpawnKey
	d.Transcript = r.Transcript
	d.Repository = s.repository(ctx, directory)
	d.HookVersion, d.Server = r.HookVersion, s.Version
	d.Task, d.TaskAbsent = s.task(st, r, kind.Role)
	if !who.hooked {
		d.Diagnostics = store.Diagnostics{PromptedBy: "unknown", Stage: -1}
		d.Diagnostics.Reading = measure.UnknownBecause("no hook ran")
		d.Lineage = store.Lineage{State: store.LineageUnknown, Reason: "no hook ran"}
	}
	return d
}

// lineageWorktree is the work tree that holds the work so far, "" where that is
// the project: the caller's own, else the one its predecessor named, for as long
// as it is there.
func lineageWorktree(st *store.Store, r store.Capability) string {
	if r.Worktree != "" || r.Lineage.Predecessor == "" {
		return r.Worktree
	}
	h, err := st.Handover(r.Lineage.Predecessor)
	if err != nil || !isDirectory(h.Header.Worktree) {
		return ""
	}
	return h.Header.Worktree
}

// isDirectory reports whether there is a directory at the path.
func isDirectory(path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// repository is the state of the work tree, as far as git tells it in time.
func (s *Server) repository(ctx context.Context, directory string) store.Repository {
	ctx, cancel := context.WithTimeout(ctx, s.gitTime)
	defer cancel()
	return repositoryState(ctx, directory, s.Environ)
}

// task is the caller's task as the host showed it when it was spawned, or why
// there is none. Only the first of a line carries it; the others name that one.
func (s *Server) task(st *store.Store, r store.Capability, role actor.Role) (task []byte, absent string) {
	switch {
	case role == actor.RoleMain:
		return nil, "not captured for main agents"
	case r.Lineage.State == store.LineageContinues || r.Lineage.State == store.LineageRead:
		return nil, ""
	case r.SpawnKey == "":
		return nil, "the spawn was not seen"
	}
	spawn, err := st.Spawn(r.SpawnKey)
	switch {
	case err != nil:
		s.Log.Warn("spawn record", "error", err)
		return nil, "the record of the spawn cannot be read"
	case !spawn.PromptKnown:
		return nil, "the host does not show the prompt of a spawn"
	case r.Lineage.State != store.LineageOrigin:
		// A prompt whose marker cannot be honoured is nobody's task.
		return nil, cmp.Or(r.Lineage.Reason, "the prompt of the spawn is no task")
	}
	return []byte(spawn.Prompt), ""
}

// mark draws the delimiter of one answer: 8 hex digits.
func (s *Server) mark() string {
	var b [4]byte
	if _, err := io.ReadFull(s.Random, b[:]); err != nil {
		return modeltext.NewMark()
	}
	return hex.EncodeToString(b[:])
}
