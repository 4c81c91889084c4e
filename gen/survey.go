package gen

import (
	"hash/fnv"
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// Survey counts what programs are made of. The zero value is ready.
type Survey struct {
	Programs, Insts int
	Least, Most     int                           // instructions of the smallest and the largest program
	Structures      int                           // different sequences of instructions and loops, whatever their operands
	Features        [NumFeatures]int              // programs that have the feature
	Pairs           [NumFeatures][NumFeatures]int // programs that have both; the first has the smaller number
	Rows            []Use                         // by ir.Op
	// Casts counts instructions by the element types of their first input and their first output in memory.
	Casts [num.NumDTypes][num.NumDTypes]int

	maker   Maker
	seen    map[uint64]bool
	samples [][]*ir.Inst // by ir.Op: copies of the first few
}

// maxSamples is how many instructions of each row are kept.
const maxSamples = 16

// Use counts the occurrences of one row of the op table.
type Use struct {
	Count   int
	Engines [ir.NumEngines]int                // occurrences on each
	Types   [num.NumDTypes]int                // operands in memory of each element type
	On      [ir.NumEngines][num.NumDTypes]int // the same on each engine
	Named   [ir.NumParams][]int               // by setting of one of several names: occurrences of each
}

// Draw draws a program as the function Program does, and counts it. It may be used until the next call, as that of a Maker.
func (s *Survey) Draw(r *Rand, c Config) *ir.Program {
	p, t := s.maker.drawn(r, &c)
	s.ready()
	n := p.NumInsts()
	if s.Programs == 0 || n < s.Least {
		s.Least = n
	}
	s.Most = max(s.Most, n)
	s.Programs++
	for f := range NumFeatures {
		if !t.has(f) {
			continue
		}
		s.Features[f]++
		for g := f + 1; g < NumFeatures; g++ {
			if t.has(g) {
				s.Pairs[f][g]++
			}
		}
	}
	for in := range p.Insts {
		s.count(in)
	}
	s.see(structure(p))
	return p
}

func (s *Survey) ready() {
	if s.seen == nil {
		s.seen, s.Rows, s.samples = map[uint64]bool{}, make([]Use, ir.NumOps()), make([][]*ir.Inst, ir.NumOps())
	}
}

func (s *Survey) see(structure uint64) {
	if !s.seen[structure] {
		s.seen[structure] = true
		s.Structures++
	}
}

// Add adds what another survey has counted: of programs that come after those of this one, if the two together are to be what one would be.
func (s *Survey) Add(o *Survey) {
	if o.Programs == 0 {
		return
	}
	s.ready()
	if s.Programs == 0 || o.Least < s.Least {
		s.Least = o.Least
	}
	s.Most = max(s.Most, o.Most)
	s.Programs, s.Insts = s.Programs+o.Programs, s.Insts+o.Insts
	addTo(s.Features[:], o.Features[:])
	for f := range s.Pairs {
		addTo(s.Pairs[f][:], o.Pairs[f][:])
	}
	for op := range s.Rows {
		u, v := &s.Rows[op], &o.Rows[op]
		u.Count += v.Count
		addTo(u.Engines[:], v.Engines[:])
		addTo(u.Types[:], v.Types[:])
		for e := range u.On {
			addTo(u.On[e][:], v.On[e][:])
		}
		for id, list := range v.Named {
			if u.Named[id] == nil {
				u.Named[id] = make([]int, len(list))
			}
			addTo(u.Named[id], list)
		}
		s.samples[op] = append(s.samples[op], o.samples[op]...)
		s.samples[op] = s.samples[op][:min(len(s.samples[op]), maxSamples)]
	}
	for t := range s.Casts {
		addTo(s.Casts[t][:], o.Casts[t][:])
	}
	for h := range o.seen {
		s.see(h)
	}
}

func addTo(sums, list []int) {
	for i, n := range list {
		sums[i] += n
	}
}

// alone returns a copy of what rules of rows ask about: the instruction, its settings, its operands and their locations.
func alone(in *ir.Inst) *ir.Inst {
	c := ir.Inst{Op: in.Op, Engine: in.Engine, NOut: in.NOut, Args: slices.Clone(in.Args), Params: slices.Clone(in.Params)}
	for i := range c.Params {
		p := &c.Params[i]
		p.L, p.LL = slices.Clone(p.L), slices.Clone(p.LL)
		for k := range p.LL {
			p.LL[k] = slices.Clone(p.LL[k])
		}
	}
	for i := range c.Args {
		o := &c.Args[i]
		o.Off.Terms = slices.Clone(o.Off.Terms)
		if o.Loc == nil {
			continue
		}
		if k := slices.IndexFunc(in.Args[:i], func(p ir.Operand) bool { return p.Loc == o.Loc }); k >= 0 {
			o.Loc = c.Args[k].Loc
			continue
		}
		l, set := *o.Loc, *o.Loc.Set
		l.Set, l.Alias, set.Locs, set.Shape = &set, nil, nil, slices.Clone(set.Shape)
		o.Loc = &l
	}
	return &c
}

func (s *Survey) count(in *ir.Inst) {
	s.Insts++
	u := &s.Rows[in.Op]
	if u.Count++; u.Count <= maxSamples {
		s.samples[in.Op] = append(s.samples[in.Op], alone(in))
	}
	u.Engines[in.Engine]++
	for i := range in.Args {
		if o := &in.Args[i]; o.IsAP() {
			u.Types[o.DType]++
			u.On[in.Engine][o.DType]++
		}
	}
	if outs, ins := in.Outs(), in.Ins(); len(outs) > 0 && len(ins) > 0 && outs[0].IsAP() && ins[0].IsAP() {
		s.Casts[ins[0].DType][outs[0].DType]++
	}
	for _, id := range in.Spec().Params {
		if n := len(id.Spec().Names); n > 0 {
			if u.Named[id] == nil {
				u.Named[id] = make([]int, n)
			}
			u.Named[id][in.Int(id)]++
		}
	}
}

// structure returns a hash of which instructions follow each other, in which loops.
func structure(p *ir.Program) uint64 {
	h := fnv.New64a()
	var walk func(bs []*ir.Block)
	walk = func(bs []*ir.Block) {
		for _, b := range bs {
			_, _ = h.Write([]byte{255, 0})
			for _, in := range b.Insts {
				_, _ = h.Write([]byte{byte(in.Op)})
				if in.Loop != nil {
					walk(in.Loop.Blocks)
				}
			}
			_, _ = h.Write([]byte{255, 1})
		}
	}
	for _, f := range p.Cores {
		walk(f.Blocks)
	}
	return h.Sum64()
}
