package mcpserver

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// listed is how many handovers a read without an id names.
const listed = 5

// readHandover is the tool read_handover. It is always answered, also where
// nothing binds it: refusing would protect nothing, since an agent with a shell
// can print the file, and would lock people out of their recovery text.
func (s *Server) readHandover(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	// A read leaves a record as well, so it is finished like a write.
	ctx = context.WithoutCancel(ctx)
	text, why := s.read(ctx, req.Params)
	if why != nil {
		why.detail.Read = true
		s.Log.Warn("read_handover refused", "cause", why.cause, "what", why.detail.What)
		return refusal(s.texts.Refusal(why.cause, why.detail)), nil
	}
	return answer(text), nil
}

func (s *Server) read(ctx context.Context, params *mcp.CallToolParamsRaw) (string, *refused) {
	members, token, problem := arguments(params.Arguments)
	if problem != nil {
		return "", problem.refused(hosts.ToolRead)
	}
	in, problem := decodeRead(members)
	if problem != nil {
		return "", problem.refused(hosts.ToolRead)
	}
	if s.DataDir == "" {
		return "", s.noDirectory()
	}
	st, err := s.openToRead()
	if errors.Is(err, store.ErrNoStore) {
		if in.ID == "" {
			return s.nothing(modeltext.NothingInput{Why: modeltext.NothingInProject}), nil
		}
		return s.nothing(modeltext.NothingInput{Why: modeltext.NothingKnown, Reference: in.ID}), nil
	}
	if err != nil {
		return "", s.storeRefused(err)
	}
	defer st.Close()
	who := s.reader(st, params, token)
	if in.ID == "" {
		return s.list(st, who)
	}
	return s.show(ctx, st, who, in)
}

// openToRead opens the store so that what a read leaves behind can be written
// too, if that is possible; a store that can only be read is good enough.
func (s *Server) openToRead() (*store.Store, error) {
	st, err := store.Open(s.DataDir)
	if err != nil {
		return nil, err
	}
	if writable, err := store.Create(s.DataDir); err == nil {
		st.Close()
		return writable, nil
	}
	return st, nil
}

// reader is who reads; the zero caller where nothing binds the call.
func (s *Server) reader(st *store.Store, params *mcp.CallToolParamsRaw, token string) caller {
	raw := params.Arguments
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	hash, err := store.ArgumentHash(raw, hosts.ReservedKey)
	if err != nil {
		return caller{}
	}
	who, why := s.bind(st, call{hosts.ToolRead, params.Meta, token, hash})
	if why != nil {
		s.Log.Info("a read is not bound to its caller", "error", why.err)
		return caller{}
	}
	return who
}

// list names the latest handovers of the caller's project.
func (s *Server) list(st *store.Store, who caller) (string, *refused) {
	project := who.record.Project
	if project == "" {
		return s.nothing(modeltext.NothingInput{Why: modeltext.NothingWithoutProject}), nil
	}
	found, err := st.List(store.ListQuery{Project: project, Limit: listed})
	if err != nil {
		return "", s.storeRefused(err)
	}
	items := make([]modeltext.ListItem, len(found))
	for i, f := range found {
		items[i] = modeltext.ListItem{
			ID: f.ID, Host: f.Header.Actor.Host, Role: f.Header.Role, Created: f.Header.Created,
			Summary: f.Line, Continued: f.Continued,
		}
		if reads, err := st.Reads(f.ID); err == nil {
			items[i].Read = takenUp(f.Header, reads, who.actor)
		}
		if f.Err != nil {
			items[i].Created, items[i].Damaged = f.Modified, f.Err.Error()
		}
	}
	return s.texts.Listing(s.mark(), project, s.Now(), items), nil
}

func (s *Server) nothing(in modeltext.NothingInput) string { return s.texts.NothingStored(in) }

// show answers a read of one handover.
func (s *Server) show(ctx context.Context, st *store.Store, who caller, in ReadInput) (string, *refused) {
	found, err := st.Resolve(in.ID, store.Scope{Host: s.Host.Name, Session: who.actor.Session, Project: who.record.Project})
	if err != nil {
		return s.notFound(in.ID, who, err)
	}
	h, err := st.Handover(found.ID)
	if err != nil {
		return s.unreadable(found.ID, err)
	}
	joined, err := st.Joined(found.ID)
	if err != nil {
		s.Log.Warn("what was learned later cannot be read", "id", found.ID, "error", err)
	}
	v := view{server: s, store: st, who: who, handover: h, joined: joined}
	if v.wantsFull(in) {
		return v.page(ctx, max(in.Page, 1))
	}
	return v.compact(ctx), nil
}

// notFound words why a reference means no handover that can be shown.
func (s *Server) notFound(ref string, who caller, err error) (string, *refused) {
	nothing := modeltext.NothingInput{Why: modeltext.NothingKnown, Reference: ref}
	var removed store.RemovedError
	var several store.AmbiguousError
	switch {
	case errors.As(err, &removed):
		nothing.Why, nothing.Removed = modeltext.NothingRemoved, removed.At
		nothing.Reference = removed.ID
	case errors.As(err, &several):
		nothing.Why, nothing.Candidates = modeltext.NothingAmbiguous, several.Candidates
	case errors.Is(err, store.ErrUnknownProject):
		nothing.Why = modeltext.NothingWithoutProject
	case errors.Is(err, store.ErrNotFound):
		// The hook may know the agent by the host's own files.
		if t := who.record.Target; t != nil && t.Reference == ref && t.Transcript != "" {
			nothing.Why, nothing.Transcript = modeltext.NothingByAgent, t.Transcript
		}
	default:
		return "", s.storeRefused(err)
	}
	return s.nothing(nothing), nil
}

// unreadable words why a handover that is there cannot be shown.
func (s *Server) unreadable(id string, err error) (string, *refused) {
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrRemoved) {
		return s.notFound(id, caller{}, err)
	}
	why := s.storeRefused(err)
	why.detail.Part = id
	return "", why
}
