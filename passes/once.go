package passes

import (
	"bytes"
	"io"
	"strings"
	"time"
	"unicode"
)

// askOnce runs the command for one module. Writing, reading and waiting go on side by side: a command that never reads, or that prints
// before it has read all, blocks nobody.
func (c *Command) askOnce(module []byte, timeout time.Duration) ([]byte, *Failure) {
	p, f := c.start()
	if f != nil {
		return nil, f
	}
	stop := p.limit(timeout)
	go func() {
		p.stdin.Write(append(module, '\n')) //nolint:errcheck // a command may close its input early
		p.stdin.Close()
	}()
	var out bytes.Buffer
	io.Copy(&out, io.LimitReader(p.stdout, int64(c.options.MaxOutput)+1)) //nolint:errcheck // what was read counts
	flooded := out.Len() > c.options.MaxOutput
	if flooded {
		p.kill()
	}
	<-p.done
	stop()
	p.closePipes()
	switch {
	case flooded:
		return nil, p.failure(Garbage, "more output than %d bytes", c.options.MaxOutput)
	case p.timedOut.Load():
		return nil, p.failure(Hang, "no answer within %v", timeout)
	case !p.state.Success():
		return nil, p.failure(Crash, "%v", p.state)
	}
	return out.Bytes(), nil
}

// printable returns text of a foreign program without surrounding space and without control characters but line ends and tabs.
func printable(b []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD"))
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return '\uFFFD'
		}
		return r
	}, text)
}
