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
	"runtime/debug"
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
	args string // what stands beside the flags
	doc  string
	uses string // the shared flags that have an effect on it; the others are accepted, so that one list of flags does for all commands
	run  func(ctx context.Context, e *env, args []string) error
}

// commands are listed in the order in which help shows them.
var commands = []command{
	{"fuzz", "", "generate programs, run the passes on them, judge every step",
		"seed count duration workers level passes out json", runFuzz},
	{"check", "FILE…", "run the passes on given programs (.bir, .bir.json, or folders of them), judge every step",
		"seed duration workers level passes out json", runCheck},
	{"run", "FILE", "execute a program and print its outputs, or compare them with a case", "seed json", runRun},
	{"conform", "[DIR…]", "execute every .bir.json that has an .io.json and compare; without DIR, the cases that ship with birfuzz", "json", runConform},
	{"gen", "", "print or write generated programs, or survey them", "seed count workers out json", runGen},
	{"fmt", "FILE…", "print programs in canonical form", "", runFmt},
	{"convert", "FILE", "turn .bir into .bir.json and back", "out", runConvert},
	{"ops", "[NAME…]", "print the op table, or all about some ops", "json", runOps},
	{"passes", "", "print the passes of a level or of a list, with their contracts, knobs and rules", "level passes json", runPasses},
	{"blame", "FILE…", "name the pass and the rewrite that break a program", "seed duration workers level passes out json", runBlame},
	{"shrink", "FILE…", "make a program that a pass breaks as small as it gets", "seed duration workers level passes out json", runShrink},
	{"corpus", "VERB DIR…", "stat, merge (INTO FROM…) or minimise the folders of programs that fuzz -corpus draws from",
		"seed workers level passes json", runCorpus},
	{"mutants", "", "plant known bugs in the project's own passes, one a build, and see which a campaign finds",
		"seed count duration workers level out json", runMutants},
}

// env is what a command talks to.
type env struct {
	in       io.Reader
	out, err io.Writer
	terminal bool     // err is a terminal: progress may be drawn
	command  *command // the one that runs
}

// memoryLimit is the heap above which the collector works harder; programs as large as are taken need somewhat less.
const memoryLimit = 700 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	e := &env{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: isTerminal(os.Stderr)}
	os.Exit(realMain(context.Background(), e, os.Args[1:]))
}

// realMain runs one command line and returns its exit status.
func realMain(ctx context.Context, e *env, args []string) int {
	if len(args) == 0 {
		usage(e.err)
		return exitUsage
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) == 0 {
			usage(e.out)
			return exitClean
		}
		name, rest = rest[0], []string{"-h"}
	}
	for i := range commands {
		if commands[i].name == name {
			e.command = &commands[i]
			return status(e, e.command.run(ctx, e, rest))
		}
	}
	fmt.Fprintf(e.err, "birfuzz: no command %q; `birfuzz help` lists them\n", name)
	return exitUsage
}

// status says what went wrong, if anything did, and returns the exit status.
func status(e *env, err error) int {
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return exitClean
	case errors.Is(err, errFindings):
		return exitFindings
	}
	fmt.Fprintf(e.err, "birfuzz %s: %v\n", e.command.name, err)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, "birfuzz finds the pass that miscompiles a BIR program.\n\nusage: birfuzz COMMAND [flags] [arguments]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-8s %-8s %s\n", c.name, c.args, c.doc)
	}
	fmt.Fprint(w, "\n`birfuzz COMMAND -h` lists the flags. Exit status: 0 nothing found, 1 findings, 2 bad usage or input.\n")
}
