package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/term"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// flags are the flags of one command; those that several commands share mean the same everywhere.
type flags struct {
	*flag.FlagSet
	env      *env
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
	schedule string // -schedule
	findings int    // -stop-after
	corpus   string // -corpus
	known    string // -known
	markdown string // -markdown
	resume   bool   // -resume
	freedom  string // -freedom; "" where the command has none
	variants int    // -variants; 0 where the command has none
}

// pairs is a repeatable NAME=VALUE flag.
type pairs [][2]string

// String and Set make pairs a flag.Value.
func (p *pairs) String() string {
	var b strings.Builder
	for _, d := range *p {
		fmt.Fprintf(&b, "%s=%s\n", d[0], d[1])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Set adds one NAME=VALUE.
func (p *pairs) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	if !ok || name == "" || strings.TrimSpace(value) == "" {
		return fmt.Errorf("want NAME=COMMAND, got %q", s)
	}
	*p = append(*p, [2]string{name, value})
	return nil
}

// maxWorkers bounds -workers: each has memory of its own.
const maxWorkers = 1024

// sharedFlags are the flags that every command accepts.
var sharedFlags = []string{"seed", "count", "duration", "workers", "level", "passes", "out", "json"}

// newFlags returns the flag set of the running command with the shared flags in it.
func newFlags(e *env) *flags {
	f := &flags{FlagSet: flag.NewFlagSet("birfuzz "+e.command.name, flag.ContinueOnError), env: e}
	f.SetOutput(io.Discard) // an error is printed once, on one line, by whoever runs the command
	f.Usage = func() {}
	f.Uint64Var(&f.seed, "seed", 1, "take all randomness from `N`")
	f.IntVar(&f.count, "count", 0, "make `N` programs")
	f.DurationVar(&f.duration, "duration", 0, "stop after `TIME`, as 90s or 1h30m")
	f.IntVar(&f.workers, "workers", 0, "work on `N` programs at a time; 0 is one a CPU")
	f.StringVar(&f.level, "level", "O2", "run the passes of `LEVEL`: "+strings.Join(passes.Levels(), ", ")+";\nor several, separated by commas, or all")
	f.StringVar(&f.passes, "passes", "", "run the passes `NAME,…` in place of a level's, NAME(KNOB=N,…) with other knobs; see birfuzz passes")
	f.StringVar(&f.out, "out", "", "write to `PATH`")
	f.BoolVar(&f.json, "json", false, "print one JSON value on standard output and nothing else there")
	return f
}

// noCount says what the command does where -count is 0, as it is by default.
func (f *flags) noCount(text string) *flags {
	f.Lookup("count").Usage += "; 0 is " + text
	return f
}

// help prints the flags of a command: those that have an effect on it, a line each, then the names of the rest.
func (f *flags) help() {
	w, c := f.env.out, f.env.command
	fmt.Fprintf(w, "usage: birfuzz %s\n\n%s\n\n", strings.TrimSpace(c.name+" [flags] "+c.args), c.doc)
	uses := strings.Fields(c.uses)
	var idle []string
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	f.VisitAll(func(x *flag.Flag) {
		if slices.Contains(sharedFlags, x.Name) && !slices.Contains(uses, x.Name) {
			idle = append(idle, "-"+x.Name)
			return
		}
		value, text := flag.UnquoteUsage(x)
		if d := x.DefValue; d != "" && d != "0" && d != "0s" && d != "false" {
			text += " (" + d + ")"
		}
		fmt.Fprintf(t, "  -%s\t%s\n", strings.TrimSpace(x.Name+" "+value), strings.ReplaceAll(text, "\n", "\n\t"))
	})
	t.Flush() //nolint:errcheck // help on a closed pipe is nobody's loss
	if len(idle) > 0 {
		fmt.Fprintf(w, "\nAccepted everywhere, without effect here: %s.\n", strings.Join(idle, " "))
	}
}

// passFlags adds the flags of commands that run passes.
func (f *flags) passFlags() *flags {
	f.Var(&f.cmds, "pass-cmd", "define the pass `NAME=COMMAND`: it gets a bir.json module on standard input and prints one; repeatable")
	f.Var(&f.servers, "pass-server", "define the pass `NAME=COMMAND`: one process for many programs, one JSON value a line each way; repeatable")
	f.DurationVar(&f.timeout, "pass-timeout", passes.DefaultTimeout, "let an external pass take `TIME` for one program")
	f.IntVar(&f.findings, "stop-after", 0, "stop at `N` findings; 0 is no limit")
	f.StringVar(&f.checks, "checks", "", "judge by the checks `NAME,…` only, or with -NAME,… by all others:\n"+checkNames())
	f.knownFlag()
	return f.scheduleFlag("run every changed program in the order of `SCHEDULE` too, where its facts allow it")
}

// scheduleFlag adds the flag that names an order.
func (f *flags) scheduleFlag(doc string) *flags {
	f.StringVar(&f.schedule, "schedule", "", doc+": engines, early, late,\nstarve:LANE, pct:SEED:DEPTH, path:0.2.1 or edges:SEED")
	return f
}

// order returns the schedule that the flags name; false if they name none.
func (f *flags) order() (s oracle.Schedule, named bool, err error) {
	if f.schedule == "" {
		return s, false, nil
	}
	if s, err = oracle.ParseSchedule(f.schedule); err != nil {
		return s, false, fmt.Errorf("-schedule: %w", err)
	}
	return s, true, nil
}

// parse reads the command line; flags and arguments may stand in any order.
func (f *flags) parse(args []string) ([]string, error) {
	var rest []string
	for {
		switch err := f.Parse(args); {
		case errors.Is(err, flag.ErrHelp):
			f.help()
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%w; `%s -h` lists the flags", err, f.Name())
		}
		if f.NArg() == 0 {
			break
		}
		rest = append(rest, f.Arg(0))
		args = f.Args()[1:]
	}
	switch {
	case f.count < 0:
		return nil, fmt.Errorf("-count: got %d, want 0 or more", f.count)
	case f.workers < 0 || f.workers > maxWorkers:
		return nil, fmt.Errorf("-workers: got %d, want 0 to %d", f.workers, maxWorkers)
	case f.findings < 0:
		return nil, fmt.Errorf("-stop-after: got %d, want 0 or more", f.findings)
	case f.variants < 0:
		return nil, fmt.Errorf("-variants: got %d, want 0 or more", f.variants)
	case f.duration < 0:
		return nil, fmt.Errorf("-duration: got %v, want 0 or more", f.duration)
	}
	return rest, nil
}

// none is parse for a command that takes no arguments.
func (f *flags) none(args []string) error {
	rest, err := f.parse(args)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("got the argument %q, want flags only", rest[0])
	}
	return err
}

