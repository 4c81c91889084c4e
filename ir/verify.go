package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// Verify returns every rule that the program breaks, nil if it is legal. The facts are those that must hold on top, as far as they are
// static: Unrolled, Placed and Split. The program must be numbered. Hostile numbers are complained about, never computed with.
// Who verifies many programs keeps a Verifier.
func Verify(p *Program, f Facts) Complaints {
	var v Verifier
	return v.Verify(p, f)
}

// Verifier checks programs one after the other and reuses its scratch memory: a legal program costs no allocation. The zero value is
// ready. It is not for concurrent use.
type Verifier struct {
	prog  *Program
	facts Facts
	fn    *Func
	core  int
	Complain
	at spot

	insts  []*Inst // of fn, by ID − instLo
	instLo int32
	locs   []*Loc // of fn, by ID − locLo
	locLo  int32
	used   []bool  // Placed: locations of fn with an access, by ID − locLo
	loops  []*Loop // around the current instruction, outermost first
	types  DTypeSet
	eights DTypeSet      // of exclusive, those that some operand has
	meets  []spot        // of fn: where cores meet
	broken map[*Loc]bool // locations whose sizes may not be computed with; nil while there is none
	shards int64         // bound of the ShardIDs seen, 0 before the first
	free   int64         // elements a lane of the access checked last
	names  nameSet
	global map[string]*Loc // of several functions: the first location of each name that they share

	nest [][]*Loop // loops around each instruction of fn, by ID − instLo; empty until a loop-carried edge asks

	grouped bool     // aliased has been found out, and family with it
	aliased bool     // some location has an alias
	family  Families // of an aliased program
}

// spot is the place that complaints name.
type spot struct {
	block *Block
	inst  *Inst
	arg   int // index into inst.Args; noArg for the instruction itself
	set   *Set
	loc   *Loc
}

const noArg = -1

// Verify is the function Verify with the receiver's scratch memory.
func (v *Verifier) Verify(p *Program, f Facts) Complaints {
	if v.place == nil {
		v.place = v.where
	}
	v.prog, v.facts, v.List, v.shards, v.broken = p, f, nil, 0, nil
	v.fn, v.at = nil, spot{arg: noArg}
	v.grouped, v.eights = false, 0
	if v.module() {
		v.functions()
	}
	list := v.List
	clear(v.nest)
	v.List, v.prog, v.fn, v.nest = nil, nil, nil, v.nest[:0]
	return list
}

// module checks what belongs to no function; without it nothing below can be trusted.
func (v *Verifier) module() bool {
	p := v.prog
	if p.Arch >= NumArch {
		v.Addf(RuleStructure, "an arch below "+strconv.Itoa(int(NumArch)), "arch %d", p.Arch)
		return false
	}
	v.types, v.Arch = typesOf(p.Arch), p.Arch
	if p.Version != schemaVersion {
		v.Addf(RuleStructure, strconv.Itoa(schemaVersion), "version %d", p.Version)
	}
	if len(p.Cores) == 0 {
		v.Add(RuleStructure, "no function", "one for each core")
	}
	if p.CoreID < NoCore || p.CoreID != NoCore && len(p.Cores) != 1 {
		v.Addf(RuleStructure, "a core number, on a module of one function", "neuron_core_id %d on %d functions", p.CoreID, len(p.Cores))
	}
	v.names.reset(len(p.Cores))
	for _, f := range p.Cores {
		v.fn = f
		v.name("function", f.Name)
	}
	v.fn = nil
	return true
}

const schemaVersion = 2

func (v *Verifier) functions() {
	var insts, locs int32
	for i, f := range v.prog.Cores {
		v.fn, v.core, v.instLo, v.locLo, v.nest = f, i, insts, locs, v.nest[:0]
		v.at = spot{arg: noArg}
		if !v.index() {
			return
		}
		v.storage()
		v.code()
		v.placed()
		insts += int32(len(v.insts))
		locs += int32(len(v.locs))
	}
	v.fn, v.at = nil, spot{arg: noArg}
	v.across()
	v.consts()
}

// index lists the function's instructions and locations, so that a pointer is known to be the function's own by one look.
func (v *Verifier) index() bool {
	v.insts, v.locs = v.insts[:0], v.locs[:0]
	for _, s := range v.fn.Sets {
		v.locs = append(v.locs, s.Locs...)
	}
	if !v.collect(v.fn.Blocks, 0) {
		return false
	}
	for i, l := range v.locs {
		if l.ID != v.locLo+int32(i) {
			v.at.loc = l
			return v.unnumbered(l.ID, v.locLo+int32(i))
		}
	}
	for i, in := range v.insts {
		if in.ID != v.instLo+int32(i) {
			v.at.inst = in
			return v.unnumbered(in.ID, v.instLo+int32(i))
		}
	}
	return true
}

func (v *Verifier) unnumbered(got, want int32) bool {
	v.Addf(RuleNumber, fmt.Sprintf("ID %d, as Number gives it", want), "ID %d", got)
	return false
}

func (v *Verifier) collect(bs []*Block, depth int) bool {
	if depth > maxLoopDepth {
		v.Addf(RuleLoop, "loops nested at most "+strconv.Itoa(maxLoopDepth)+" deep", "more")
		return false
	}
	for _, b := range bs {
		for _, in := range b.Insts {
			v.insts = append(v.insts, in)
			if in.Loop != nil && !v.collect(in.Loop.Blocks, depth+1) {
				return false
			}
		}
	}
	return true
}

// maxLoopDepth bounds recursion over programs of others [ours].
const maxLoopDepth = 64

// where names the current place, outermost part first.
func (v *Verifier) where() string {
	var parts []string
	add := func(kind, name string) { parts = append(parts, kind+" "+printable(name)) }
	if v.fn != nil {
		add("func", v.fn.Name)
	}
	if v.at.set != nil {
		add("set", v.at.set.Name)
	}
	if v.at.loc != nil {
		add("location", v.at.loc.Name)
	}
	if v.at.block != nil {
		add("block", v.at.block.Name)
	}
	if in := v.at.inst; in != nil {
		add("inst", in.Name)
		if v.at.arg != noArg {
			parts = append(parts, in.argName(v.at.arg))
		}
	}
	if parts == nil {
		return "module"
	}
	return strings.Join(parts, ", ")
}

// argName is the position of an operand and its name in the row: "in 1 (s0)".
func (in *Inst) argName(arg int) string {
	text, i, list := in.argPosition(arg), arg-int(in.NOut), in.Spec().Ins
	if i < 0 {
		i, list = arg, in.Spec().Outs
	}
	if i < len(list) {
		return text + " (" + list[i].Name + ")"
	}
	return text
}

// argPosition is the position of an operand: "in 1". The rules of rows use it, because the table of rows cannot be initialised with
// functions that ask the table.
func (in *Inst) argPosition(arg int) string {
	if arg < int(in.NOut) {
		return "out " + strconv.Itoa(arg)
	}
	return "in " + strconv.Itoa(arg-int(in.NOut))
}

// printable is the name itself, or quoted where it could not be told from its surroundings.
func printable(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}
