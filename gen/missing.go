package gen

import (
	"fmt"
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// Missing lists what no program has though programs of the configuration may: features and pairs of features that do not exclude each other,
// instructions that have a weight, on each engine and with each element type there that they may have, names of their settings, and pairs of
// element types read and written.
func (s *Survey) Missing(c *Config) []string {
	s.ready()
	var out []string
	for f := range NumFeatures {
		if c.Features[f] == 0 {
			continue
		}
		if s.Features[f] == 0 {
			out = append(out, "feature "+f.String())
		}
		for g := f + 1; g < NumFeatures; g++ {
			if s.Pairs[f][g] == 0 && c.Features[g] > 0 && !excluded(f, g) {
				out = append(out, fmt.Sprintf("features %v and %v", f, g))
			}
		}
	}
	for spec := range ir.Ops {
		if spec.Weight > 0 && !c.rowSet().without[spec] && c.engines(spec) != 0 {
			out = s.missingOf(c, spec, out)
		}
	}
	return s.missingCasts(c, out)
}

// missingCasts adds the pairs of element types that no instruction reads and writes though some row has both, and a program can.
func (s *Survey) missingCasts(c *Config, out []string) []string {
	var may [num.NumDTypes]ir.DTypeSet // what rows write, by what they read
	for spec := range ir.Ops {
		if spec.Weight == 0 || len(spec.Ins) == 0 || len(spec.Outs) == 0 || c.rowSet().without[spec] || c.engines(spec) == 0 {
			continue
		}
		in, to := &spec.Ins[0], &spec.Outs[0]
		for _, t := range (in.Types & c.elementTypes()).List() {
			if in.Same == 0 || in.Same != to.Same {
				may[t] |= to.Types
			} else {
				may[t] |= to.Types & ir.DTypesOf(t)
			}
		}
	}
	for t, set := range may {
		for _, u := range set.List() {
			if s.Casts[t][u] == 0 && c.together(num.DType(t), u) {
				out = append(out, fmt.Sprintf("cast of %v to %v", num.DType(t), u))
			}
		}
	}
	return out
}

// together tells whether a program of some generation that is drawn may have both element types.
func (c *Config) together(t, u num.DType) bool {
	for arch, odds := range c.Arch {
		for _, ocp := range [...]bool{false, true} {
			if set := typeSet(ir.Arch(arch), ocp); odds > 0 && set.Has(t) && set.Has(u) {
				return true
			}
		}
	}
	return false
}

// engines returns the engines that a row may run on in some of the generations that are drawn. A loop runs on none.
func (c *Config) engines(spec *ir.Spec) ir.EngineSet {
	var set ir.EngineSet
	if spec.Effect == ir.Control {
		return 0
	}
	for arch, odds := range c.Arch {
		if odds > 0 {
			set |= spec.Engines[arch]
		}
	}
	return set &^ ir.Engines(ir.ALL)
}

// types returns the element types that some operand of a row may have in memory.
func types(spec *ir.Spec) ir.DTypeSet {
	var set ir.DTypeSet
	for _, list := range [...][]ir.OperandSpec{spec.Outs, spec.Ins} {
		for i := range list {
			if list[i].Role != ir.Register && list[i].Role != ir.RegOrImm {
				set |= list[i].Types
			}
		}
	}
	return set
}

// Possible returns on how many engines a row may run and how many element types its operands in memory may have, in programs of the configuration.
func (c *Config) Possible(spec *ir.Spec) (engines, elements int) {
	return len(c.engines(spec).List()), len((types(spec) & c.elementTypes()).List())
}

// elementTypes returns the element types of the generations that are drawn.
func (c *Config) elementTypes() ir.DTypeSet {
	var set ir.DTypeSet
	for arch, odds := range c.Arch {
		if odds > 0 {
			set |= typeSet(ir.Arch(arch), false) | typeSet(ir.Arch(arch), true)
		}
	}
	return set
}

// missingOf adds what is missing of a row.
func (s *Survey) missingOf(c *Config, spec *ir.Spec, out []string) []string {
	u := &s.Rows[spec.Op]
	if u.Count == 0 {
		return append(out, spec.Name)
	}
	engines, elements := c.engines(spec), types(spec)&c.elementTypes()
	for _, e := range engines.List() {
		if u.Engines[e] == 0 {
			out = append(out, fmt.Sprintf("%s @%v", spec.Name, e))
		}
	}
	for _, t := range elements.List() {
		if u.Types[t] == 0 {
			out = append(out, fmt.Sprintf("%s with %v", spec.Name, t))
			continue
		}
		for _, e := range engines.List() {
			if u.Engines[e] > 0 && u.On[e][t] == 0 {
				out = append(out, fmt.Sprintf("%s @%v with %v", spec.Name, e, t))
			}
		}
	}
	for _, id := range spec.Params {
		for i, name := range id.Spec().Names {
			if u.Named[id][i] == 0 && s.possible(c, spec, id, int64(i)) {
				out = append(out, fmt.Sprintf("%s with %s=%s", spec.Name, id.Spec().Key, name))
			}
		}
	}
	return out
}

// possible tells whether an instruction like one that was drawn may have such a setting on some generation that is drawn.
func (s *Survey) possible(c *Config, spec *ir.Spec, id ir.ParamID, v int64) bool {
	if spec.Legal == nil {
		return true
	}
	return slices.ContainsFunc(s.samples[spec.Op], func(in *ir.Inst) bool {
		like := *in
		like.Params = slices.Clone(in.Params)
		like.SetInt(id, v)
		for arch, odds := range c.Arch {
			if odds == 0 {
				continue
			}
			faults := ir.Complain{Arch: ir.Arch(arch)}
			if spec.Legal(&like, &faults); len(faults.List) == 0 {
				return true
			}
		}
		return false
	})
}

// excluded tells whether no program has both features, because of what one of them needs or is dropped for.
func excluded(f, g Feature) bool {
	both := withNeeds(f)
	both.join(withNeeds(g))
	forms := 0
	for _, m := range [...]Feature{TwoCores, Shards, CoreModule} {
		if both.has(m) {
			forms++
		}
	}
	return forms > 1 || both.has(Transfers) && both.meets(&onChip) || both.has(Shards) && both.has(Edges) ||
		both.has(CoreModule) && (both.has(OneCore) || both.has(FourCores))
}

// withNeeds returns a feature and all that it needs.
func withNeeds(f Feature) traits {
	t := needs[f]
	for g := range f {
		if t.has(g) {
			t.join(withNeeds(g))
		}
	}
	t.add(f)
	return t
}
