// Command handover-mcp is the MCP server with the tools context_handover and
// read_handover. A host starts it and speaks to it on stdin and stdout; see
// package mcpserver.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/auto-context-handover/handover/internal/datadir"
	"github.com/auto-context-handover/handover/internal/datadir/xdg"
	"github.com/auto-context-handover/handover/internal/hosts"
	"github.com/auto-context-handover/handover/mcpserver"
)

// version is set by the linker.
var version = "devel"

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "handover-mcp:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("handover-mcp", flag.ContinueOnError)
	flags.SetOutput(stderr)
	name := flags.String("host", "", "the host that starts this server: "+strings.Join(hosts.Names(), ", "))
	data := flags.String("data", "", "the directory of the store (an absolute path)")
	show := flags.Bool("version", false, "print the version and end")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if *show {
		_, err := fmt.Fprintln(stdout, version)
		return err
	}
	host, ok := hosts.ByName(*name)
	if !ok || flags.NArg() > 0 {
		return fmt.Errorf("start it with --host and one of: %s (not %q, with %d further arguments)", strings.Join(hosts.Names(), ", "), *name, flags.NArg())
	}
	// A directory that cannot be found out is no reason not to start: the model
	// that calls a tool is told why, and tells its user.
	dir, _, dirErr := xdg.Data(*data)
	byDefault, _, _ := xdg.Default()

	log, closeLog := logger(stderr)
	defer closeLog()
	// A host that closes its end of stdout is no reason to die within a write.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends at once
	return mcpserver.New(mcpserver.Options{
		Host:    host,
		DataDir: dir, DataErr: dirErr, DefaultDir: byDefault,
		Version: version,
		Environ: os.Environ(),
		Log:     log,
	}).Serve(ctx, stdin, stdout)
}

// logger writes warnings to stderr, or more to the file that the variable names.
func logger(stderr io.Writer) (log *slog.Logger, closeLog func()) {
	if path := os.Getenv(datadir.LogVariable); path != "" {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|nonblocking, 0o600)
		if err == nil {
			return slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelInfo})), func() { f.Close() }
		}
		fmt.Fprintln(stderr, "handover-mcp:", err)
	}
	lines := newLossy(stderr)
	return slog.New(slog.NewTextHandler(lines, &slog.HandlerOptions{Level: slog.LevelWarn})), lines.Close
}
