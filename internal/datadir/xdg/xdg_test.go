package xdg_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	adrg "github.com/adrg/xdg"

	"github.com/auto-context-handover/handover/internal/datadir"
	"github.com/auto-context-handover/handover/internal/datadir/xdg"
)

// unset is a variable that does not exist.
const unset = "\x00"

// setenv sets the variable for the test, or removes it.
func setenv(t *testing.T, name, value string) {
	t.Helper()
	if value != unset {
		t.Setenv(name, value)
		return
	}
	t.Setenv(name, "") // restores what was there
	os.Unsetenv(name)
}

// TestSameAsHooks compares three ways to the same place over a matrix of
// environments: the lines that hooks use, the commands' function, and adrg/xdg
// by itself where it can be trusted.
func TestSameAsHooks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("adrg/xdg asks Windows itself, not the environment")
	}
	t.Cleanup(adrg.Reload)
	homes := []string{unset, "", "/home/u", "/home/u/", "/home/../home/ü b", "relative", "."}
	xdgs := []string{unset, "", "/d", "/d/", "//d/../e", "relative", "./d", "~", "~/d", "~d", "$HOME", "$HOME/d", "$HOMEd", "${HOME}/d", " /d", "/"}
	ours := []string{unset, "", "/s", "/s/../t", "relative", "~/s"}
	compared := 0
	for _, home := range homes {
		for _, data := range xdgs {
			for _, own := range ours {
				setenv(t, "HOME", home)
				setenv(t, "XDG_DATA_HOME", data)
				setenv(t, "XDG_CONFIG_HOME", data)
				setenv(t, datadir.DataVariable, own)
				setenv(t, datadir.ConfigVariable, own)
				env := datadir.FromEnviron(os.LookupEnv)
				adrg.Reload()

				for _, flag := range []string{"", "/f", "f"} {
					wantDir, wantSource, wantErr := datadir.Data(flag, env, runtime.GOOS)
					dir, source, err := xdg.Data(flag)
					if dir != wantDir || source != wantSource || (err == nil) != (wantErr == nil) {
						t.Errorf("HOME %q XDG_DATA_HOME %q ours %q flag %q:\ncommands %q (%s) %v\nhooks    %q (%s) %v",
							home, data, own, flag, dir, source, err, wantDir, wantSource, wantErr)
					}
				}
				file, err := datadir.Config(env, runtime.GOOS)
				if want := filepath.Join(adrg.ConfigHome, "handover", "config.json"); own == unset && err == nil && file != want {
					t.Errorf("HOME %q XDG_CONFIG_HOME %q: hooks %q, adrg/xdg %q", home, data, file, want)
				}

				dir, _, err := datadir.Default(env, runtime.GOOS)
				if err != nil {
					if dir != "" {
						t.Errorf("a directory beside an error: %q", dir)
					}
					continue
				}
				compared++
				if want := filepath.Join(adrg.DataHome, "handover"); dir != want {
					t.Errorf("HOME %q XDG_DATA_HOME %q: hooks %q, adrg/xdg %q", home, data, dir, want)
				}
			}
		}
	}
	if compared < 200 {
		t.Errorf("only %d environments could be compared", compared)
	}
}

// TestTrapsAreErrors: where adrg/xdg falls back to the root directory or to
// nothing, there is an error.
func TestTrapsAreErrors(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("HOME does not count on Windows")
	}
	t.Cleanup(adrg.Reload)
	setenv(t, "XDG_DATA_HOME", unset)
	setenv(t, "XDG_CONFIG_HOME", unset)
	setenv(t, datadir.DataVariable, unset)
	setenv(t, datadir.ConfigVariable, unset)
	for _, home := range []string{unset, "", "relative"} {
		setenv(t, "HOME", home)
		if dir, _, err := xdg.Data(""); err == nil {
			t.Errorf("HOME %q: the store is in %q", home, dir)
		}
		if file, err := datadir.Config(datadir.FromEnviron(os.LookupEnv), runtime.GOOS); err == nil {
			t.Errorf("HOME %q: config.json is %q", home, file)
		}
	}
}

// TestEnvironmentIsReadWhenAsked: adrg/xdg alone would answer as of the
// program's start.
func TestEnvironmentIsReadWhenAsked(t *testing.T) {
	t.Cleanup(adrg.Reload)
	setenv(t, datadir.DataVariable, unset)
	dir := t.TempDir()
	t.Setenv("XDG_DATA_HOME", dir)
	got, source, err := xdg.Data("")
	if err != nil || got != filepath.Join(dir, "handover") || source != "XDG_DATA_HOME" {
		t.Errorf("%q from %q, %v", got, source, err)
	}
}
