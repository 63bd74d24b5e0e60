package hooks

import "github.com/auto-context-handover/handover/internal/datadir"

// Env is the process's environment and flags, read once in Main.
type Env struct {
	// Lookup is os.LookupEnv, for what only one host has.
	Lookup func(name string) (string, bool)
	// Data is the --data flag; empty without one.
	Data string
	// Dirs are the variables that decide where the store and config.json are.
	Dirs datadir.Env
	// Version of this program.
	Version string
}

// Get returns the variable's value, "" if it is not set.
func (e Env) Get(name string) string {
	v, _ := e.Lookup(name)
	return v
}
