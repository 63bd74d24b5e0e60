// Command handover is the person's side of handover: it plays a demo, shows what
// is stored, and tells what the hooks read.
//
// Exit status: 0 when the command did what it says, an answer such as "no
// handovers yet" or "unknown" included; 1 when it could not; 2 when it was
// called wrongly.
package main

import "os"

// version is set by the linker.
var version = "devel"

func main() { os.Exit(Main()) }

// Main runs the command for this process and returns its exit status.
func Main() int { return run(fromOS(), os.Args[1:]) }