// one is parse for a command that takes one file.
func (f *flags) one(args []string) (string, error) {
	rest, err := f.parse(args)
	if err == nil && len(rest) != 1 {
		err = fmt.Errorf("got %d arguments, want one FILE", len(rest))
	}
	if err != nil {
		return "", err
	}
	return rest[0], nil
}

// levels returns the pipelines to run: one that has no name where -passes gives it.
func (f *flags) levels() []string {
	switch {
	case f.passes != "":
		return []string{""}
	case f.level == "all":
		return passes.Levels()
	}
	var out []string
	for l := range strings.SplitSeq(f.level, ",") {
		if l = strings.TrimSpace(l); !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// what says in words which passes the flags ask for.
func (f *flags) what() string {
	if f.passes != "" {
		return "passes " + f.passes
	}
	return "level " + strings.Join(f.levels(), ", ")
}

// pipeline returns the passes that the flags ask for: those of -passes, else of -level; external ones that -passes does not place go last.
func (f *flags) pipeline(level string) ([]passes.Pass, error) {
	external, err := f.external()
	if err != nil {
		return nil, err
	}
	var ps []passes.Pass
	if f.passes != "" {
		ps, err = passesNamed(f.passes, external...)
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
		return nil, fmt.Errorf("-pass-timeout: got %v, want more than 0", f.timeout)
	}
	o := passes.ExternalOptions{Timeout: f.timeout}
	var out []passes.Pass
	taken := passes.Known()
	for _, c := range slices.Concat(f.cmds, f.servers) {
		switch name := c[0]; {
		case slices.Contains(taken, name):
			return nil, fmt.Errorf("a second pass %q: an external pass needs a name of its own", name)
		case strings.ContainsAny(name, ", ()"):
			return nil, fmt.Errorf("external pass %q: got a comma, a blank or a bracket in the name, which -passes could not tell from two names or from knobs", name)
		default:
			taken = append(taken, name)
		}
	}
	for _, c := range f.cmds {
		p, err := passes.External(c[0], c[1], o)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	for _, c := range f.servers {
		p, err := passes.Server(c[0], c[1], o)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// oracleOptions returns how the flags want steps judged.
func (f *flags) oracleOptions() (o oracle.Options, err error) {
	if f.checks != "" {
		if o.Checks, err = oracle.ParseChecks(f.checks); err != nil {
			return o, fmt.Errorf("-checks: %w", err)
		}
		if !strings.HasPrefix(f.checks, "-") {
			o.Steady = 1 // whoever names steady wants it of every step
		}
	}
	o.Schedule, _, err = f.order()
	return o, err
}

// inOrder tells why the passes cannot work in their order on programs that may have the given facts. A list in which a pass needs what nobody
// gives would run without a word and test nothing, since the pass declines every program.
func (f *flags) inOrder(ps []passes.Pass, level string, facts ir.Facts) error {
	err := passes.Check(ps, facts)
	switch {
	case err == nil:
		return nil
	case f.passes != "":
		return fmt.Errorf("-passes: %w", err)
	}
	return fmt.Errorf("level %s: %w", level, err)
}

// campaign returns a campaign as the flags describe it, over the passes of one level, on programs that may have the given facts.
func (f *flags) campaign(level string, facts ir.Facts) (*fuzz.Campaign, error) {
	ps, err := f.pipeline(level)
	if err != nil {
		return nil, err
	}
	if err := f.inOrder(ps, level, facts); err != nil {
		return nil, err
	}
	o, err := f.oracleOptions()
	if err != nil {
		return nil, err
	}
	free, err := f.freed()
	if err != nil {
		return nil, err
	}
	return &fuzz.Campaign{Seed: f.seed, Count: f.count, Duration: f.duration, Workers: fuzz.Workers(f.workers), Findings: f.findings, Level: level,
		Passes: ps, Freedom: free, Variants: f.varied(), Oracle: o, Out: f.out}, nil
}

func isTerminal(w *os.File) bool { return term.IsTerminal(int(w.Fd())) }

// checkNames lists the checks, with a break in the middle of the list.
func checkNames() string {
	var names []string
	for _, c := range oracle.Checks() {
		names = append(names, c.Name)
	}
	half := len(names) / 2
	return strings.Join(names[:half], ", ") + ",\n" + strings.Join(names[half:], ", ")
}
