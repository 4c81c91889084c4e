// Command birfuzz tests compiler passes over BIR programs: it generates programs, runs the passes, has every step judged, blames the rewrite
// that broke one and writes a minimised reproducer.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit statuses.
const (
	exitClean    = 0 // nothing found
	exitFindings = 1 // findings
	exitUsage    = 2 // bad usage or input
)

// errFindings ends a command that found something; what it found has been printed.
var errFindings = errors.New("findings")

// command is one subcommand.
type command struct {
	name string
	args string // what stands behind the flags
	doc  string
	run  func(ctx context.Context, e *env, args []string) error
}

// commands are listed in the order in which help shows them.
var commands = []command{
	{"fuzz", "", "generate programs, run the passes on them, judge every step", runFuzz},
	{"check", "FILE…", "run the passes on given programs (.bir, .bir.json), judge every step", runCheck},
	{"run", "FILE", "execute a program and print its outputs, or compare them with a case", runRun},
	{"conform", "[DIR…]", "execute every .bir.json that has an .io.json and compare; without DIR, the cases that ship with birfuzz", runConform},
	{"gen", "", "print or write generated programs", runGen},
	{"fmt", "FILE…", "print programs in canonical form", runFmt},
	{"convert", "FILE", "turn .bir into .bir.json and back", runConvert},
	{"ops", "", "print the op table", runOps},
	{"passes", "", "print the passes of a level, with their contracts and rules", runPasses},
	{"blame", "FILE…", "name the pass and the rewrite that break a program", runBlame},
	{"shrink", "FILE…", "make a program that a pass breaks as small as it gets", runShrink},
}

// env is what a command talks to.
type env struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is a terminal: progress may be drawn
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	e := &env{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: isTerminal(os.Stderr)}
	os.Exit(realMain(ctx, e, os.Args[1:]))
}

// realMain runs one command line and returns its exit status.
func realMain(ctx context.Context, e *env, args []string) int {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		usage(e.out)
		if len(args) == 0 {
			return exitUsage
		}
		return exitClean
	}
	for _, c := range commands {
		if c.name != args[0] {
			continue
		}
		err := c.run(ctx, e, args[1:])
		switch {
		case err == nil || errors.Is(err, flag.ErrHelp):
			return exitClean
		case errors.Is(err, errFindings):
			return exitFindings
		}
		fmt.Fprintf(e.err, "birfuzz %s: %v\n", c.name, err)
		return exitUsage
	}
	fmt.Fprintf(e.err, "birfuzz: no command %q; `birfuzz help` lists them\n", args[0])
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, "birfuzz finds the pass that miscompiles a BIR program.\n\nusage: birfuzz COMMAND [flags] [arguments]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-8s %-8s %s\n", c.name, c.args, c.doc)
	}
	fmt.Fprint(w, "\n`birfuzz COMMAND -h` lists the flags. Exit status: 0 nothing found, 1 findings, 2 bad usage or input.\n")
}
