package mcpserver

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/auto-context-handover/handover/internal/actor"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// view is one answer about one handover.
type view struct {
	server   *Server
	store    *store.Store
	who      caller
	handover *store.Handover
	joined   store.Joined
}

func (v view) header() store.Header { return v.handover.Header }

// wantsFull: asked for, or the text of a main agent, which has no parent to
// replace it, or the caller is its successor by the host's word.
func (v view) wantsFull(in ReadInput) bool {
	h := v.header()
	return in.Full || in.Page > 0 || h.Role == actor.RoleMain ||
		v.who.hooked && v.who.record.Lineage.Predecessor == h.ID
}

func (v view) text(part string) string {
	text, _ := v.handover.Text(part)
	return string(text)
}

// drift is what changed in the repository since, as far as git tells in time.
func (v view) drift(ctx context.Context) modeltext.Drift {
	ctx, cancel := context.WithTimeout(ctx, v.server.gitTime)
	defer cancel()
	return repositoryDrift(ctx, v.header().Repository, v.text(store.PartHandover), v.server.Environ)
}

// compact is the view for a parent.
func (v view) compact(ctx context.Context) string {
	record := v.record()
	record.Drift = v.drift(ctx)
	return v.server.texts.Compact(modeltext.CompactInput{
		Record: record, Mark: v.server.mark(), Handover: v.text(store.PartHandover), Summary: v.text(store.PartSummary),
	})
}

// page is one page of the task and the handover.
func (v view) page(ctx context.Context, n int) (string, *refused) {
	var parts []modeltext.Part
	task, late, absent := v.task()
	if absent == "" {
		parts = append(parts, modelPart(store.PartTask, task))
	}
	parts = append(parts, modelPart(store.PartHandover, v.text(store.PartHandover)))
	pages := v.paginate(parts)
	if n > len(pages) {
		return "", &refused{modeltext.CauseArgument, modeltext.Detail{
			Part: "page", What: fmt.Sprintf("there is no page %d; the last one is %d", n, len(pages)),
		}}
	}
	record := v.record()
	if n == len(pages) {
		record.Drift = v.drift(ctx)
	}
	reader := v.who.actor.Key()
	if err := v.store.RecordRead(v.header().ID, reader, n, len(pages), v.who.hooked); err != nil {
		v.server.Log.Warn("a reading was not recorded", "id", v.header().ID, "error", err)
		record.Unrecorded = true
	}
	return v.server.texts.Page(modeltext.PageInput{
		Record: record, Mark: v.server.mark(), Page: n, Pages: len(pages), Segments: pages[n-1],
		TaskAbsent: absent, TaskJoined: late,
	}), nil
}

func modelPart(name, text string) modeltext.Part {
	sum := sha256.Sum256([]byte(text))
	return modeltext.Part{Name: name, SHA256: hex.EncodeToString(sum[:]), Text: text}
}

// paginate cuts the parts so that a page fits what the host shows at once, its
// frame included, and is at most the reader's soft limit: a quarter of it in
// tokens, so as many bytes as the limit has tokens.
func (v view) paginate(parts []modeltext.Part) [][]modeltext.Segment {
	host := v.server.Host
	limit := max(host.PageLimit-modeltext.PageOverhead, 1)
	soft := v.who.record.Diagnostics.Soft.Tokens
	if soft > 0 && soft <= int64(limit) {
		return modeltext.Paginate(parts, int(soft), hosts.Bytes) // a byte is at least one unit of any host
	}
	pages := modeltext.Paginate(parts, limit, host.PageUnit)
	for _, page := range pages {
		bytes := int64(0)
		for _, g := range page {
			bytes += g.To - g.From
		}
		if soft > 0 && bytes > soft {
			return modeltext.Paginate(parts, limit, hosts.Bytes)
		}
	}
	return pages
}

// task is the original task: of this record, of the origin of its line, or of a
// spawn that was linked to one of the two later (late). Absent says why there
// is none.
func (v view) task() (text string, late bool, absent string) {
	if text, late, ok := taskOf(v.handover, v.joined); ok {
		return text, late, ""
	}
	lineage, _ := v.lineage()
	if origin := lineage.Origin; origin != "" && origin != v.header().ID {
		h, err := v.store.Handover(origin)
		if err != nil {
			return "", false, "the origin " + origin + " cannot be read"
		}
		joined, err := v.store.Joined(origin)
		if err != nil {
			v.server.Log.Warn("what was learned later cannot be read", "id", origin, "error", err)
		}
		if text, late, ok := taskOf(h, joined); ok {
			return text, late, ""
		}
		return "", false, cmp.Or(h.Header.TaskAbsent, "unknown")
	}
	return "", false, cmp.Or(v.header().TaskAbsent, "unknown")
}

// taskOf is the task that a record carries or that its late spawn link shows.
// The prompt of a spawn with a marker is no task.
func taskOf(h *store.Handover, joined store.Joined) (text string, late, ok bool) {
	if task, ok := h.Text(store.PartTask); ok {
		return string(task), false, true
	}
	if sp := joined.Spawn; sp != nil && sp.PromptKnown && sp.Lineage.State == store.LineageOrigin {
		return sp.Prompt, true, true
	}
	return "", false, false
}
