package ir

import (
	"fmt"
	"strings"
	"testing"
)

// textProgram is a program of 40 instructions like those of a campaign: loads, arithmetic, saves, edges.
func textProgram(b *testing.B) *Program {
	var t strings.Builder
	t.WriteString("func sg0000 {\n  input x: f32[128,64]\n  output y: f32[128,64]\n")
	for i := range 12 {
		fmt.Fprintf(&t, "  sb t%d: f32[128,64]\n", i)
	}
	t.WriteString("Block1:\n")
	for i := range 40 {
		d, s := i%12, (i+5)%12
		after := ""
		if i > 0 {
			after = fmt.Sprintf(" after(I-%d, anti I-0)", i-1)
		}
		switch {
		case i < 12:
			fmt.Fprintf(&t, "  I-%d: t%d = Load x @SP queue=q0%s\n", i, d, after)
		case i < 36:
			fmt.Fprintf(&t, "  I-%d: t%d[:, 0:32] = TensorTensor t%d[:, 0:32], t%d[:, 32:64] op=add @DVE%s\n", i, d, s, d, after)
		default:
			fmt.Fprintf(&t, "  I-%d: y = Save t%d @SP queue=q0%s\n", i, d, after)
		}
	}
	t.WriteString("}\n")
	return parseText(b, t.String())
}

// perInst reports the time of an instruction.
func perInst(b *testing.B, p *Program) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.NumInsts()), "ns/inst")
}

func BenchmarkHash(b *testing.B) {
	p := textProgram(b)
	var sink uint64
	for b.Loop() {
		sink += p.Hash()
	}
	perInst(b, p)
}

func BenchmarkClone(b *testing.B) {
	p := textProgram(b)
	b.ReportAllocs()
	for b.Loop() {
		p.Clone()
	}
	perInst(b, p)
}

func BenchmarkPrint(b *testing.B) {
	p := textProgram(b)
	b.ReportAllocs()
	for b.Loop() {
		_ = p.String()
	}
	perInst(b, p)
}

func BenchmarkParse(b *testing.B) {
	p := textProgram(b)
	src := p.String()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("bench.bir", src); err != nil {
			b.Fatal(err)
		}
	}
	perInst(b, p)
}
