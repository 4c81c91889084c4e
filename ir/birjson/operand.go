package birjson

import (
	"fmt"
	"math"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// operandKeys is an operand as it stands in the text.
type operandKeys struct {
	kind, dtype, memref, memsetref, offset, addrs, ap, value, regref value
}

// The operand kinds of bir.json.
const (
	kindPhysical  = "physical_ap"
	kindSymbolic  = "symbolic_ap"
	kindImmediate = "imm_value"
	kindRegister  = "register_access"
)

func (r *reader) operandKeys(v value) (k operandKeys) {
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "kind":
			k.kind = it.val
		case "dtype":
			k.dtype = it.val
		case "memref":
			k.memref = it.val
		case "memsetref":
			k.memsetref = it.val
		case "offset":
			k.offset = it.val
		case "addrs":
			k.addrs = it.val
		case "ap":
			k.ap = it.val
		case "value":
			k.value = it.val
		case "regref":
			k.regref = it.val
		default:
			r.keep(it.val)
		}
	}
	return k
}

// operand reads one operand into o.
func (r *reader) operand(v value, o *ir.Operand) {
	k := r.operandKeys(v)
	if !r.require(v, k.kind, "kind") || !r.require(v, k.dtype, "dtype") {
		return
	}
	o.DType = r.dtype(k.dtype)
	switch string(r.text(k.kind, "an operand kind")) {
	case kindPhysical:
		r.physical(v, &k, o)
	case kindSymbolic:
		r.symbolic(v, &k, o)
	case kindImmediate:
		r.refuse(kindImmediate, k.memref, k.memsetref, k.offset, k.addrs, k.ap, k.regref)
		o.Kind = ir.ImmOperand
		if k.value.given() {
			o.Imm = r.float(k.value)
		}
	case kindRegister:
		r.refuse(kindRegister, k.memref, k.memsetref, k.offset, k.addrs, k.ap, k.value)
		o.Kind = ir.RegOperand
		if r.require(v, k.regref, "regref") {
			o.Loc = r.register(k.regref)
		}
	default:
		r.mismatch(k.kind, fmt.Sprintf("%s, %s, %s or %s", kindPhysical, kindSymbolic, kindImmediate, kindRegister))
	}
}

// refuse reports keys that say something about another kind of operand.
func (r *reader) refuse(kind string, others ...value) {
	for _, v := range others {
		if v.given() {
			r.fail(v, "%s has no such key", kind)
		}
	}
}

func (r *reader) physical(v value, k *operandKeys, o *ir.Operand) {
	r.refuse(kindPhysical, k.addrs, k.value, k.regref)
	if !r.require(v, k.memref, "memref") {
		return
	}
	o.Loc = r.location(k.memref)
	if k.memsetref.given() && r.err == nil && o.Loc.Set.Name != string(r.text(k.memsetref, "the name of a set")) {
		r.mismatch(k.memsetref, fmt.Sprintf("%q, the set of location %q", o.Loc.Set.Name, o.Loc.Name))
	}
	if k.offset.given() {
		o.Off.C = r.int(k.offset, -maxSize, maxSize)
	}
	r.pattern(v, k.ap, o)
}

// symbolic reads an access whose offset is one expression. The set names the location, which must be its only one; memref may name it too.
func (r *reader) symbolic(v value, k *operandKeys, o *ir.Operand) {
	r.refuse(kindSymbolic, k.offset, k.value, k.regref)
	if !r.require(v, k.memsetref, "memsetref") || !r.require(v, k.addrs, "addrs") {
		return
	}
	name := r.text(k.memsetref, "the name of a set")
	set, ok := r.sets[string(name)]
	switch {
	case !ok:
		r.fail(k.memsetref, "no memory-location set %q", name)
	case k.memref.given():
		o.Loc = r.location(k.memref)
		if r.err == nil && o.Loc.Set != set {
			r.fail(k.memref, "location %q is in set %q", o.Loc.Name, o.Loc.Set.Name)
		}
	case len(set.Locs) != 1:
		r.fail(k.memsetref, "set %q holds %d locations, want 1", name, len(set.Locs))
	default:
		o.Loc = set.Locs[0]
	}
	n := 0
	for it := r.list(k.addrs); it.next(); n++ {
		o.Off = r.expr(it.val)
	}
	if n != 1 {
		r.fail(k.addrs, "got %d expressions, want 1", n)
	}
	r.pattern(v, k.ap, o)
}

// pattern reads the pairs of an access, outermost first.
func (r *reader) pattern(v, ap value, o *ir.Operand) {
	o.Kind = ir.APOperand
	if !r.require(v, ap, "ap") {
		return
	}
	counts := [ir.MaxPairs]int64{}
	n := 0
	for it := r.list(ap); it.next(); n++ {
		if n == ir.MaxPairs {
			r.fail(ap, "more than %d pairs", ir.MaxPairs)
			return
		}
		step, num := r.pair(it.val)
		if reach := step * num; reach < -maxSize || reach > maxSize {
			r.fail(it.val, "step × num is beyond ±%d", int64(maxSize))
		}
		o.AP[n] = ir.Pair{Step: int32(step), Num: int32(num)}
		counts[n] = num
	}
	o.N = uint8(n)
	switch {
	case n == 0:
		r.fail(ap, "no pair, want 1 to %d", ir.MaxPairs)
	case !fits(counts[:n]...):
		r.fail(ap, "more than %d elements", int64(maxSize))
	}
}

// pair reads [step, num].
func (r *reader) pair(v value) (step, num int64) {
	n := 0
	for it := r.list(v); it.next(); n++ {
		switch n {
		case 0:
			step = r.int(it.val, math.MinInt32, math.MaxInt32)
		case 1:
			num = r.int(it.val, 0, math.MaxInt32)
		}
	}
	if n != 2 {
		r.fail(v, "got %d numbers, want [step, num]", n)
	}
	return step, num
}

// register returns the register that a string names. One that no allocation declares is declared here (bir-json.md, "Operands").
func (r *reader) register(v value) *ir.Loc {
	name := r.name(v)
	if l, ok := r.locs[name]; ok {
		if l.Type != ir.REG {
			r.fail(v, "location %q is in %s, want a register", name, l.Type)
		}
		return l
	}
	l, ok := r.regs[name]
	if !ok {
		l = implicitRegister(name)
		r.regs[name] = l
		r.fn.Sets = append(r.fn.Sets, l.Set)
	}
	return l
}

// implicitRegister returns a 32-bit register in a set of its own. It is the one that the text form makes for such a name.
func implicitRegister(name string) *ir.Loc {
	s := &ir.Set{Name: name + "_set", Class: defaultClass, DType: num.Int32, Shape: []int64{1}}
	l := &ir.Loc{Name: name, Set: s, Type: ir.REG, Rows: 1, RowBytes: int64(s.DType.Size()), Implicit: true}
	s.Locs = []*ir.Loc{l}
	return l
}
