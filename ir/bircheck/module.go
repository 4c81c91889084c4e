package bircheck

import (
	"maps"
	"slices"
)

// factNames are the facts of x_birfuzz.facts.
var factNames = []string{"Unrolled", "Deps", "Placed", "Grouped", "Synced", "Split", "Virtual"}

func (c *checker) all() {
	m := c.module
	c.arch, c.facts = "gen3", map[string]bool{}
	if m.Arch != nil {
		c.arch = *m.Arch
	}
	if _, ok := generations[c.arch]; !ok {
		c.add("arch", "arch %q, want sunda, gen3 or core_v4", c.arch)
		return
	}
	if m.Version != nil && *m.Version != 2 {
		c.add("version", "version %d, want 2", *m.Version)
	}
	for _, f := range m.Ours.Facts {
		c.facts[f] = c.oneOf("fact", "fact", f, factNames...)
	}
	if len(m.Functions) == 0 {
		c.add("function", "no function, want one for each core")
	}
	if id := m.Attributes.Core; id != nil && (*id < 0 || *id > maxInt || len(m.Functions) != 1) {
		c.add("core", "neuron_core_id %d in a module of %d functions", *id, len(m.Functions))
	}
	c.functions()
}

func (c *checker) functions() {
	names := map[string]bool{}
	for i := range c.module.Functions {
		c.at("functions", i, func() {
			f := &c.module.Functions[i]
			c.name("function", f.Name, names)
			c.function(i, f)
		})
	}
	c.across()
	c.constants()
}

func (c *checker) function(core int, f *function) {
	c.loops, c.meets = nil, nil
	c.sets, c.locs, c.insts = map[string]*set{}, map[string]*location{}, map[string]*inst{}
	for _, a := range f.Attributes {
		c.printable("attribute", a)
	}
	c.storage(f)
	c.collect(f.Blocks, map[string]bool{}, map[string]bool{})
	c.blocks(f.Blocks)
	c.meetings(int64(core))
}

// collect notes the instructions by name, and the loops around each.
func (c *checker) collect(bs []block, blocks, insts map[string]bool) {
	for i := range bs {
		c.at("blocks", i, func() {
			c.name("block", bs[i].Name, blocks)
			for k, in := range bs[i].Instructions {
				c.at("instructions", k, func() {
					if in == nil {
						c.add("type", "null, want an instruction")
						return
					}
					c.name("instruction", in.Name, insts)
					c.insts[in.Name] = in
					in.nest = slices.Clone(c.loops)
					if in.Axis != nil {
						c.loops = append(c.loops, in.Axis)
						defer func() { c.loops = c.loops[:len(c.loops)-1] }()
					}
					c.collect(in.Blocks, blocks, insts)
				})
			}
		})
	}
}

func (c *checker) blocks(bs []block) {
	for i := range bs {
		c.at("blocks", i, func() {
			for k, in := range bs[i].Instructions {
				if in != nil {
					c.at("instructions", k, func() { c.inst(in) })
				}
			}
		})
	}
}

// across checks that functions which name a location of all cores mean the same one.
func (c *checker) across() {
	type owner struct {
		l  *location
		fn int
	}
	first := map[string]owner{}
	for i := range c.module.Functions {
		for _, s := range c.module.Functions[i].Allocations {
			if s == nil || !s.global() {
				continue
			}
			for _, l := range s.Locations {
				if l == nil || l.broken {
					continue
				}
				o, ok := first[l.Name]
				if !ok {
					first[l.Name] = owner{l, i}
				} else if o.fn != i && !o.l.same(l) {
					c.add("cores", "location %q of function %d is another than in function %d", l.Name, i, o.fn)
				}
			}
		}
	}
}

// global tells whether the set's locations are one for all cores (semantics §1).
func (s *set) global() bool {
	return s.space() == "Shared" || s.external()
}

// external tells whether the host gives or takes the tensor.
func (s *set) external() bool {
	return s.Kind == "ExternalInput" || s.Kind == "ExternalOutput" || s.Kind == "Const"
}

func (s *set) space() string {
	if s.AddrSpace == nil {
		return "Local"
	}
	return *s.AddrSpace
}

func (l *location) same(o *location) bool {
	return slices.Equal(l.Dims, o.Dims) && l.set.DType == o.set.DType && l.set.Kind == o.set.Kind && l.set.space() == o.set.space() &&
		l.Allocated == o.Allocated && (!l.Allocated || l.Addr == o.Addr)
}

// constants checks that the data which the module carries fills Const locations.
func (c *checker) constants() {
	sizes := map[string]int64{}
	for i := range c.module.Functions {
		for _, s := range c.module.Functions[i].Allocations {
			if s == nil || s.Kind != "Const" {
				continue
			}
			for _, l := range s.Locations {
				if l != nil && !l.broken {
					sizes[l.Name] = l.bytes()
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.module.Ours.Const)) {
		data := c.module.Ours.Const[name]
		n := int64(len(data.Data))
		if size, ok := sizes[name]; !ok {
			c.add("const", "data for %q, which is no Const location", name)
		} else if n != size {
			c.add("const", "%d bytes of data for %q, which has %d", n, name, size)
		}
		if size, ok := product(append([]int64{widths[data.DType]}, data.Shape...)); !ok || n != size {
			c.add("const", "%d bytes of data for %v of %s", n, data.Shape, data.DType)
		}
	}
}
