package datadir_test

import (
	"strings"
	"testing"

	"github.com/auto-context-handover/handover/internal/datadir"
)

// environ is a stand-in for os.LookupEnv.
func environ(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := pairs[name]
		return v, ok
	}
}

// vars is shorthand for an environment.
type vars = map[string]string

func TestData(t *testing.T) {
	for _, c := range []struct {
		name, goos, flag string
		env              vars
		dir, source      string
		err              string // part of the error; dir and source are then empty
	}{
		{name: "home", goos: "linux", env: vars{"HOME": "/home/u"}, dir: "/home/u/.local/share/handover", source: "HOME"},
		{name: "xdg", goos: "linux", env: vars{"HOME": "/home/u", "XDG_DATA_HOME": "/d"}, dir: "/d/handover", source: "XDG_DATA_HOME"},
		{name: "xdg needs no home", goos: "linux", env: vars{"XDG_DATA_HOME": "/d"}, dir: "/d/handover", source: "XDG_DATA_HOME"},
		{name: "relative xdg", goos: "linux", env: vars{"HOME": "/home/u", "XDG_DATA_HOME": "d"}, dir: "/home/u/.local/share/handover", source: "HOME"},
		{name: "ours", goos: "linux", env: vars{"HOME": "/home/u", "XDG_DATA_HOME": "/d", "AUTO_CONTEXT_HANDOVER_DATA": "/s"}, dir: "/s", source: "AUTO_CONTEXT_HANDOVER_DATA"},
		{name: "ours needs no home", goos: "linux", env: vars{"AUTO_CONTEXT_HANDOVER_DATA": "/s/../t/"}, dir: "/t", source: "AUTO_CONTEXT_HANDOVER_DATA"},
		{name: "ours relative", goos: "linux", env: vars{"HOME": "/home/u", "AUTO_CONTEXT_HANDOVER_DATA": "s"}, err: `AUTO_CONTEXT_HANDOVER_DATA is "s", which is not an absolute path`},
		{name: "ours with ~", goos: "linux", env: vars{"HOME": "/home/u", "AUTO_CONTEXT_HANDOVER_DATA": "~/s"}, err: "AUTO_CONTEXT_HANDOVER_DATA"},
		{name: "ours empty", goos: "linux", env: vars{"HOME": "/home/u", "AUTO_CONTEXT_HANDOVER_DATA": ""}, err: "AUTO_CONTEXT_HANDOVER_DATA is set but empty"},
		{name: "flag", goos: "linux", flag: "/f", env: vars{"AUTO_CONTEXT_HANDOVER_DATA": "relative"}, dir: "/f", source: "--data"},
		{name: "flag relative", goos: "linux", flag: "f", env: vars{"HOME": "/home/u"}, err: "--data"},
		{name: "no home", goos: "linux", env: vars{}, err: "HOME is not set; set AUTO_CONTEXT_HANDOVER_DATA"},
		{name: "empty home", goos: "linux", env: vars{"HOME": ""}, err: "HOME is not set"},
		{name: "relative home", goos: "linux", env: vars{"HOME": "u"}, err: `HOME is "u", which is not an absolute path`},
		{name: "xdg under an unset home", goos: "linux", env: vars{"XDG_DATA_HOME": "~/d"}, err: "HOME is not set"},

		{name: "mac", goos: "darwin", env: vars{"HOME": "/Users/u"}, dir: "/Users/u/Library/Application Support/handover", source: "HOME"},
		{name: "mac xdg", goos: "darwin", env: vars{"HOME": "/Users/u", "XDG_DATA_HOME": "/d"}, dir: "/d/handover", source: "XDG_DATA_HOME"},
		{name: "mac no home", goos: "darwin", env: vars{}, err: "HOME is not set"},

		{name: "windows", goos: "windows", env: vars{"LOCALAPPDATA": `C:\Users\u\AppData\Local`, "USERPROFILE": `C:\Users\u`}, dir: `C:\Users\u\AppData\Local\handover`, source: "LOCALAPPDATA"},
		{name: "windows ignores HOME", goos: "windows", env: vars{"LOCALAPPDATA": `C:\L`, "HOME": "/home/u"}, dir: `C:\L\handover`, source: "LOCALAPPDATA"},
		{name: "windows profile only", goos: "windows", env: vars{"USERPROFILE": `C:\Users\u`}, dir: `C:\Users\u\AppData\Local\handover`, source: "LOCALAPPDATA"},
		{name: "windows nothing", goos: "windows", env: vars{"HOME": "/home/u"}, err: "USERPROFILE is not set"},
		{name: "windows relative", goos: "windows", env: vars{"LOCALAPPDATA": `C:x`}, err: "LOCALAPPDATA"},
		{name: "windows xdg", goos: "windows", env: vars{"LOCALAPPDATA": `C:\L`, "XDG_DATA_HOME": `D:\x`}, dir: `D:\x\handover`, source: "XDG_DATA_HOME"},
		{name: "windows xdg below the profile", goos: "windows", env: vars{"USERPROFILE": `C:\Users\u`, "XDG_DATA_HOME": `%USERPROFILE%\x`}, dir: `C:\Users\u\x\handover`, source: "XDG_DATA_HOME"},
		{name: "windows xdg of unix", goos: "windows", env: vars{"LOCALAPPDATA": `C:\L`, "XDG_DATA_HOME": "/d"}, dir: `C:\L\handover`, source: "LOCALAPPDATA"},
		{name: "windows share", goos: "windows", env: vars{"AUTO_CONTEXT_HANDOVER_DATA": `\\host\share`}, dir: `\\host\share`, source: "AUTO_CONTEXT_HANDOVER_DATA"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, source, err := datadir.Data(c.flag, datadir.FromEnviron(environ(c.env)), c.goos)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || dir != "" {
					t.Errorf("%q, %v, want an error that says %s", dir, err, c.err)
				}
				return
			}
			if err != nil || dir != c.dir || source != c.source {
				t.Errorf("%q from %q, %v; want %q from %q", dir, source, err, c.dir, c.source)
			}
		})
	}
}

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		name, goos string
		env        vars
		want, err  string
	}{
		{name: "home", goos: "linux", env: vars{"HOME": "/home/u"}, want: "/home/u/.config/handover/config.json"},
		{name: "xdg", goos: "linux", env: vars{"HOME": "/home/u", "XDG_CONFIG_HOME": "/c"}, want: "/c/handover/config.json"},
		{name: "ours is the file", goos: "linux", env: vars{"AUTO_CONTEXT_HANDOVER_CONFIG": "/c/h.json"}, want: "/c/h.json"},
		{name: "ours relative", goos: "linux", env: vars{"HOME": "/home/u", "AUTO_CONTEXT_HANDOVER_CONFIG": "h.json"}, err: "AUTO_CONTEXT_HANDOVER_CONFIG"},
		{name: "ours empty", goos: "linux", env: vars{"HOME": "/home/u", "AUTO_CONTEXT_HANDOVER_CONFIG": ""}, err: "AUTO_CONTEXT_HANDOVER_CONFIG is set but empty"},
		{name: "no home", goos: "linux", env: vars{}, err: "set AUTO_CONTEXT_HANDOVER_CONFIG"},
		{name: "mac", goos: "darwin", env: vars{"HOME": "/Users/u"}, want: "/Users/u/Library/Application Support/handover/config.json"},
		{name: "windows", goos: "windows", env: vars{"LOCALAPPDATA": `C:\L`}, want: `C:\L\handover\config.json`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := datadir.Config(datadir.FromEnviron(environ(c.env)), c.goos)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || got != "" {
					t.Errorf("%q, %v, want an error that says %s", got, err, c.err)
				}
				return
			}
			if err != nil || got != c.want {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestDefaultIgnoresWhatNamesAnotherPlace(t *testing.T) {
	dir, source, err := datadir.Default(datadir.FromEnviron(environ(vars{"HOME": "/home/u", "AUTO_CONTEXT_HANDOVER_DATA": "/s"})), "linux")
	if err != nil || dir != "/home/u/.local/share/handover" || source != "HOME" {
		t.Errorf("%q from %q, %v", dir, source, err)
	}
}
