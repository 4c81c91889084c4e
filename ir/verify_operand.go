package ir

import (
	"fmt"
	"strconv"
	"strings"

	"birfuzz/ir/num"
)

// formSet is a set of operand forms, one bit each.
type formSet uint8

func forms(list ...OperandKind) formSet {
	var s formSet
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

// roleForms says in which forms an operand of a role may come.
var roleForms = [...]formSet{
	Data:     forms(APOperand),
	Scalar:   forms(APOperand, ImmOperand),
	Table:    forms(APOperand),
	Index:    forms(APOperand),
	Register: forms(RegOperand),
	RegOrImm: forms(RegOperand, ImmOperand),
}

var formNames = names{"nothing", "memory", "an immediate", "a register"}

// typesOf returns the element types of a generation: float8_e4m3fn is native from CoreV4 on (nki-isa.md §1.1).
func typesOf(a Arch) DTypeSet {
	all := DTypesOf(num.DTypes()...)
	if a < CoreV4 {
		all &^= DTypesOf(num.Float8e4m3fn)
	}
	return all
}

// exclusive are the two forms of float8 with four bits of exponent, of which a module has one at most (nki-isa.md §3.1, walrus.md §8.1).
var exclusive = DTypesOf(num.Float8e4, num.Float8e4m3fn)

// excludes notes an exclusive element type and complains about the first operand that has another than those before it.
func (v *Verifier) excludes(d DType) {
	had := v.eights
	if v.eights |= DTypesOf(d); v.eights == exclusive && had != exclusive && had != 0 {
		v.Addf(RuleDType, (exclusive &^ DTypesOf(d)).List()[0].String()+", as elsewhere in the module", "%s", d)
	}
}

// Reaches returns the memories that instructions of the engine may name: all, but PSUM for GpSimd (nki-isa.md §3, walrus.md §6).
func (e Engine) Reaches() MemSet {
	if e == Pool {
		return InSB | InDRAM | InReg
	}
	return InSB | InPSUM | InDRAM | InReg
}

// operands checks every operand by itself, and what the row's letters make them share. It tells whether there are as many as the
// row has and all may be computed with.
func (v *Verifier) operands(in *Inst, spec *Spec) bool {
	nOut := int(in.NOut)
	nIn := len(in.Args) - nOut
	if nOut != len(spec.Outs) || nIn != len(spec.Ins) && (nIn > len(spec.Ins) || nIn < spec.required()) {
		want := fmt.Sprintf("%d outputs and %d inputs", len(spec.Outs), len(spec.Ins))
		if r := spec.required(); r < len(spec.Ins) {
			want = fmt.Sprintf("%d outputs and %d to %d inputs", len(spec.Outs), r, len(spec.Ins))
		}
		v.Addf(RuleOperands, want, "%d outputs and %d inputs", nOut, nIn)
		return false
	}
	var u unifier
	sound := true
	for i := range in.Args {
		v.at.arg = i
		if v.operand(in, spec, spec.arg(nOut, i), i) {
			v.unify(&u, in, spec, i)
		} else {
			sound = false
		}
	}
	v.at.arg = noArg
	return sound
}

// required returns the number of inputs that may not be absent.
func (s *Spec) required() int {
	n := len(s.Ins)
	for n > 0 && s.Ins[n-1].Opt {
		n--
	}
	return n
}

// arg returns the description of an operand by its index in Inst.Args.
func (s *Spec) arg(nOut, i int) *OperandSpec {
	if i < nOut {
		return &s.Outs[i]
	}
	return &s.Ins[i-nOut]
}

// operand checks one operand and tells whether its geometry may be computed with.
func (v *Verifier) operand(in *Inst, spec *Spec, s *OperandSpec, i int) bool {
	o := &in.Args[i]
	if o.Kind > RegOperand || roleForms[s.Role]>>o.Kind&1 == 0 {
		v.Addf(RuleOperands, formList(roleForms[s.Role]), "%s", formNames.of(int(o.Kind)))
		return false
	}
	if !s.Types.Has(o.DType) || !v.types.Has(o.DType) {
		v.dtype(s, o.DType)
		if o.DType.Size() == 0 {
			return false
		}
	}
	if exclusive.Has(o.DType) {
		v.excludes(o.DType)
	}
	if o.Kind == ImmOperand {
		return true
	}
	if !v.owns(o.Loc) {
		v.Add(RuleScope, "no location of this function", "one")
		return false
	}
	if !s.Mem.Holds(o.Loc.Type) || !in.Engine.Reaches().Holds(o.Loc.Type) {
		v.memory(in, s, o)
		return false
	}
	if o.Kind == RegOperand {
		return true
	}
	if v.broken != nil && v.broken[o.Loc] {
		return false
	}
	if v.facts.Has(Placed) {
		v.used[o.Loc.ID-v.locLo] = true
	}
	if o.Symbolic() && !v.symbolic(o) {
		return false
	}
	return v.access(spec, s, o, i < int(in.NOut))
}

func formList(s formSet) string {
	var out []string
	for k := range formNames {
		if s>>k&1 != 0 {
			out = append(out, formNames.of(k))
		}
	}
	return strings.Join(out, " or ")
}

func (v *Verifier) dtype(s *OperandSpec, d DType) {
	if s.Types.Has(d) {
		v.Addf(RuleArch, "a type of "+v.prog.Arch.String(), "%s", d)
		return
	}
	var want []string
	for _, t := range (s.Types & v.types).List() {
		want = append(want, t.String())
	}
	v.Addf(RuleDType, strings.Join(want, " "), "%s", d)
}

func (v *Verifier) memory(in *Inst, s *OperandSpec, o *Operand) {
	if s.Mem.Holds(o.Loc.Type) {
		v.Addf(RuleMemory, "memory that "+in.Engine.String()+" reaches", "%s in %s", printable(o.Loc.Name), o.Loc.Type)
		return
	}
	var want []string
	for i, n := range []string{"SB", "PSUM", "DRAM", "REG"} {
		if s.Mem>>i&1 != 0 {
			want = append(want, n)
		}
	}
	v.Addf(RuleMemory, strings.Join(want, " or "), "%s in %s", printable(o.Loc.Name), o.Loc.Type)
}

// unifier holds the sizes that letters stand for, by letter; 0, which is no size of a legal access, where none has been met.
type unifier [26]int64

// unify compares a sound operand with those before it.
func (v *Verifier) unify(u *unifier, in *Inst, spec *Spec, i int) {
	o, s := &in.Args[i], spec.arg(int(in.NOut), i)
	if s.Same != 0 {
		v.sameType(in, spec, i)
	}
	if o.Kind != APOperand {
		return
	}
	lanes := int64(o.AP[0].Num)
	switch shape := s.Shape; {
	case len(shape) == 1:
		if n := lanes * v.free; !u.takes(shape[0], n) {
			v.letter(u, in, spec, shape[0], n, i)
		}
	default:
		if !u.takes(shape[0], lanes) {
			v.letter(u, in, spec, shape[0], lanes, i)
		}
		if !u.takes(shape[1], v.free) {
			v.letter(u, in, spec, shape[1], v.free, i)
		}
	}
}

// takes tells whether a letter may stand for n, and notes that it does.
func (u *unifier) takes(letter byte, n int64) bool {
	if letter < 'A' {
		return letter == byte(DimAny) || n == int64(letter-'0')
	}
	k := letter - 'A'
	if u[k] == 0 {
		u[k] = n
	}
	return u[k] == n
}

// sameType compares the type of an operand with that of the first one of its letter.
func (v *Verifier) sameType(in *Inst, spec *Spec, i int) {
	letter := spec.arg(int(in.NOut), i).Same
	for j := range i {
		if d := in.Args[j].DType; spec.arg(int(in.NOut), j).Same == letter {
			if d != in.Args[i].DType {
				v.Addf(RuleDType, d.String()+", as "+in.argName(j), "%s", in.Args[i].DType)
			}
			return
		}
	}
}

// letter complains that operand i has n of what its letter says are others.
func (v *Verifier) letter(u *unifier, in *Inst, spec *Spec, letter byte, n int64, i int) {
	if letter < 'A' {
		v.Addf(RuleShape, string(letter), "%d %s", n, sizeName(spec, in, letter, i))
		return
	}
	first := 0
	for strings.IndexByte(spec.arg(int(in.NOut), first).Shape, letter) < 0 {
		first++
	}
	v.Addf(RuleShape, strconv.FormatInt(u[letter-'A'], 10)+", as "+in.argName(first), "%d %s", n, sizeName(spec, in, letter, i))
}

// sizeName says what a letter counts in an operand.
func sizeName(spec *Spec, in *Inst, letter byte, i int) string {
	switch shape := spec.arg(int(in.NOut), i).Shape; {
	case len(shape) == 1:
		return "elements"
	case shape[0] == letter:
		return "lanes"
	}
	return "elements a lane"
}
