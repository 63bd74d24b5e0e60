// Package xdg finds the store for the commands that people and hosts start for
// longer than a hook. The default directory comes from adrg/xdg; its traps (a silent fall back to the root directory, an environment
// read only when the program starts) are kept out here.
//
// It answers the same as internal/datadir, which hooks use; the tests compare.
// config.json has no second way: commands and hooks ask internal/config.
package xdg

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"

	"github.com/auto-context-handover/handover/internal/datadir"
)

// Data is the directory of the store for this process and what decided it:
// --data, AUTO_CONTEXT_HANDOVER_DATA, or the variable that the home of data
// rests on. An empty flag is no flag. The error names the variable to set.
func Data(flag string) (dir, source string, err error) {
	env := datadir.FromEnviron(os.LookupEnv)
	dir, source, ok, err := datadir.Named(flag, env, runtime.GOOS)
	if ok || err != nil {
		return dir, source, err
	}
	return Default()
}

// Default is the directory of the store where nothing names one.
func Default() (dir, source string, err error) {
	_, source, err = datadir.Default(datadir.FromEnviron(os.LookupEnv), runtime.GOOS)
	if err != nil {
		return "", "", err
	}
	xdg.Reload()
	return filepath.Join(xdg.DataHome, "handover"), source, nil
}
