package passes

import (
	"bufio"
	"errors"
	"io"
	"time"
)

// server is a process that answers one line for one line.
type server struct {
	proc  *process
	lines chan reply // what it prints, line by line; closed at the end
	used  bool       // it has answered before
}

// reply is a line of a server's output, or why there are no more.
type reply struct {
	line []byte
	err  error
}

// askServer has a server answer. That a server which has answered before is dead, or dies over this program, may be the earlier program's
// doing: a new one is asked, whose answer counts, and the restart is logged.
func (c *Command) askServer(ctx *Ctx, module []byte, timeout time.Duration) ([]byte, *Failure) {
	s, f := c.take()
	if f != nil {
		return nil, f
	}
	line := append(module, '\n')
	used := s.used
	answer, f := s.ask(line, timeout, c.options.MaxOutput)
	if f != nil && used && f.Class == Crash {
		ctx.Logf("%s: server restarted: %s", c.name, f.Detail)
		if s, f = c.begin(); f != nil {
			return nil, f
		}
		answer, f = s.ask(line, timeout, c.options.MaxOutput)
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
			s.discard()
		default:
			return s, nil
		}
	}
}

func (c *Command) begin() (*server, *Failure) {
	p, f := c.start()
	if f != nil {
		return nil, f
	}
	s := &server{proc: p, lines: make(chan reply, 1)}
	go s.read(c.options.MaxOutput)
	return s, nil
}

// read hands on what the server prints, whether or not somebody waits for it: a line that nobody asked for must not pass for the answer to
// the next question.
func (s *server) read(limit int) {
	defer close(s.lines)
	r := bufio.NewReaderSize(s.proc.stdout, 64<<10)
	for {
		line, err := readLine(r, limit)
		s.lines <- reply{line, err}
		if err != nil {
			return
		}
	}
}

// ask sends one line and takes one. After a failure the server is gone.
func (s *server) ask(line []byte, timeout time.Duration, limit int) ([]byte, *Failure) {
	select {
	case r := <-s.lines:
		if r.err == nil {
			r.err = errUnasked
		}
		return nil, s.end(r.err, timeout, limit)
	default:
	}
	p := s.proc
	p.tail.reset()
	stop := p.limit(timeout)
	defer stop()
	sent := make(chan struct{})
	go func() {
		p.stdin.Write(line) //nolint:errcheck // a dead server is seen when its answer is read
		close(sent)
	}()
	r := <-s.lines
	if r.err != nil {
		return nil, s.end(r.err, timeout, limit)
	}
	select {
	case <-sent:
		s.used = true
		return r.line, nil
	case <-time.After(pipeGrace): // the rest of this question would be the beginning of the next
		return nil, s.end(errUnread, timeout, limit)
	}
}

// end ends a server that failed and says how.
func (s *server) end(err error, timeout time.Duration, limit int) *Failure {
	p := s.proc
	if err == io.EOF { // it is about to exit, and how is worth knowing
		p.stdin.Close()
		select {
		case <-p.done:
		case <-time.After(pipeGrace):
		}
	}
	s.discard()
	switch {
	case p.timedOut.Load():
		return p.failure(Hang, "no answer within %v", timeout)
	case err == errFlood:
		return p.failure(Garbage, "more output than %d bytes", limit)
	case err == errUnread || err == errUnasked:
		return p.failure(Garbage, "%v", err)
	}
	return p.failure(Crash, "the server ended without a full line: %v", p.state)
}

// discard ends the server, unless it has ended, and all that belongs to it.
func (s *server) discard() {
	s.proc.kill()
	<-s.proc.done
	s.proc.closePipes()
	for range s.lines { // until the reader has seen the end
	}
}

var (
	errFlood   = errors.New("line too long")
	errUnread  = errors.New("an answer before the whole question was read")
	errUnasked = errors.New("more than one line in answer to one program")
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
