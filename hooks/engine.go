package hooks

import (
	"errors"
	"fmt"
	"time"

	"github.com/auto-context-handover/handover/internal/config"
	"github.com/auto-context-handover/handover/internal/datadir"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/internal/modeltext"
	"github.com/auto-context-handover/handover/store"
)

// engine answers one event. Store and settings are opened when a rule first
// needs them: most events need neither.
type engine struct {
	row  hosts.Host
	host Host
	env  Env
	ev   Event
	now  func() time.Time
	log  func(format string, args ...any)
	// speak reports whether there is still time to answer; a claim that is
	// lost when the answer is not said is made only after it.
	speak func() bool
	// ifAllFails sets the answer that a call gets should we break or run late.
	ifAllFails func(Reply)

	reading *store.Store
	writing *store.Store
	// config resolves the settings once the file is read.
	config func(model string) config.Settings
	// byModel: how much is done depends on the model, too.
	byModel bool
	warned  bool
	// undo takes back what was claimed for an answer that was not delivered.
	undo []func()
}

// answer decides what to say about the event.
func (e *engine) answer() Reply {
	kind, ok := e.row.Kind(e.ev.Kind)
	if !ok {
		e.log("%s: agents of kind %q are not known, nothing is said to them", e.row.Name, e.ev.Kind)
		return Reply{}
	}
	switch e.ev.Name {
	case SessionStart, AgentStart:
		return e.introduce(kind)
	case ToolStart:
		return e.toolStart(kind)
	case ToolEnd:
		return e.toolEnd()
	case BatchEnd:
		return e.notice(kind)
	case AgentStop:
		return e.agentStop()
	case CompactStart, CompactEnd:
		e.compaction()
	}
	return Reply{}
}

func (e *engine) close() {
	if e.reading != nil {
		e.reading.Close()
	}
	if e.writing != nil {
		e.writing.Close()
	}
}

// unsaid takes back what was claimed for an answer that did not arrive.
func (e *engine) unsaid() {
	for _, f := range e.undo {
		f()
	}
}

func (e *engine) texts() modeltext.Voice { return modeltext.For(e.row) }

// errNothingStored: there is no store yet, so no fact either.
var errNothingStored = errors.New("nothing is stored yet")

// open opens the store to read. A store that is not there yet is
// errNothingStored.
func (e *engine) open() (*store.Store, error) {
	if e.writing != nil {
		return e.writing, nil
	}
	if e.reading != nil {
		return e.reading, nil
	}
	dir, _, err := datadir.Data(e.env.Data, e.env.Dirs, goos)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(dir)
	if errors.Is(err, store.ErrNoStore) {
		return nil, errNothingStored
	}
	if err != nil {
		return nil, err
	}
	e.reading = s
	return s, nil
}

// create opens the store to write.
func (e *engine) create() (*store.Store, error) {
	if e.writing != nil {
		return e.writing, nil
	}
	dir, _, err := datadir.Data(e.env.Data, e.env.Dirs, goos)
	if err != nil {
		return nil, err
	}
	s, err := store.Create(dir)
	if err != nil {
		return nil, err
	}
	for _, line := range s.Tightened() {
		e.log("%s", line)
	}
	e.writing = s
	return s, nil
}

// settings resolves the configuration for the event's actor and the model of
// its latest request ("" where it is not known yet). The file is read once.
func (e *engine) settings(model string) config.Settings {
	if e.config == nil {
		e.config = e.load()
	}
	s := e.config(model)
	if !e.warned {
		e.warned = true
		for _, p := range s.Problems {
			e.log("%s", p)
		}
	}
	return s
}

// load reads config.json and returns what resolves it for a model.
func (e *engine) load() func(model string) config.Settings {
	q := config.Query{
		HostRow:   e.row,
		Role:      e.ev.Actor.Role(),
		AgentType: e.ev.AgentType,
		Project:   e.ev.Project,
	}
	q.EnvSoft, q.EnvSoftSet = e.env.Lookup(config.SoftVariable)
	if e.row.OptionSoft != "" {
		q.PluginSoft, q.PluginSoftSet = e.env.Lookup(e.row.OptionSoft)
	}
	var file *config.File
	path, err := config.Locate(e.env.Dirs, goos)
	if err == nil {
		file, err = config.Load(path)
	}
	if err != nil {
		return func(model string) config.Settings {
			q.Model = model
			return config.Broken(q, err)
		}
	}
	e.byModel = file.ModeByModel()
	return func(model string) config.Settings {
		q.Model = model
		return config.Resolve(file, q)
	}
}

// mode is how much we do for the event's actor while it runs on the model; ""
// where that is not known yet.
func (e *engine) mode(model string) hosts.Mode {
	s := e.settings(model)
	if !s.Enabled {
		return hosts.ModeOff
	}
	return s.Mode
}

// closed reports whether the event's actor has handed over for good, and as what.
func (e *engine) closed() (string, bool) {
	if e.ev.Actor.Main() && !e.row.CanRollover {
		return "", false
	}
	s, err := e.open()
	if err != nil {
		if err != errNothingStored {
			e.log("%v", err)
		}
		return "", false
	}
	id, closed, err := s.Closed(e.ev.Actor)
	if err != nil {
		e.log("%v", err)
		return "", false
	}
	return id, closed
}

// locks reports whether an agent that handed over as id is kept from going on:
// everywhere but in mode off for the model it ran on then.
func (e *engine) locks(id string) bool {
	model := ""
	if e.settings(""); e.byModel {
		if s, err := e.open(); err == nil {
			if h, err := s.Handover(id); err == nil {
				model = h.Header.Diagnostics.Reading.Model
			}
		}
	}
	return e.mode(model) != hosts.ModeOff
}

// describe names the actor for the log.
func (e *engine) describe() string {
	return fmt.Sprintf("%s %s", e.row.Name, e.ev.Actor.Shown())
}
