package passes

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kballard/go-shellquote"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
)

// The test binary is its own foreign compiler: `BINARY -fake MODE …`.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-fake" {
		fake(os.Args[2], os.Args[3:])
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") //nolint:errcheck // else each process under the race detector sleeps for a second at its end
	os.Exit(m.Run())
}

func fake(mode string, args []string) {
	switch mode {
	case "sleep":
		time.Sleep(time.Hour)
	case "hang", "orphan": // with a child, which orphan leaves behind
		child := exec.Command(os.Args[0], "-fake", "sleep")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.Start()
		os.WriteFile(args[0], []byte(strconv.Itoa(child.Process.Pid)), 0o666)
		if mode == "hang" {
			fmt.Fprintln(os.Stderr, "waiting for Godot")
			time.Sleep(time.Hour)
		}
		io.Copy(os.Stdout, os.Stdin)
	case "exit":
		io.Copy(io.Discard, os.Stdin)
		fmt.Fprint(os.Stderr, strings.Repeat("noise ", 2000), "assertion 828\n")
		os.Exit(3)
	case "flood":
		for {
			os.Stdout.Write(bytes.Repeat([]byte("["), 1<<16))
		}
	case "print":
		io.Copy(io.Discard, os.Stdin)
		fmt.Print(args[0])
	case "deaf": // closes its input unread, then answers
		os.Stdin.Close()
		fmt.Print(`{"functions":[]}`)
	case "deaf-hang":
		time.Sleep(time.Hour)
	case "early": // answers at length before it reads
		fmt.Print(`{"functions":[]}`, strings.Repeat(" ", 1<<20))
		io.Copy(io.Discard, os.Stdin)
	case "serve":
		serve(args)
	default:
		in, _ := io.ReadAll(os.Stdin)
		os.Stdout.Write(rewrite(mode, in))
	}
	os.Exit(0)
}

// rewrite is what the well-behaved commands do to a module.
func rewrite(mode string, module []byte) []byte {
	if mode == "identity" {
		return module
	}
	p, err := birjson.Read(bytes.NewReader(module), "standard input")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
	switch mode {
	case "drop-facts":
		p.Facts = 0
	case "drop-edges":
		p.Facts = 0
		for in := range p.Insts {
			in.Deps = nil
		}
	case "drop-last":
		b := p.Cores[0].Blocks[0]
		b.Insts = b.Insts[:len(b.Insts)-1]
	case "reprint":
	default:
		os.Exit(5)
	}
	out, _ := birjson.Compact(p)
	return out
}

// serve answers line by line; args[0] is what goes wrong at the line numbered args[1], from 1.
func serve(args []string) {
	at, _ := strconv.Atoi(args[1])
	r := bufio.NewReader(os.Stdin)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if err != nil {
			os.Exit(0)
		}
		if n == at {
			switch args[0] {
			case "crash":
				fmt.Fprintln(os.Stderr, "served enough")
				os.Exit(7)
			case "hang":
				time.Sleep(time.Hour)
			case "twice":
				os.Stdout.Write(line)
			case "flood":
				fake("flood", nil)
			}
		}
		os.Stdout.Write(line)
	}
}

// command quotes a command line that runs the fake.
func command(words ...string) string {
	return shellquote.Join(append([]string{os.Args[0], "-fake"}, words...)...)
}

