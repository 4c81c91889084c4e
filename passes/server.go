package passes

import (
	"bufio"
	"errors"
	"io"
	"time"
)

// server is a process that answers one line for one line.
type server struct {
	proc *process
	out  *bufio.Reader
	used bool // it has answered before
}

// askServer has a server answer. That a server which has answered before is dead, or dies over this program, may be the earlier program's
// doing: a new one is asked, whose answer counts, and the restart is logged.
func (c *Command) askServer(ctx *Ctx, module []byte, timeout time.Duration) ([]byte, *Failure) {
	s, f := c.take()
	if f != nil {
		return nil, f
	}
	used := s.used
	answer, f := s.ask(append(module, '\n'), timeout, c.options.MaxOutput)
	if f != nil && used && f.Class == Crash {
		ctx.Logf("%s: server restarted: %s", c.name, f.Detail)
		if s, f = c.begin(); f != nil {
			return nil, f
		}
		answer, f = s.ask(append(module, '\n'), timeout, c.options.MaxOutput)
	}
	if f != nil {
		return nil, f
	}
	c.mu.Lock()
	c.idle = append(c.idle, s)
	c.mu.Unlock()
	return answer, nil
}

// take returns an idle server that still lives, or a new one.
func (c *Command) take() (*server, *Failure) {
	for {
		c.mu.Lock()
		n := len(c.idle)
		if n == 0 {
			c.mu.Unlock()
			return c.begin()
		}
		s := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.mu.Unlock()
		select {
		case <-s.proc.done:
			s.proc.closePipes()
		default:
			return s, nil
		}
	}
}

func (c *Command) begin() (*server, *Failure) {
	p, err := start(c.argv)
	if err != nil {
		return nil, &Failure{Crash, "cannot start: " + err.Error()}
	}
	go p.closeLater()
	return &server{proc: p, out: bufio.NewReaderSize(p.stdout, 64<<10)}, nil
}

// ask sends one line and reads one. After a failure the server is gone.
func (s *server) ask(line []byte, timeout time.Duration, limit int) ([]byte, *Failure) {
	p := s.proc
	p.tail.reset()
	stop := p.limit(timeout)
	sent := make(chan struct{})
	go func() {
		p.stdin.Write(line) //nolint:errcheck // a dead server is seen when its answer is read
		close(sent)
	}()
	answer, err := readLine(s.out, limit)
	stop()
	extra := s.out.Buffered()
	if err == nil && extra == 0 && !p.timedOut.Load() {
		s.used = true
		select {
		case <-sent:
			return answer, nil
		case <-time.After(pipeGrace): // it answered without having read its line: the rest of it would be the next question
			err = errUnread
		}
	}
	if err != io.EOF {
		p.kill()
	}
	p.stdin.Close()
	<-p.done
	p.closePipes()
	switch {
	case errors.Is(err, errFlood):
		return nil, p.failure(Garbage, "more output than %d bytes", limit)
	case err == errUnread:
		return nil, p.failure(Garbage, "an answer before the question was read")
	case p.timedOut.Load():
		return nil, p.failure(Hang, "no answer within %v", timeout)
	case err == nil:
		return nil, p.failure(Garbage, "more than one line in answer to one")
	}
	return nil, p.failure(Crash, "the server ended without a full line: %v", p.state)
}

var (
	errFlood  = errors.New("line too long")
	errUnread = errors.New("question not read")
)

// readLine reads up to a line end, at most limit bytes, without the line end.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > limit:
			return nil, errFlood
		case err == bufio.ErrBufferFull:
			continue
		case err != nil:
			return nil, err
		}
		return line[:len(line)-1], nil
	}
}
