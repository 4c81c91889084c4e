package fuzz

import (
	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// claim returns the facts that a failing step gave and without which it is right; none where it is wrong without them too. Then no rewrite is to
// blame: what the pass says of the program is not so, and by fuel whichever was the last would be named, since who is kept from one gives no facts.
func (t *Tester) claim(c Case, r Result) ir.Facts {
	if r.After == nil {
		return 0
	}
	gained := r.After.Facts &^ r.Before.Facts
	if gained == 0 || t.judge.Start(r.Before, c.Values()).Kind != oracle.Same {
		return 0
	}
	after, promise := r.After.Clone(), r.Promise
	after.Facts &^= gained
	if gained.Has(ir.Synced) { // sync_info alone says as much
		unsync(after, r.Before)
	}
	promise.Gives &^= gained
	if t.judge.Next(r.Before, after, promise, true).Kind != oracle.Same {
		return 0
	}
	return gained
}

// unsync gives the instructions of a program the sync_info that those of the same name have in another, in the same core's function; none to others.
func unsync(p, was *ir.Program) {
	for k, f := range p.Cores {
		old := map[string]*ir.Inst{}
		if k < len(was.Cores) {
			for in := range was.Cores[k].Insts {
				old[in.Name] = in
			}
		}
		for in := range f.Insts {
			in.Wait, in.Update = nil, nil
			if o := old[in.Name]; o != nil {
				in.Wait, in.Update = o.Wait, o.Update
			}
		}
	}
}

// analysis returns the name of the pass that writes down what p computes for itself and is wrong about the program, "" if there is none: whatever
// p does wrong there, that comes first.
func (t *Tester) analysis(c Case, p *passes.Pass) string {
	if len(p.Rests) == 0 {
		return ""
	}
	r := t.run(c, p.Rests, passes.Unlimited(), true)
	if !r.Failed {
		return ""
	}
	return r.Pass.Name
}
