package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"

	"github.com/auto-context-handover/handover/cmd/handover/term"
)

// run runs the command with these arguments and returns the exit status.
func run(p process, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := newRoot(p)
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	return report(p.err, err, command.CommandPath())
}

// newRoot builds the command. Each subject has a file of its own.
func newRoot(p process) *cobra.Command {
	root := &cobra.Command{
		Use:   "handover",
		Short: "Handovers (handoffs) between agents whose context fills up",
		Long: `handover keeps what an agent writes before its context fills up, word for
word, and lets a fresh agent continue from it. This command is for people: it
shows what is stored and what the hooks read. Agents use the two tools.

Exit status: 0 done ("nothing stored" and "unknown" are answers), 1 it could
not be done, 2 wrong usage.`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Example:       "  handover demo\n  handover list\n  handover doctor",
		Args:          knownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return misuse("%v", err) })
	root.SetVersionTemplate("handover {{.Version}}\n")
	root.AddCommand(newDemo(p), newList(p), newShow(p), newMeasure(p), newDoctor(p), newPlugin(p))
	return root
}

// knownCommand refuses what is no command, with those that may be meant.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	p := &problem{happened: fmt.Sprintf("unknown command %q", args[0]), not: "Nothing was done.", usage: true}
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		p.next = fmt.Sprintf("Did you mean %s %s? See %s --help.", c.CommandPath(), strings.Join(near, ", "), c.CommandPath())
	}
	return p
}

// noArguments refuses arguments by name.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse("%s takes no argument %q", c.CommandPath(), args[0])
	}
	return nil
}

// oneArgument wants exactly one, which the usage calls what.
func oneArgument(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return misuse("%s wants one %s, not %d", c.CommandPath(), what, len(args))
		}
		return nil
	}
}

// dataFlag adds --data.
func dataFlag(c *cobra.Command) *string {
	return c.Flags().String("data", "", "the directory of the store (absolute)")
}

// printJSON writes one value, indented, for programs. It may end up on a
// terminal, so that every character that is not plain is written as \u….
func printJSON(w io.Writer, v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, term.JSON(b.String()))
	return unwritten(err)
}
