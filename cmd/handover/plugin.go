package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/auto-context-handover/handover/manifests"
)

// newPlugin is hidden: make plugins and make dist use it.
func newPlugin(p process) *cobra.Command {
	c := &cobra.Command{
		Use:     "plugin --host HOST FOLDER",
		Example: "  handover plugin --host claude dist/claude/handover",
		Short:   "Lay a host's plugin folder, with its programs",
		Hidden:  true,
		Args:    oneArgument("FOLDER"),
	}
	host := c.Flags().String("host", "", "the host")
	programs := c.Flags().String("bin", "", "the folder with the programs (default: where this one is)")
	c.RunE = func(_ *cobra.Command, args []string) error {
		folder := *programs
		if folder == "" {
			self, err := p.self()
			if err != nil {
				return err
			}
			folder = filepath.Dir(self)
		}
		if err := manifests.Lay(*host, folder, args[0]); err != nil {
			return &problem{happened: err.Error(), not: "The plugin folder is not complete.", next: "Build the programs (make build), then run this again.", cause: err}
		}
		return nil
	}
	return c
}
