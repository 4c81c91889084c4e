package gen

import (
	"fmt"
	"testing"

	"birfuzz/ir"
)

// TestBench: the programs on which speed is measured are what Bench says: 40 instructions in the mean, 300 to 330 elements an operand, and few
// of the large operands that would decide the figures alone.
func TestBench(t *testing.T) {
	insts, operands, large, elements := 0, 0, 0, int64(0)
	const n = 1000
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
					if o.Count() > 4096 {
						large++
					}
				}
			}
		}
	}
	inst, elem, share := float64(insts)/n, float64(elements)/float64(operands), float64(large)/float64(operands)
	t.Logf("%.2f instructions, %.1f elements an operand, %.2f %% of the operands above 4096", inst, elem, 100*share)
	if inst < 39.5 || inst > 40.5 {
		t.Errorf("%.2f instructions in the mean, want 39.5 to 40.5", inst)
	}
	if elem < 300 || elem > 330 {
		t.Errorf("%.1f elements an operand in the mean, want 300 to 330", elem)
	}
	if share > 0.01 || large == 0 {
		t.Errorf("%.2f %% of the operands have more than 4096 elements, want a few and at most 1 %%", 100*share)
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

// BenchmarkVerified makes and verifies programs of the bench on one core.
func BenchmarkVerified(b *testing.B) {
	cfg := Bench()
	var v ir.Verifier
	for i := 0; b.Loop(); i++ {
		if p := Program(New(uint64(i)), cfg); len(v.Verify(p, p.Facts)) > 0 {
			b.Fatal("an illegal program")
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
}

// BenchmarkProgram makes programs of the bench on one core.
func BenchmarkProgram(b *testing.B) {
	cfg := Bench()
	for i := 0; b.Loop(); i++ {
		Program(New(uint64(i)), cfg)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
}

// BenchmarkInputs draws an input set of every kind for programs of the bench on one core.
func BenchmarkInputs(b *testing.B) {
	cfg := Bench()
	programs := make([]*ir.Program, 200)
	for i := range programs {
		programs[i] = Program(New(uint64(i)), cfg)
	}
	for i := 0; b.Loop(); i++ {
		n := NeedsOf(programs[i%len(programs)])
		for k := range NumInputKinds {
			n.Inputs(New(uint64(i)), k)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
}

// BenchmarkMaker makes and verifies programs of at most 64 instructions on one core, each in the memory of the one before: those of the bench, which
// are long, and as campaigns draw them, with every feature and with a swarm of its own for each program.
func BenchmarkMaker(b *testing.B) {
	bench, all := Bench(), Default()
	for _, x := range []struct {
		name   string
		config func(seed uint64) *Config
	}{
		{"bench", func(uint64) *Config { return &bench }},
		{"default", func(uint64) *Config { return &all }},
		{"swarm", func(seed uint64) *Config { c := Swarm(New(seed)); return &c }},
	} {
		b.Run(x.name, func(b *testing.B) {
			var m Maker
			var v ir.Verifier
			insts := 0
			for i := 0; b.Loop(); i++ {
				p := m.Program(New(uint64(i)), x.config(uint64(i)))
				if len(v.Verify(p, p.Facts)) > 0 {
					b.Fatal("an illegal program")
				}
				insts += p.NumInsts()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "programs/s")
			b.ReportMetric(float64(insts)/float64(b.N), "insts/program")
		})
	}
}
