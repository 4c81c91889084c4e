package passes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kballard/go-shellquote"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
)

// Defaults of ExternalOptions.
const (
	DefaultTimeout   = 10 * time.Second
	DefaultMaxOutput = 64 << 20
)

// ExternalOptions bound what a command may take. Zero values stand for the defaults.
type ExternalOptions struct {
	Timeout   time.Duration // for one program, start of the command included
	MaxOutput int           // bytes of standard output for one program
}

// Command is the program behind an external pass. It is used by several goroutines at once, each with a process of its own.
type Command struct {
	name    string
	line    string // as given, before it was split
	argv    []string
	options ExternalOptions
	server  bool
	longest atomic.Int64 // nanoseconds

	mu      sync.Mutex
	idle    []*server         // servers that wait for their next program
	running map[*process]bool // every process, servers too
}

// External returns a pass that runs a command once for each program: a module as bir.json on its standard input, one module back on its
// standard output. The command line is split into words as a POSIX shell would; no shell runs, nothing is expanded. A command that cannot
// be split or found is an error here, before any program is lost on it.
func External(name, command string, o ExternalOptions) (Pass, error) {
	return newCommand(name, command, o, false)
}

// Server returns a pass that keeps a command running for many programs: a module on one line of its standard input, the answer on one
// line of its standard output. Goroutines that run the pass at the same time get a process each; one that fails is replaced by a new one
// for the next program. Close of the Command ends them.
func Server(name, command string, o ExternalOptions) (Pass, error) {
	return newCommand(name, command, o, true)
}

func newCommand(name, line string, o ExternalOptions, server bool) (Pass, error) {
	argv, err := shellquote.Split(line)
	switch {
	case name == "":
		return Pass{}, fmt.Errorf("external pass %q: got no name, want NAME=COMMAND", line)
	case err != nil:
		return Pass{}, fmt.Errorf("external pass %s: cannot split the command %q into words: %w", name, line, err)
	case len(argv) == 0:
		return Pass{}, fmt.Errorf("external pass %s: got no command, want NAME=COMMAND", name)
	}
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return Pass{}, fmt.Errorf("external pass %s: cannot run the command: %w", name, err)
	}
	argv[0] = path
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxOutput <= 0 {
		o.MaxOutput = DefaultMaxOutput
	}
	c := &Command{name: name, line: line, argv: argv, options: o, server: server, running: map[*process]bool{}}
	rule := &Rule{Name: name + ".output", Doc: "Puts the module that the command printed in the place of the one that it was given."}
	return Pass{
		Name:    name,
		Doc:     "External command: " + line,
		Rules:   []*Rule{rule},
		Command: c,
		Run:     func(ctx *Ctx) error { return c.run(ctx, rule) },
	}, nil
}

// Longest returns the longest time in which the command finished one program well, 0 if it never did. Shrinking a hang takes its time limit
// from it: what has always answered in a millisecond need not be waited for ten seconds.
func (c *Command) Longest() time.Duration { return time.Duration(c.longest.Load()) }

// Timeout returns the command's own time limit for one program.
func (c *Command) Timeout() time.Duration { return c.options.Timeout }

// Flag returns the command-line flag that defines the pass, and its value "NAME=COMMAND".
func (c *Command) Flag() (flag, value string) {
	flag = "-pass-cmd"
	if c.server {
		flag = "-pass-server"
	}
	return flag, c.name + "=" + c.line
}

// Close ends every process of the command: servers that wait for work, and what is running for somebody, who gets a Crash. The processes
// are in groups of their own, which an interrupt from the terminal does not reach; whoever is interrupted calls Close. Later runs start
// new ones.
func (c *Command) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for p := range c.running {
		p.kill()
	}
}

// run gives the command the program and puts its answer in the program's place, unless they are the same.
func (c *Command) run(ctx *Ctx, rule *Rule) error {
	p := ctx.Program()
	given, err := birjson.Compact(p)
	if err != nil {
		return err
	}
	timeout := c.options.Timeout
	if ctx.timeout > 0 {
		timeout = ctx.timeout
	}
	begun := time.Now()
	answer, f := c.ask(ctx, given, timeout)
	if f != nil {
		return f
	}
	took := int64(time.Since(begun))
	got, err := c.resolve(answer, p.Facts)
	if err != nil {
		return err
	}
	for old := c.longest.Load(); took > old && !c.longest.CompareAndSwap(old, took); old = c.longest.Load() {
	}
	again, err := birjson.Compact(got)
	if err != nil {
		return &Failure{Illegal, err.Error()}
	}
	if bytes.Equal(again, given) || !ctx.Allow(rule, nil) {
		return nil
	}
	ctx.Edit().Replace(got)
	return nil
}

func (c *Command) ask(ctx *Ctx, module []byte, timeout time.Duration) ([]byte, *Failure) {
	if c.server {
		return c.askServer(ctx, module, timeout)
	}
	return c.askOnce(module, timeout)
}

// resolve reads the command's answer. Facts travel in the module; a command that drops the key is taken to give what it was given, less Deps
// if no edge is left (bir-json.md, "Small things settled").
func (c *Command) resolve(answer []byte, had ir.Facts) (*ir.Program, error) {
	got, err := birjson.Read(bytes.NewReader(answer), c.name+" output")
	var syntax *birjson.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, &Failure{Garbage, err.Error()}
	case err != nil:
		return nil, &Failure{Illegal, err.Error()}
	}
	if got.Facts == 0 && had != 0 && !namesFacts(answer) {
		got.Facts = had
		if !hasEdges(got) {
			got.Facts &^= ir.Deps
		}
	}
	return got, nil
}

// namesFacts tells whether a module holds the key x_birfuzz.facts.
func namesFacts(module []byte) bool {
	var m struct {
		Ours struct {
			Facts *json.RawMessage `json:"facts"`
		} `json:"x_birfuzz"`
	}
	return json.Unmarshal(module, &m) == nil && m.Ours.Facts != nil
}

func hasEdges(p *ir.Program) bool {
	for in := range p.Insts {
		if len(in.Deps)+len(in.LoopDeps) > 0 {
			return true
		}
	}
	return false
}
