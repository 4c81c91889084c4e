package bircheck

import (
	"slices"
	"strconv"
	"strings"
)

// access is an operand with what is known of it.
type access struct {
	*operand
	rule  *operandRule
	out   bool
	where step
	loc   *location // memory and registers
	size  int64     // bytes of an element
	lanes int64     // of memory: the count of the first pair
	free  int64     // elements a lane
}

func (a *access) memory() bool { return a.Kind == "physical_ap" || a.Kind == "symbolic_ap" }

// offset returns the start of a memory operand in elements.
func (a *access) offset(p *point) int64 {
	if a.Kind == "symbolic_ap" {
		return p.value(&a.Addrs[0])
	}
	return a.Offset
}

// exprs returns the expressions on which the offset depends.
func (a *access) exprs() []*expr {
	if a.Kind == "symbolic_ap" {
		return []*expr{&a.Addrs[0]}
	}
	return nil
}

// operands checks every operand, and the sizes and types that they share. It is ok if all may be computed with.
func (c *checker) operands(in *inst, r *row) ([]access, bool) {
	ok := true
	var ops []access
	for _, list := range []struct {
		key   string
		given []operand
		rules []operandRule
	}{{"outs", in.Outs, r.outs}, {"ins", in.Ins, r.ins}, {"indirection_ins", in.Index, r.index}} {
		least := len(list.rules)
		for least > 0 && list.rules[least-1].opt {
			least--
		}
		if n := len(list.given); n < least || n > len(list.rules) {
			c.add("operands", "%d %s, want %d", n, list.key, len(list.rules))
			return nil, false
		}
		for i := range list.given {
			c.at(list.key, i, func() {
				a := access{operand: &list.given[i], rule: &list.rules[i], out: list.key == "outs", where: step{list.key, i}}
				ok = c.operand(in, r, &a) && ok
				ops = append(ops, a)
			})
		}
	}
	return ops, ok && c.shapes(ops) && c.likes(ops)
}

// operand checks one operand by itself.
func (c *checker) operand(in *inst, r *row, a *access) bool {
	a.size = widths[a.DType]
	if a.size == 0 || !slices.Contains(a.rule.types, a.DType) {
		c.add("dtype", "%s %q, want one of %s", a.rule.name, a.DType, strings.Join(a.rule.types, ", "))
		return false
	}
	if a.DType == "float8_e4m3fn" && !generations[c.arch].e4m3fn {
		c.add("arch", "float8_e4m3fn on %s", c.arch)
		return false
	}
	c.oneEight(a.DType)
	switch a.Kind {
	case "imm_value":
		if !a.rule.imm {
			c.add("operands", "an immediate for %s", a.rule.name)
		}
		return a.rule.imm
	case "register_access":
		return c.register(a)
	case "physical_ap", "symbolic_ap":
		return c.locate(a) && c.lives(in, a) && c.geometry(r, a)
	}
	c.add("operands", "operand kind %q", a.Kind)
	return false
}

// oneEight checks that a module has the OCP form of float8_e4m3 or the older one, not both (nki-isa.md §3.1, walrus.md §8.1).
func (c *checker) oneEight(dtype string) {
	if dtype != "float8e4" && dtype != "float8_e4m3fn" {
		return
	}
	if c.eight != "" && c.eight != dtype {
		c.add("dtype", "%s in a module with %s, want one of the two", dtype, c.eight)
	}
	c.eight = dtype
}

// register checks a register; one that nobody declares is declared by being named.
func (c *checker) register(a *access) bool {
	if a.Reg == nil || *a.Reg == "" {
		c.add("operands", "no regref")
		return false
	}
	l := c.locs[*a.Reg]
	if l != nil && l.Type != "REG" {
		c.add("memory", "%q is in %s, want a register", l.Name, l.Type)
		return false
	}
	if a.rule.memory != "REG" {
		c.add("operands", "a register for %s", a.rule.name)
		return false
	}
	return true
}

// locate finds the location of a memory operand.
func (c *checker) locate(a *access) bool {
	var s *set
	if a.Set != nil {
		if s = c.sets[*a.Set]; s == nil {
			c.add("name", "no set %q", *a.Set)
			return false
		}
	}
	if a.Loc != nil {
		if a.loc = c.locs[*a.Loc]; a.loc == nil {
			c.add("name", "no location %q", *a.Loc)
			return false
		}
		if s != nil && a.loc.set != s {
			c.add("name", "location %q is not in set %q", *a.Loc, *a.Set)
			return false
		}
	}
	if a.Kind == "physical_ap" {
		if a.loc == nil {
			c.add("operands", "no memref")
		}
		return a.loc != nil
	}
	if s == nil || len(a.Addrs) != 1 || len(s.Locations) != 1 {
		c.add("symbolic", "want a memsetref of one location, and one expression")
		return false
	}
	a.loc = s.Locations[0]
	if c.facts["Unrolled"] && usesAxis(&a.Addrs[0]) {
		c.add("fact", "a symbolic access in a module that is Unrolled")
		return false
	}
	return c.expr(&a.Addrs[0])
}

func usesAxis(e *expr) (uses bool) {
	e.names(func(axis string) { uses = uses || axis != "" })
	return uses
}

// lives checks the memory of an operand. GpSimd has no way to PSUM (nki-isa.md §3).
func (c *checker) lives(in *inst, a *access) bool {
	m := a.loc.memory()
	if !slices.Contains(strings.Split(a.rule.memory, "|"), m) {
		c.add("memory", "%s in %s, want %s", a.rule.name, m, a.rule.memory)
		return false
	}
	if m == "PSUM" && in.Engine != nil && *in.Engine == "Pool" {
		c.add("memory", "%s in PSUM, where Pool does not reach", a.rule.name)
		return false
	}
	if c.facts["Placed"] && a.loc.onChip() && !a.loc.Allocated {
		c.add("fact", "%q has no place in a module that is Placed", a.loc.Name)
	}
	return !a.loc.broken
}

// shapes checks the sizes that operands share by letter.
func (c *checker) shapes(ops []access) bool {
	sizes := map[string]int64{}
	ok := true
	share := func(a *access, letter string, n int64, what string) {
		if letter == "*" {
			return
		}
		want, known := sizes[letter]
		if fixed, err := strconv.ParseInt(letter, 10, 64); err == nil {
			want, known = fixed, true
		}
		if known && want != n {
			c.add("shape", "%s has %d %s, want %d", a.rule.name, n, what, want)
			ok = false
		}
		sizes[letter] = n
	}
	for i := range ops {
		a := &ops[i]
		if !a.memory() {
			continue
		}
		if lanes, free, two := strings.Cut(a.rule.shape, ","); two {
			share(a, lanes, a.lanes, "lanes")
			share(a, free, a.free, "elements a lane")
		} else {
			share(a, lanes, a.lanes*a.free, "elements")
		}
	}
	return ok
}

// likes checks the types that operands share.
func (c *checker) likes(ops []access) bool {
	for i := range ops {
		for k := range ops {
			if ops[i].rule.like != "" && ops[k].rule.name == ops[i].rule.like && ops[i].DType != ops[k].DType {
				c.add("dtype", "%s is %s, %s is %s, want one type", ops[i].rule.name, ops[i].DType, ops[k].rule.name, ops[k].DType)
				return false
			}
		}
	}
	return true
}
