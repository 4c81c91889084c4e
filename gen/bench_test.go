package gen

import (
	"fmt"
	"testing"
)

// TestBench: the programs on which speed is measured are what Bench says.
func TestBench(t *testing.T) {
	insts, operands, elements := 0, 0, int64(0)
	const n = 500
	for i := range n {
		p := Program(New(1).Fork(fmt.Sprint(i)), Bench())
		size := p.NumInsts()
		if size < 1 || size > 64 {
			t.Errorf("program %d has %d instructions, want 1 to 64", i, size)
		}
		insts += size
		for in := range p.Insts {
			for k := range in.Args {
				if o := &in.Args[k]; o.IsAP() {
					operands++
					elements += o.Count()
				}
			}
		}
	}
	if mean := float64(insts) / n; mean < 36 || mean > 44 {
		t.Errorf("%.1f instructions in the mean, want 40", mean)
	}
	if mean := elements / int64(operands); mean < 300 {
		t.Errorf("%d elements an operand in the mean, want at least 300", mean)
	} else {
		t.Logf("%d elements an operand, %.1f instructions", mean, float64(insts)/n)
	}
}

// TestSameSeed: equal seeds give equal programs and inputs, different seeds different ones.
func TestSameSeed(t *testing.T) {
	text := func(seed uint64) string {
		r := New(seed)
		p := Program(r.Fork("program"), Swarm(r.Fork("swarm")))
		return p.String() + fmt.Sprint(Inputs(New(seed), p, Edge))
	}
	seen := map[string]bool{}
	for seed := range uint64(50) {
		if first, second := text(seed), text(seed); first != second {
			t.Errorf("seed %d gives two programs", seed)
		}
		seen[text(seed)] = true
	}
	if len(seen) < 45 {
		t.Errorf("%d different programs of 50 seeds", len(seen))
	}
}

// BenchmarkProgram makes programs of the bench on one core.
func BenchmarkProgram(b *testing.B) {
	cfg := Bench()
	for i := 0; b.Loop(); i++ {
		Program(New(uint64(i)), cfg)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
}
