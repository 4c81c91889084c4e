package fuzz

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
)

// wrongPass is the environment variable that turns the test binary into a compiler pass with one bug: the external command of these tests.
const wrongPass = "BIRFUZZ_WRONG_PASS"

// serve is the argument that makes it a pass server.
const serve = "serve"

func TestMain(m *testing.M) {
	name := os.Getenv(wrongPass)
	if name == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0") //nolint:errcheck // else each process under the race detector sleeps for a second at its end
		code := m.Run()
		removeTestBench()
		os.Exit(code)
	}
	if err := actWrong(name); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

// wrongEdits are the bugs that edit a program; each changes the first place that has the shape, and nothing when there is none.
var wrongEdits = map[string]func(*ir.Program) bool{
	"drop-semaphore": dropSemaphore,
	"swap":           swapDependent,
	"cross-barrier":  crossBarrier,
	"constant":       changeConstant,
	"accumulate":     breakChain,
	"past-end":       pastEnd,
}

func actWrong(name string) error {
	switch name {
	case "hang":
		time.Sleep(time.Hour)
	case "flood":
		line := bytes.Repeat([]byte("x"), 1<<20)
		for range 200 {
			if _, err := os.Stdout.Write(line); err != nil {
				return err
			}
		}
		return nil
	}
	edit, ok := wrongEdits[name]
	if !ok {
		return errors.New("no wrong pass " + name)
	}
	if len(os.Args) > 1 && os.Args[1] == serve {
		return serveWrong(edit)
	}
	src, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	p, err := birjson.Read(bytes.NewReader(src), "stdin")
	if err != nil {
		return err
	}
	edit(p)
	return birjson.Write(os.Stdout, p)
}

// serveWrong is actWrong for many programs, a line each.
func serveWrong(edit func(*ir.Program) bool) error {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil // the campaign is over
		}
		p, err := birjson.Read(bytes.NewReader(line), "stdin")
		if err != nil {
			return err
		}
		edit(p)
		answer, err := birjson.Compact(p)
		if err != nil {
			return err
		}
		if _, err := os.Stdout.Write(append(answer, '\n')); err != nil {
			return err
		}
	}
}

// eachBlock applies f to every block until it says that it has changed something.
func eachBlock(p *ir.Program, f func(*ir.Block) bool) bool {
	for _, fn := range p.Cores {
		for b := range fn.AllBlocks {
			if f(b) {
				return true
			}
		}
	}
	return false
}

func dropSemaphore(p *ir.Program) bool {
	return eachBlock(p, func(b *ir.Block) bool {
		for i, in := range b.Insts {
			if in.Spec().JSON == "EventSemaphore" {
				b.Insts = slices.Delete(b.Insts, i, i+1)
				dropEdges(p, in)
				return true
			}
		}
		return false
	})
}

func swapDependent(p *ir.Program) bool {
	return eachBlock(p, func(b *ir.Block) bool {
		for i := range len(b.Insts) - 1 {
			if feeds(b.Insts[i], b.Insts[i+1]) {
				b.Insts[i], b.Insts[i+1] = b.Insts[i+1], b.Insts[i]
				return true
			}
		}
		return false
	})
}

// feeds tells whether an output of a is an input of b: the same access, and pure instructions on both sides.
func feeds(a, b *ir.Inst) bool {
	if a.HasEffect() || b.HasEffect() || len(a.Pred)+len(b.Pred) > 0 {
		return false
	}
	for i := range a.Outs() {
		for j := range b.Ins() {
			if a.Outs()[i].IsAP() && a.Outs()[i].Equal(&b.Ins()[j]) {
				return true
			}
		}
	}
	return false
}

func crossBarrier(p *ir.Program) bool {
	return eachBlock(p, func(b *ir.Block) bool {
		for i := range len(b.Insts) - 1 {
			in, next := b.Insts[i], b.Insts[i+1]
			if next.Spec().Effect.Fence() && !in.HasEffect() && len(in.Outs()) > 0 && in.Outs()[0].IsAP() && in.Outs()[0].Loc.Visible() {
				b.Insts[i], b.Insts[i+1] = next, in
				return true
			}
		}
		return false
	})
}

func changeConstant(p *ir.Program) bool {
	for in := range p.Insts {
		switch {
		case in.Spec().Name == "Memset":
			in.SetInt(ir.PConstant, in.Int(ir.PConstant)^1<<(8*int64(in.Args[0].DType.Size())-2))
			return true
		case in.Spec().HasParam(ir.PConst0) && !in.Alu(ir.POp0).Unary():
			in.SetFloat(ir.PConst0, in.Float(ir.PConst0)+1)
			return true
		}
	}
	return false
}

func breakChain(p *ir.Program) bool {
	for in := range p.Insts {
		if in.Spec().Name == "Matmult" && !in.Flag(ir.PStart) {
			in.SetInt(ir.PStart, 1)
			return true
		}
	}
	return false
}

// pastEnd moves a whole-location output one element on.
func pastEnd(p *ir.Program) bool {
	for in := range p.Insts {
		for i := range in.Outs() {
			if o := &in.Args[i]; o.IsAP() && o.Count()*int64(o.DType.Size()) == o.Loc.Bytes() {
				o.Off.C++
				return true
			}
		}
	}
	return false
}
