package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// bench is where mutants are built and run.
type bench struct {
	hunt   *Hunt
	tmp    string
	goTool string
	shared executable      // birfuzz with all the mutants that share a build, and none of them planted
	number map[*Mutant]int // of a mutant in the shared build; 0: it needs a build of its own
	tests  string          // the tests of the mutated package with all the mutants, if they are asked
}

// newBench returns a bench with a folder of its own. Whoever asked for it closes it.
func newBench(h *Hunt) (*bench, error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("mutants are built with the Go tool: %w", err)
	}
	tmp, err := os.MkdirTemp("", "birfuzz-mutants-")
	return &bench{hunt: h, tmp: tmp, goTool: goTool}, err
}

func (b *bench) close() { os.RemoveAll(b.tmp) }

// executable is a birfuzz with a mutant in it, or with none.
type executable struct {
	binary      string
	number      int      // of the mutant that a shared build is to plant; 0: none
	environment []string // what it is told beside
}

// env is the environment of a process on one core.
func (p executable) env() []string {
	return slices.Concat(os.Environ(), []string{"GOMAXPROCS=1", fmt.Sprintf("%s=%d", plantedVariable, p.number)}, p.environment)
}

// open builds what the mutants share. Where that cannot be, for the text of one spoils the build, each gets a build of its own; the error says
// that the tree does not even build without them.
func (b *bench) open(ctx context.Context, ms []*Mutant) error {
	b.shared = executable{binary: filepath.Join(b.tmp, "shared")}
	files, number, err := schemata(b.hunt.Root, ms)
	if err != nil {
		return err
	}
	if b.number = number; len(number) > 0 && b.build(ctx, b.shared.binary, files) == nil {
		return nil
	}
	b.number = nil
	if err := b.build(ctx, b.shared.binary, nil); err != nil {
		return fmt.Errorf("%s without a mutant %w", b.hunt.Root, err)
	}
	return nil
}

// plant returns a birfuzz with the mutant in it. What it built for this mutant alone is for the caller to remove.
func (b *bench) plant(ctx context.Context, m *Mutant) (executable, error) {
	if n := b.number[m]; n > 0 {
		return executable{binary: b.shared.binary, number: n}, nil
	}
	edited, err := m.edited(b.hunt.Root)
	if err != nil {
		return executable{}, err
	}
	p := executable{binary: filepath.Join(b.tmp, m.Name)}
	err = b.build(ctx, p.binary, map[string]string{m.Source: edited})
	if err == nil {
		return p, nil
	}
	text := err.Error()
	if _, at, ok := strings.Cut(text, filepath.Base(p.binary)+overlayDir+string(filepath.Separator)); ok { // the compiler names the file that it read
		text = "does not build: " + filepath.ToSlash(at)
	}
	return executable{}, fmt.Errorf("%s:%d: the mutant %s", m.Path, m.Edits[0].Line, text)
}

// remove removes what was built for one mutant alone.
func (p executable) remove() {
	if p.number == 0 {
		os.Remove(p.binary)
	}
}

// overlayDir is what the folder of a build's edited files has behind the name of its binary.
const overlayDir = ".src"

// goCommand is a command of the Go tool that makes a binary.
type goCommand struct {
	verb   []string // the command and the flags that it alone takes
	target string   // what it makes the binary of
}

// commandPackage is where birfuzz itself stands in the tree.
const commandPackage = "./cmd/birfuzz"

// build builds birfuzz with some files, as compile does.
func (b *bench) build(ctx context.Context, binary string, files map[string]string) error {
	return b.compile(ctx, goCommand{verb: []string{"build", "-buildvcs=false"}, target: commandPackage}, binary, files)
}

// compile makes a binary with files in place of, or beside, those of the tree; they are named from the root on, with slashes. The error goes on
// from "the mutant …".
func (b *bench) compile(ctx context.Context, c goCommand, binary string, files map[string]string) error {
	args := slices.Concat(c.verb, []string{"-ldflags=-s -w", "-o", binary}) // debug tables would be half of the linker's work
	replace := map[string]string{}
	for name, text := range files {
		at := filepath.Join(binary+overlayDir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			return err
		}
		replace[filepath.Join(b.hunt.Root, filepath.FromSlash(name))] = at
	}
	if len(files) > 0 {
		overlay, err := json.Marshal(map[string]map[string]string{"Replace": replace})
		if err != nil {
			return err
		}
		if err := os.WriteFile(binary+".json", overlay, 0o600); err != nil {
			return err
		}
		args = append(args, "-overlay", binary+".json")
	}
	cmd := exec.CommandContext(ctx, b.goTool, append(args, c.target)...)
	cmd.Dir = b.hunt.Root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("does not build: %s", compilerLine(string(out), err))
	}
	return nil
}

// compilerLine returns the first line of a failed build that is no heading.
func compilerLine(out string, err error) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return err.Error()
}

// run runs a birfuzz that prints a report, on one core, and returns how much processor time that took.
func (p executable) run(ctx context.Context, args []string) (*Report, time.Duration, error) {
	cmd := exec.CommandContext(ctx, p.binary, append(args, "-workers", "1")...)
	cmd.Env = p.env()
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, 0, errors.New("the campaign does not come to its end: the pass runs for ever")
	case errors.As(err, &ended) && ended.ExitCode() == 1: // findings
	case err != nil:
		return nil, 0, fmt.Errorf("the campaign broke down: %s", compilerLine(complaint.String(), err))
	}
	r := &Report{}
	if err := json.Unmarshal(out, r); err != nil {
		return nil, 0, fmt.Errorf("the campaign printed no report: %w", err)
	}
	return r, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
