package main

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/auto-context-handover/handover/cmd/handover/demo"
)

func newDemo(p process) *cobra.Command {
	c := &cobra.Command{
		Use:     "demo",
		Example: "  handover demo\n  handover demo --bin ./bin",
		Short:   "Play one whole handover with a simulated host",
		Long: `demo plays one whole handover in a temporary folder: the real hook program,
real transcripts, the real MCP server over stdio and a real store. Only the host
is simulated, and its model is a script that uses nothing but what it was told.
Your own store is not touched.`,
		Args: noArguments,
	}
	programs := c.Flags().String("bin", "", "the folder with the programs (default: where this one is)")
	c.RunE = func(c *cobra.Command, _ []string) error {
		folder := *programs
		if folder == "" {
			self, err := p.self()
			if err != nil {
				return &problem{happened: "where this program is cannot be found out: " + err.Error(), not: "The demo was not played.", next: "Name the folder with --bin."}
			}
			folder = filepath.Dir(self)
		}
		err := demo.Run(c.Context(), demo.Options{Programs: folder, Out: p.out, Style: p.style, Environ: p.environ})
		if errors.Is(err, demo.ErrNoFolder) {
			return &problem{happened: err.Error(), not: "The demo was not played.", next: "Set " + temporary(p.goos) + " to a folder that is there and that you can write to.", cause: err}
		}
		if err != nil {
			return &problem{happened: err.Error(), not: "The demo was not played to its end.", next: "Its temporary folder is removed; your own store was not touched.", cause: err}
		}
		return nil
	}
	return c
}

// temporary is the variable that says where temporary files go.
func temporary(goos string) string {
	if goos == "windows" {
		return "TMP"
	}
	return "TMPDIR"
}
