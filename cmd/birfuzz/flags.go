package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"birfuzz/fuzz"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// flags are the flags of one command; those that several commands share mean the same everywhere.
type flags struct {
	*flag.FlagSet
	seed     uint64
	count    int
	duration time.Duration
	workers  int
	level    string
	passes   string
	out      string
	json     bool
	cmds     pairs // -pass-cmd
	servers  pairs // -pass-server
	timeout  time.Duration
	checks   string
}

// pairs is a repeatable NAME=VALUE flag.
type pairs [][2]string

// String and Set make pairs a flag.Value.
func (p *pairs) String() string { return "" }

// Set adds one NAME=VALUE.
func (p *pairs) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok || name == "" || strings.TrimSpace(value) == "" {
		return fmt.Errorf("want NAME=COMMAND, got %q", s)
	}
	*p = append(*p, [2]string{name, value})
	return nil
}

// newFlags returns the flag set of a command with the shared flags in it.
func newFlags(e *env, name, args string) *flags {
	f := &flags{FlagSet: flag.NewFlagSet("birfuzz "+name, flag.ContinueOnError)}
	f.SetOutput(e.err)
	f.Usage = func() {
		fmt.Fprintf(e.err, "usage: birfuzz %s [flags] %s\n", name, args)
		f.PrintDefaults()
	}
	f.Uint64Var(&f.seed, "seed", 1, "where all randomness comes from")
	f.IntVar(&f.count, "count", 0, "how many programs")
	f.DurationVar(&f.duration, "duration", 0, "stop after this long, as 90s or 1h30m")
	f.IntVar(&f.workers, "workers", 0, "how many programs at a time; 0 is one a CPU")
	f.StringVar(&f.level, "level", "O2", "pipeline: "+strings.Join(passes.Levels(), ", "))
	f.StringVar(&f.passes, "passes", "", "run these passes, separated by commas, instead of the level's")
	f.StringVar(&f.out, "out", "", "where to write")
	f.BoolVar(&f.json, "json", false, "print one JSON object on standard output and nothing else there")
	return f
}

// passFlags adds the flags of commands that run passes.
func (f *flags) passFlags() *flags {
	f.Var(&f.cmds, "pass-cmd", "NAME=COMMAND: a pass that is a command; one bir.json module in on standard input, one out on standard output (repeatable)")
	f.Var(&f.servers, "pass-server", "NAME=COMMAND: the same, one process for many programs, one JSON value a line each way (repeatable)")
	f.DurationVar(&f.timeout, "pass-timeout", 10*time.Second, "how long an external pass may take for one program")
	f.StringVar(&f.checks, "checks", "", "judge by these checks only, separated by commas")
	return f
}

// parse reads the command line; flags and arguments may stand in any order.
func (f *flags) parse(args []string) ([]string, error) {
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			return nil, err
		}
		if f.NArg() == 0 {
			break
		}
		rest = append(rest, f.Arg(0))
		args = f.Args()[1:]
	}
	if f.count < 0 {
		return nil, fmt.Errorf("-count: want 0 or more, got %d", f.count)
	}
	if f.workers < 0 {
		return nil, fmt.Errorf("-workers: want 0 or more, got %d", f.workers)
	}
	if f.duration < 0 {
		return nil, fmt.Errorf("-duration: want 0 or more, got %v", f.duration)
	}
	return rest, nil
}

// pipeline returns the passes that the flags ask for: those of -passes, else of -level; external ones that -passes does not place go last.
func (f *flags) pipeline(level string) ([]passes.Pass, error) {
	external, err := f.external()
	if err != nil {
		return nil, err
	}
	var ps []passes.Pass
	if f.passes != "" {
		ps, err = passes.Named(f.passes, external...)
	} else {
		ps, err = passes.Pipeline(level)
	}
	if err != nil {
		return nil, err
	}
	for _, x := range external {
		if !named(f.passes, x.Name) {
			ps = append(ps, x)
		}
	}
	return ps, nil
}

func named(list, name string) bool {
	for _, n := range strings.Split(list, ",") {
		if strings.TrimSpace(n) == name {
			return true
		}
	}
	return false
}

// external builds the passes of -pass-cmd and -pass-server.
func (f *flags) external() ([]passes.Pass, error) {
	if f.timeout <= 0 {
		return nil, fmt.Errorf("-pass-timeout: want more than 0, got %v", f.timeout)
	}
	o := passes.ExternalOptions{Timeout: f.timeout}
	var out []passes.Pass
	for _, c := range f.cmds {
		p, err := passes.External(c[0], c[1], o)
		if err != nil {
			return nil, fmt.Errorf("-pass-cmd %s: %w", c[0], err)
		}
		out = append(out, p)
	}
	for _, c := range f.servers {
		p, err := passes.Server(c[0], c[1], o)
		if err != nil {
			return nil, fmt.Errorf("-pass-server %s: %w", c[0], err)
		}
		out = append(out, p)
	}
	return out, nil
}

// oracleOptions returns how the flags want steps judged.
func (f *flags) oracleOptions() (oracle.Options, error) {
	var o oracle.Options
	if f.checks == "" {
		return o, nil
	}
	for _, name := range strings.Split(f.checks, ",") {
		set, ok := oracle.CheckNamed(strings.TrimSpace(name))
		if !ok {
			return o, fmt.Errorf("-checks: no check %q; the checks are %s", name, checkNames())
		}
		o.Checks |= set
	}
	return o, nil
}

// campaign returns a campaign as the flags describe it, over the passes of one level.
func (f *flags) campaign(level string) (*fuzz.Campaign, error) {
	ps, err := f.pipeline(level)
	if err != nil {
		return nil, err
	}
	o, err := f.oracleOptions()
	if err != nil {
		return nil, err
	}
	return &fuzz.Campaign{Seed: f.seed, Count: f.count, Duration: f.duration, Workers: f.workers, Level: level, Passes: ps, Oracle: o, Out: f.out}, nil
}

func isTerminal(w *os.File) bool { return term.IsTerminal(int(w.Fd())) }

func checkNames() string {
	var names []string
	for _, c := range oracle.Checks() {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}
