package passes

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// stderrTail is how much of the end of a command's standard error a failure quotes, in bytes.
const stderrTail = 2 << 10

// pipeGrace is how long a command's pipes are read on after it and its process group are gone: only a process that left the group can still
// hold them open, and nothing it says counts.
const pipeGrace = 500 * time.Millisecond

// process is a running command: the leader of a process group, so that its children can be ended with it.
type process struct {
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	stdout   io.ReadCloser
	stderr   io.ReadCloser
	tail     tail
	tailDone chan struct{} // closed when standard error has ended
	done     chan struct{} // closed when the leader has ended and its group was killed
	state    *os.ProcessState
	timedOut atomic.Bool
}

// start starts the command.
func (c *Command) start() (*process, *Failure) {
	p := &process{cmd: exec.Command(c.argv[0], c.argv[1:]...), done: make(chan struct{}), tailDone: make(chan struct{})}
	ownGroup(p.cmd)
	if err := p.open(); err != nil {
		return nil, &Failure{Crash, "cannot start: " + err.Error()}
	}
	c.mu.Lock()
	c.running[p] = true
	c.mu.Unlock()
	go func() {
		io.Copy(&p.tail, p.stderr) //nolint:errcheck // the end of the pipe, however it comes
		close(p.tailDone)
	}()
	go c.reap(p)
	return p, nil
}

// open starts the process with pipes on all sides.
func (p *process) open() (err error) {
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	if p.stdout, err = p.cmd.StdoutPipe(); err != nil {
		return err
	}
	if p.stderr, err = p.cmd.StderrPipe(); err != nil {
		return err
	}
	return p.cmd.Start()
}

// reap waits for the leader, ends whatever it left behind, and a while later closes standard output, so that a read of it returns.
// Until then the pipes stay open, so that what was written is read.
func (c *Command) reap(p *process) {
	p.state, _ = p.cmd.Process.Wait()
	p.kill()
	close(p.done)
	c.mu.Lock()
	delete(c.running, p)
	c.mu.Unlock()
	time.AfterFunc(pipeGrace, func() { p.stdout.Close() })
}

// kill ends the process and its children.
func (p *process) kill() { killGroup(p.cmd.Process) }

// limit kills the process when the time is over; the returned function calls that off.
func (p *process) limit(timeout time.Duration) (stop func()) {
	t := time.AfterFunc(timeout, func() {
		p.timedOut.Store(true)
		p.kill()
	})
	return func() { t.Stop() }
}

// closePipes ends all copying, even where a process that left the group holds the other ends.
func (p *process) closePipes() {
	p.stdin.Close()
	p.stdout.Close()
	select {
	case <-p.tailDone:
	case <-time.After(pipeGrace):
	}
	p.stderr.Close()
}

// failure describes how an ended process broke down, with the end of its standard error.
func (p *process) failure(class, format string, args ...any) *Failure {
	detail := fmt.Sprintf(format, args...)
	if text := p.tail.String(); text != "" {
		detail += "; standard error ends: " + text
	}
	return &Failure{class, detail}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// Write keeps the last stderrTail bytes.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if n > stderrTail {
		b = b[n-stderrTail:]
	}
	if over := len(t.buf) + len(b) - stderrTail; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	t.buf = append(t.buf, b...)
	return n, nil
}

// String returns what is kept, without white space around it.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return printable(t.buf)
}

func (t *tail) reset() {
	t.mu.Lock()
	t.buf = t.buf[:0]
	t.mu.Unlock()
}