func external(t testing.TB, o ExternalOptions, words ...string) Pass {
	t.Helper()
	p, err := External("mine", command(words...), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func one(t testing.TB, src string, pass Pass) *Step {
	t.Helper()
	return steps(parse(t, src), Unlimited(), pass)[0]
}

const edged = `
module facts(Deps,Placed)
func sg0000 {
  output y: f32[4,8]
  sb t: f32[4,8] at addr 0
  I-0: t = Memset @DVE constant=1
  I-1: y = Save t @SP after(I-0)
}`

func TestExternal(t *testing.T) {
	for _, tt := range []struct {
		mode    string
		changed bool
		insts   int
		facts   ir.Facts
	}{
		{"identity", false, 2, ir.Deps | ir.Placed},
		{"reprint", false, 2, ir.Deps | ir.Placed},
		{"drop-facts", false, 2, ir.Deps | ir.Placed},
		{"drop-edges", true, 2, ir.Placed},
		{"drop-last", true, 1, ir.Deps | ir.Placed},
	} {
		pass := external(t, ExternalOptions{}, tt.mode)
		s := one(t, edged, pass)
		switch {
		case s.Failure != nil:
			t.Errorf("%s: %v", tt.mode, s.Failure)
		case s.Changed != tt.changed || s.After.NumInsts() != tt.insts || s.After.Facts != tt.facts || s.Before.NumInsts() != 2:
			t.Errorf("%s: changed %v, facts %v, after\n%s", tt.mode, s.Changed, s.After.Facts, s.After)
		case s.Changed && s.Tally[0].Fired != 1:
			t.Errorf("%s: tally %+v", tt.mode, s.Tally[0])
		case pass.Command.Longest() <= 0:
			t.Errorf("%s: no duration", tt.mode)
		}
	}
}

// Out of fuel, the answer is not taken.
func TestExternalFuel(t *testing.T) {
	s := steps(parse(t, edged), Options{Fuel: 0}, external(t, ExternalOptions{}, "drop-last"))[0]
	if s.Failure != nil || s.Changed || s.Tally[0].Refused != 1 {
		t.Errorf("got %+v", s)
	}
}

// limited gives what is going to hang little time; everything else has the default, for machines are slow at times.
func limited(o ExternalOptions, class string) ExternalOptions {
	if class == Hang {
		o.Timeout = 400 * time.Millisecond
	}
	return o
}

func TestExternalFailures(t *testing.T) {
	t.Parallel()
	small := ExternalOptions{MaxOutput: 1 << 20}
	for name, tt := range map[string]struct {
		words []string
		class string
		want  []string
	}{
		"exit":      {[]string{"exit"}, Crash, []string{"exit status 3", "standard error ends: ", "noise assertion 828"}},
		"hang":      {[]string{"hang", filepath.Join(t.TempDir(), "pid")}, Hang, []string{"no answer within 400ms"}},
		"deaf-hang": {[]string{"deaf-hang"}, Hang, []string{"no answer within 400ms"}},
		"flood":     {[]string{"flood"}, Garbage, []string{"more output than 1048576 bytes"}},
		"garbage":   {[]string{"print", "Segmentation fault"}, Garbage, []string{"mine output:1:1"}},
		"nothing":   {[]string{"print", ""}, Garbage, []string{"mine output:1:1"}},
		"two":       {[]string{"print", `{"functions":[]} {}`}, Garbage, []string{"mine output:1:18"}},
		"illegal":   {[]string{"print", `{"functions":[{"name":"f","blocks":[{"name":"b","instructions":[{"name":"I","opcode":"Save","dependencies":["J"]}]}]}]}`}, Illegal, []string{"mine output: functions[0]"}},
		"type":      {[]string{"print", `[1,2]`}, Illegal, []string{"object"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pass := external(t, limited(small, tt.class), tt.words...)
			s := one(t, sample, pass)
			if s.Failure == nil || s.Failure.Class != tt.class {
				t.Fatalf("got %v, want %s", s.Failure, tt.class)
			}
			for _, w := range tt.want {
				if !strings.Contains(s.Failure.Detail, w) {
					t.Errorf("got %q, want …%s…", s.Failure.Detail, w)
				}
			}
			if len(s.Failure.Detail) > stderrTail+200 {
				t.Errorf("%d bytes of detail", len(s.Failure.Detail))
			}
			if s.Changed || pass.Command.Longest() != 0 {
				t.Errorf("changed %v, longest %v", s.Changed, pass.Command.Longest())
			}
		})
	}
}

// big is a module larger than any pipe holds.
func big() string {
	var b strings.Builder
	b.WriteString("func sg0000 {\n  sb t: f32[4,8]\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "  I-%d: t = Memset @DVE constant=1\n", i)
	}
	return b.String() + "}\n"
}

// A command that closes its input, or answers before it reads, blocks nobody, however much is written to it.
func TestExternalPipes(t *testing.T) {
	for _, mode := range []string{"deaf", "early"} {
		s := one(t, big(), external(t, ExternalOptions{}, mode))
		if s.Failure != nil || !s.Changed || s.After.NumInsts() != 0 {
			t.Errorf("%s: %v", mode, s.Failure)
		}
	}
}

// dead waits until the process that file names is gone.
func dead(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(string(text))
	for range 100 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") { // a zombie waits for whoever adopted it
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}

// Children die with the command: after a time-out, and those that a command leaves behind.
func TestExternalChildren(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	if s := one(t, sample, external(t, ExternalOptions{Timeout: time.Second}, "hang", file)); s.Failure == nil || s.Failure.Class != Hang || !strings.Contains(s.Failure.Detail, "waiting for Godot") {
		t.Errorf("got %v", s.Failure)
	}
	dead(t, file)
	begun := time.Now()
	s := one(t, sample, external(t, ExternalOptions{}, "orphan", file))
	if s.Failure != nil || s.Changed {
		t.Errorf("got %v, changed %v", s.Failure, s.Changed)
	}
	dead(t, file)
	if d := time.Since(begun); d > 5*time.Second {
		t.Errorf("a child that holds the pipes costs %v", d)
	}
}

// The time limit of one run goes before the command's own.
func TestExternalTimeoutOfRun(t *testing.T) {
	o := Unlimited()
	o.Timeout = 100 * time.Millisecond
	s := steps(parse(t, sample), o, external(t, ExternalOptions{}, "deaf-hang"))[0]
	if s.Failure == nil || s.Failure.Class != Hang || !strings.Contains(s.Failure.Detail, "100ms") {
		t.Errorf("got %v", s.Failure)
	}
}

func TestExternalUsage(t *testing.T) {
	noExec := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(noExec, []byte("#!/bin/sh\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"":                    "got no command",
		"   ":                 "got no command",
		"cat 'unfinished":     "cannot split the command",
		"no-such-command-xyz": "cannot run the command",
		noExec:                "cannot run the command",
	} {
		for _, make := range []func(string, string, ExternalOptions) (Pass, error){External, Server} {
			if _, err := make("mine", line, ExternalOptions{}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "mine") {
				t.Errorf("%q: got %v, want …%s…", line, err, want)
			}
		}
	}
	if _, err := External("", "cat", ExternalOptions{}); err == nil {
		t.Error("no name: no error")
	}
	for given, want := range map[time.Duration]time.Duration{0: DefaultTimeout, time.Second: time.Second} {
		if got := external(t, ExternalOptions{Timeout: given}, "identity").Command.Timeout(); got != want {
			t.Errorf("time limit %v: got %v, want %v", given, got, want)
		}
	}
}

// Words are split as a shell does, and nothing is expanded.
func TestExternalWords(t *testing.T) {
	module := `{"functions":[{"name":"$HOME * \"x y\""}]}`
	s := one(t, sample, external(t, ExternalOptions{}, "print", module))
	if s.Failure != nil || s.After.Cores[0].Name != `$HOME * "x y"` {
		t.Errorf("got %v, %v", s.Failure, s.After)
	}
}

func serving(t *testing.T, o ExternalOptions, what string, at int) Pass {
	t.Helper()
	p, err := Server("mine", command("serve", what, strconv.Itoa(at)), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Command.Close)
	return p
}

func TestServer(t *testing.T) {
	pass := serving(t, ExternalOptions{}, "nothing", 0)
	var pid int
	for i := range 5 {
		if s := one(t, big(), pass); s.Failure != nil || s.Changed {
			t.Fatalf("program %d: %v", i, s.Failure)
		}
		now := pass.Command.idle[0].proc.cmd.Process.Pid
		if len(pass.Command.idle) != 1 || i > 0 && now != pid {
			t.Fatalf("program %d: process %d after %d, %d idle", i, now, pid, len(pass.Command.idle))
		}
		pid = now
	}
}

// Workers get a server each, and the servers are kept.
func TestServerWorkers(t *testing.T) {
	pass := serving(t, ExternalOptions{}, "nothing", 0)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				if s := one(t, sample, pass); s.Failure != nil || s.Changed {
					t.Errorf("got %v", s.Failure)
				}
			}
		})
	}
	wg.Wait()
	if n := len(pass.Command.idle); n < 1 || n > 4 {
		t.Errorf("%d servers for 4 workers", n)
	}
}

