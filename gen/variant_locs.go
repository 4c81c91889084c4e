package gen

import (
	"strings"

	"birfuzz/ir"
)

// renameLocation gives a location another name, one that sorts elsewhere.
func renameLocation() *Equivalence {
	return &Equivalence{
		Name: "rename", Doc: "a location that only the code of its core knows has another name", share: 0.3, sites: locSites,
		guards: []guard{{"private", func(v *variation, s *site) bool { return v.private(s.loc) }}},
		apply: func(v *variation, s *site) {
			front := "a_"
			if strings.ToLower(s.loc.Name) < "n" {
				front = "z_"
			}
			s.loc.Name = v.fresh(front + s.loc.Name)
			s.loc.Set.Name = v.fresh(s.loc.Name + "_set")
		},
	}
}

// splitLocation gives what is in a location from some instruction on a location of its own.
func splitLocation() *Equivalence {
	return &Equivalence{
		Name: "split", Doc: "from an instruction on that fills a location, the location is another one", share: 0.3, sites: instSites,
		guards: []guard{
			{"output", func(_ *variation, s *site) bool {
				return s.index() >= 0 && s.in.NOut == 1 && s.in.Args[0].IsAP() && s.in.Spec().Effect == ir.Pure
			}},
			{"private", func(v *variation, s *site) bool { return v.private(s.in.Args[0].Loc) }},
			{"top", func(_ *variation, s *site) bool { return s.top }},
			{"predicate", func(_ *variation, s *site) bool { return len(s.in.Pred) == 0 }},
			{"overwrites", func(_ *variation, s *site) bool { return s.in.Spec().WriteMode(s.in) == ir.Overwrites }},
			{"fills", func(_ *variation, s *site) bool { return fills(&s.in.Args[0]) }},
		},
		apply: func(v *variation, s *site) {
			from := s.in.Args[0].Loc
			to := v.twin(s.fn, from, from.Name+"_s")
			s.in.Args[0].Loc = to
			behind := false
			for in := range s.fn.Insts {
				for i := range in.Args {
					if behind && in.Args[i].Loc == from {
						in.Args[i].Loc = to
					}
				}
				behind = behind || in == s.in
			}
		},
	}
}

// fills tells whether an access surely meets every byte of its location: from its first element on, without gaps.
func fills(o *ir.Operand) bool {
	if o.Symbolic() || o.Off.C != 0 {
		return false
	}
	n := int64(1) // elements that the pairs from i on meet in one piece
	for i := int(o.N) - 1; i >= 0; i-- {
		if p := o.AP[i]; p.Num > 1 && int64(p.Step) != n {
			return false
		}
		n *= int64(o.AP[i].Num)
	}
	return n*int64(o.DType.Size()) == o.Loc.Bytes()
}

// padRows makes the rows of a tile longer: every access finds its elements where they went.
func padRows() *Equivalence {
	return &Equivalence{
		Name: "pad", Doc: "a tile has longer rows, of which nobody touches the end", share: 0.3, sites: locSites,
		guards: []guard{
			{"tile", func(_ *variation, s *site) bool {
				return s.loc.Type == ir.SB && s.loc.RowBytes <= maxPadded && s.loc.RowBytes%padBytes == 0
			}},
			{"private", func(v *variation, s *site) bool { return v.private(s.loc) }},
			{"physical", func(_ *variation, s *site) bool { return physical(s.fn, s.loc) }},
		},
		apply: func(_ *variation, s *site) {
			old := s.loc.RowBytes
			s.loc.RowBytes += padBytes
			for in := range s.fn.Insts {
				for i := range in.Args {
					if o := &in.Args[i]; o.IsAP() && o.Loc == s.loc {
						stretch(o, old)
					}
				}
			}
		},
	}
}

const (
	padBytes  = 8       // whole elements of every type
	maxPadded = 8 << 10 // bytes of a row: programs near the capacity keep theirs
)

func physical(f *ir.Func, l *ir.Loc) bool {
	for in := range f.Insts {
		for i := range in.Args {
			if in.Args[i].Loc == l && in.Args[i].Symbolic() {
				return false
			}
		}
	}
	return true
}

// stretch moves an access of a location whose rows had that many bytes.
func stretch(o *ir.Operand, bytes int64) {
	old := bytes / int64(o.DType.Size())
	row := o.Off.C / old
	o.Off.C += row * (o.Pitch() - old)
	if int64(o.AP[0].Step) == old {
		o.AP[0].Step = int32(o.Pitch())
	}
}
