package ir

import "testing"

// shared are the fields that a clone has in common with its original, by contract never changed in place (see Clone).
var shared = []string{"Extra", "Attrs", "Shape", "L", "LL", "Dist", "RemoteLocalTarget", "Consts"}

// TestCloneIsApart: whatever is changed in a clone, the original's text stays.
func TestCloneIsApart(t *testing.T) {
	p := parseFile(t, "everything.bir")
	text := p.String()
	c := p.Clone()
	sameText(t, c.String(), text)
	all := leaves(c, shared...)
	if len(all) < 1000 {
		t.Fatalf("only %d leaves", len(all))
	}
	for _, l := range all {
		l.change()
	}
	sameText(t, p.String(), text)
}

// TestCloneAppends: lists that grow in a clone and in its original do not grow into each other.
func TestCloneAppends(t *testing.T) {
	p := parseText(t, "func f attrs(a, b, c) {\n}")
	c := p.Clone()
	c.Cores[0].Attrs = append(c.Cores[0].Attrs, "clone")
	p.Cores[0].Attrs = append(p.Cores[0].Attrs, "original")
	if got := c.Cores[0].Attrs[3]; got != "clone" {
		t.Errorf("the clone's attribute is %q", got)
	}
}

// TestClonePointers: every pointer of a clone leads into the clone.
func TestClonePointers(t *testing.T) {
	p := parseFile(t, "everything.bir")
	insts, locs, loops := map[*Inst]bool{}, map[*Loc]bool{}, map[*Loop]bool{}
	for in := range p.Insts {
		insts[in] = true
		loops[in.Loop] = in.Loop != nil
	}
	for _, f := range p.Cores {
		for l := range f.Locs {
			locs[l] = true
		}
	}
	c := p.Clone()
	for in := range c.Insts {
		old := insts[in]
		for _, d := range in.Deps {
			old = old || insts[d.On]
		}
		for _, d := range in.LoopDeps {
			old = old || insts[d.On]
		}
		for i := range in.Args {
			old = old || locs[in.Args[i].Loc]
			for l := range in.Args[i].Off.Axes {
				old = old || loops[l]
			}
		}
		for i := range in.Iter {
			for l := range in.Iter[i].Axes {
				old = old || loops[l]
			}
		}
		if old {
			t.Errorf("%s points into the original", in.Name)
		}
	}
	for _, f := range c.Cores {
		for l := range f.Locs {
			old := locs[l]
			for _, a := range l.Alias {
				old = old || locs[a.Loc]
			}
			if old || l.Set.Locs == nil {
				t.Errorf("%s points into the original", l.Name)
			}
		}
	}
}
