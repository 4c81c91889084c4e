package gen

import (
	"github.com/leanovate/gopter"

	"birfuzz/ir"
)

// Programs returns a gopter generator of programs of a configuration, for property tests:
//
//	properties.Property("a pass keeps …", prop.ForAll(func(p *ir.Program) bool { … }, gen.Programs(gen.Default())))
//
// A property must not change the program that it is given. A counter-example is shrunk by leaving instructions out: the last half, quarter, …
// then every other run of such lengths down to single instructions, from the back. What is left verifies, but it may read bytes that nobody
// writes any more, and it claims no fact Deps: a property for which that matters must ask. The campaign's own shrinker does more.
func Programs(c Config) gopter.Gen {
	return func(params *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(Program(New(params.NextUint64()), c), shrink)
	}
}

func shrink(v any) gopter.Shrink {
	p, ok := v.(*ir.Program)
	if !ok {
		return gopter.NoShrink
	}
	s := &shrinker{prog: p, total: p.NumInsts()}
	s.size = (s.total + 1) / 2
	s.from = s.total - s.size
	return s.next
}

// shrinker steps through runs of instructions to leave out: of falling size, each size from the back.
type shrinker struct {
	prog       *ir.Program
	total      int
	size, from int
	verifier   ir.Verifier
}

func (s *shrinker) next() (any, bool) {
	for s.size > 0 {
		q := s.without(max(s.from, 0), s.from+s.size)
		if s.from -= s.size; s.from <= -s.size {
			s.size /= 2
			s.from = s.total - s.size
		}
		if q != nil {
			return q, true
		}
	}
	return nil, false
}

// without returns the program less the instructions numbered from lo up to hi, nil if none of them can go or what is left does not verify.
func (s *shrinker) without(lo, hi int) *ir.Program {
	q := s.prog.Clone()
	gone := map[*ir.Inst]bool{}
	for in := range q.Insts {
		if n := int(in.ID); n >= lo && n < hi && !in.HasSync() {
			gone[in] = true
		}
	}
	if len(gone) == 0 {
		return nil
	}
	e := ir.NewEdit(q)
	e.Delete(gone)
	e.Done()
	if q.Facts &^= ir.Deps; len(s.verifier.Verify(q, q.Facts)) > 0 {
		return nil
	}
	return q
}
