package gen

import (
	"slices"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
)

// defect tells what is wrong with how a program runs; "" if it has a meaning and leaves no undefined byte in an output.
func defect(p *ir.Program) string {
	in := NeedsOf(p).Inputs(New(3), Exact)
	if v := oracle.NewJudge(oracle.Options{}).Start(p, []ir.Values{in}); v.Kind == oracle.Void {
		return v.Why
	}
	r, err := oracle.Execute(p, in)
	if err != nil {
		return "" // too large to tell
	}
	for name, undefined := range r.Poison {
		if slices.Contains(undefined, true) {
			return "undefined bytes in " + name
		}
	}
	return ""
}

// someProgram draws a program of a configuration of its own.
func someProgram(r *Rand) *ir.Program {
	cfg := Swarm(r)
	cfg.MaxInsts = 40
	return Program(r, cfg)
}

// TestDefect: the question that the other tests ask can be answered with no.
func TestDefect(t *testing.T) {
	for i := range uint64(40) {
		p := someProgram(New(i))
		for in := range p.Insts {
			in.Pred = append(in.Pred, ir.Predicate{Expr: ir.Konst(1), Cmp: ir.IsLT})
		}
		if defect(p) != "" {
			return
		}
	}
	t.Error("programs of which nothing runs are called good")
}

// TestChanges: each kind of change finds its place in generated programs, mostly leaves a legal program, and never one without a meaning; the
// program that it is made from is left alone.
func TestChanges(t *testing.T) {
	t.Parallel()
	programs := 100
	if birtest.Quick() {
		programs = 12
	}
	var verifier ir.Verifier
	for _, c := range changes {
		made, refused := 0, 0
		for i := range programs {
			r := New(uint64(i)).Fork("changes " + c.name)
			p := someProgram(r)
			if p.Facts.Has(ir.Synced) && !c.still {
				continue
			}
			had := p.String()
			w := newPatch(r.split(), p.Clone())
			if !c.make(w) {
				continue
			}
			made++
			w.prog.Facts &^= c.drops
			w.prog.Number()
			if had != p.String() {
				t.Fatalf("%s changed the program that it was given", c.name)
			}
			if len(verifier.Verify(w.prog, w.prog.Facts)) > 0 {
				refused++
			} else if bad := defect(w.prog); bad != "" && defect(p) == "" {
				t.Errorf("%s: %s\n%s\n%s", c.name, bad, ir.Diff(p, w.prog), p)
			}
		}
		if made < programs/20 || refused > made*3/4+2 {
			t.Errorf("%s: %d made in %d programs, %d refused", c.name, made, programs, refused)
		}
	}
}

// TestVary: changes on changes and joined programs stay legal and keep a meaning; the same numbers give the same program.
func TestVary(t *testing.T) {
	t.Parallel()
	chains, made, joined := 60, 0, 0
	if birtest.Quick() {
		chains = 8
	}
	var v, again Varier
	for i := range chains {
		r := New(uint64(i)).Fork("chain")
		p := someProgram(r)
		for range 5 {
			label, other := r.split(), someProgram(r)
			had := p.String() + other.String()
			q := v.Vary(label.Fork("vary"), p)
			if x := again.Vary(label.Fork("vary"), p); (x == nil) != (q == nil) || x != nil && x.String() != q.String() {
				t.Fatal("two programs for one number")
			}
			if s := v.Splice(label.Fork("splice"), p, other); s != nil {
				joined++
				q = s
			}
			if had != p.String()+other.String() {
				t.Fatal("a program that was given was changed")
			}
			if q == nil {
				continue
			}
			made++
			if bad := defect(q); bad != "" && defect(p)+defect(other) == "" {
				t.Fatalf("%s\n%s\n%s", bad, ir.Diff(p, q), p)
			}
			if q.NumInsts() < 2*mostVaried {
				p = q
			}
		}
	}
	if made < 4*chains || joined < chains/4 || v.Refused > v.Tried/3 {
		t.Errorf("%d made of %d, %d joined, %d of %d refused", made, 5*chains, joined, v.Refused, v.Tried)
	}
}