// A server that fails over its first program is to blame; the next program gets a new one.
func TestServerFailures(t *testing.T) {
	t.Parallel()
	small := ExternalOptions{MaxOutput: 1 << 16}
	for what, tt := range map[string]struct{ class, want string }{
		"crash": {Crash, "exit status 7; standard error ends: served enough"},
		"hang":  {Hang, "no answer within 400ms"},
		"flood": {Garbage, "more output than 65536 bytes"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			pass := serving(t, limited(small, tt.class), what, 1)
			for range 2 {
				s := one(t, sample, pass)
				if s.Failure == nil || s.Failure.Class != tt.class || !strings.Contains(s.Failure.Detail, tt.want) {
					t.Errorf("got %v, want %s: …%s…", s.Failure, tt.class, tt.want)
				}
				if len(pass.Command.idle) != 0 {
					t.Error("a failed server is kept")
				}
			}
		})
	}
}

// A second line in answer to one program is seen at the next at the latest.
func TestServerUnasked(t *testing.T) {
	pass := serving(t, ExternalOptions{}, "twice", 1)
	one(t, sample, pass)
	for range 100 { // the line may be under way
		if len(pass.Command.idle[0].lines) > 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	s := one(t, sample, pass)
	if s.Failure == nil || s.Failure.Class != Garbage || !strings.Contains(s.Failure.Detail, "more than one line") {
		t.Errorf("got %v", s.Failure)
	}
}

// A server that dies over a later program may have been broken by an earlier one: the program is asked again of a new server, and the log
// says so.
func TestServerRestart(t *testing.T) {
	pass := serving(t, ExternalOptions{}, "crash", 2)
	for i := range 3 {
		s := one(t, sample, pass)
		if s.Failure != nil || s.Changed {
			t.Fatalf("program %d: %v", i, s.Failure)
		}
		if restarted := len(s.Events) > 0 && strings.Contains(s.Events[0].Text, "server restarted"); restarted != (i > 0) {
			t.Errorf("program %d: events %v", i, s.Events)
		}
	}
	pass.Command.idle[0].proc.kill()
	<-pass.Command.idle[0].proc.done
	if s := one(t, sample, pass); s.Failure != nil {
		t.Errorf("after the idle server was killed: %v", s.Failure)
	}
}

func TestServerClose(t *testing.T) {
	pass := serving(t, ExternalOptions{}, "nothing", 0)
	one(t, sample, pass)
	s := pass.Command.idle[0]
	pass.Command.Close()
	select {
	case <-s.proc.done:
	case <-time.After(5 * time.Second):
		t.Error("the server lives on")
	}
	if s := one(t, sample, pass); s.Failure != nil {
		t.Errorf("after Close: %v", s.Failure)
	}
}
