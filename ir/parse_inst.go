package ir

import (
	"fmt"
	"math"
	"slices"
)

// edgeRef is an edge whose instruction may stand further down.
type edgeRef struct {
	of   *Inst
	i    int // index in Deps or LoopDeps
	loop bool
	name token
}

// blocks reads the body of a function or loop up to its closing brace. Instructions in front of a label are the block first.
func (p *parser) blocks(first string) []*Block {
	var out []*Block
	p.skipLines()
	for !p.atEnd("}") {
		t := p.name("an instruction `name: …`, a block `name:` or \"}\"")
		p.expect(":")
		if label := p.tok.kind == lineToken || p.atEnd("}") || p.atWord("extra") && p.peek().mark() == "("; label || len(out) == 0 {
			out = append(out, p.block(t, first, label))
			if label {
				continue
			}
		}
		b := out[len(out)-1]
		b.Insts = append(b.Insts, p.instruction(t))
		p.endLine()
	}
	return out
}

// block opens a block: the one that t labels, or the unnamed first one whose first instruction is t.
func (p *parser) block(t token, first string, label bool) *Block {
	b := &Block{Name: first}
	if label {
		b.Name = t.text
		if p.acceptWord("extra") {
			b.Extra = p.raw()
		}
		p.endLine()
	}
	p.pay(128)
	if p.fn.blocks[b.Name] {
		p.fail(t.pos, quote(b.Name), "a name that no other block has")
	}
	p.fn.blocks[b.Name] = true
	return b
}

// instruction reads what follows `name:`.
func (p *parser) instruction(t token) *Inst {
	in := &Inst{Name: t.text}
	p.pay(512)
	if p.fn.insts[in.Name] != nil {
		p.twice(t, "instruction")
	}
	p.fn.insts[in.Name] = in
	if p.acceptWord("for") {
		p.loop(in)
		return in
	}
	p.outputs(in)
	p.opcode(in)
	for more := p.operandNext(); more; more = p.accept(",") {
		p.argument(in)
	}
	p.typeImmediates(in)
	p.clauses(in)
	return in
}

func (p *parser) opcode(in *Inst) {
	row, ok := OpNamed(p.tok.text)
	switch {
	case !ok || p.tok.kind != identToken:
		p.want("an opcode")
		return
	case row.Effect == Control:
		p.want("`for axis = lb..ub { … }`")
	}
	in.Op = row.Op
	p.next()
}

// outputs reads `operand, operand =`. A name that nothing follows that can follow an output is the opcode.
func (p *parser) outputs(in *Inst) {
	if p.tok.kind == identToken && !slices.Contains([]string{"=", ",", "[", ":"}, p.peek().mark()) {
		return
	}
	for more := true; more; more = p.accept(",") {
		p.argument(in)
		in.NOut = uint8(len(in.Args))
	}
	p.expect("=")
}

func (p *parser) argument(in *Inst) {
	if len(in.Args) == math.MaxUint8 {
		p.want("at most 255 operands")
		return
	}
	p.pay(112)
	in.Args = append(in.Args, p.operand())
}

// typeImmediates gives immediates without a type the one that the row expects.
func (p *parser) typeImmediates(in *Inst) {
	row := in.Spec()
	for i := range in.Args {
		if a := &in.Args[i]; a.Kind == ImmOperand && a.DType == 0 {
			a.DType = immDType(row.argSpec(i, int(in.NOut)))
		}
	}
}

// clauses reads engine, settings and the rest, up to the end of the line or the brace of a loop. Each may stand once.
func (p *parser) clauses(in *Inst) {
	var seen []string
	for p.tok.kind == identToken || p.at("@") {
		key := p.tok
		if slices.Contains(seen, key.text) {
			p.fail(key.pos, quote(key.text), "each clause once")
			return
		}
		seen = append(seen, key.text)
		p.next()
		if p.at("=") {
			p.next()
			p.assign(in, key)
		} else if !p.clause(in, key) && !(in.Loop != nil && in.Loop.word(key.text)) {
			p.fail(key.pos, quote(key.text), "a setting `key=value`, @Engine, after(…), order(…), if(…), wait(…), update(…), cycles(…) or extra(…)")
		}
	}
}

// assign reads the value of `key=`.
func (p *parser) assign(in *Inst, key token) {
	switch key.text {
	case "queue":
		in.Queue = p.name("the name of a queue").text
	case "source":
		in.Source = p.name("the name of an instruction").text
	default:
		p.param(in, key)
	}
}

// clause reads one clause whose word has been read.
func (p *parser) clause(in *Inst, key token) bool {
	switch key.text {
	case "@":
		in.Engine = Engine(p.word("an engine: ", engineNames))
	case "after":
		p.list("(", ")", false, func() { p.edge(in) })
	case "order":
		p.list("(", ")", true, func() { in.Order = append(in.Order, p.expression()) })
	case "if":
		p.list("(", ")", true, func() { in.Pred = append(in.Pred, p.predicate()) })
	case "iter":
		p.list("(", ")", true, func() { in.Iter = append(in.Iter, p.expression()) })
	case "wait":
		p.list("(", ")", false, func() { in.Wait = append(in.Wait, p.semaphore(">=")) })
	case "update":
		p.list("(", ")", false, func() { in.Update = append(in.Update, p.semaphore("+=")) })
	case "cycles":
		p.open("(", false)
		in.Start = p.integer()
		p.expect(",")
		in.End = p.integer()
		p.shut(")")
	case "extra":
		in.Extra = p.raw()
	default:
		return false
	}
	return true
}

func (p *parser) semaphore(mark string) Sem {
	p.pay(32)
	id := p.integer()
	p.expect(mark)
	return Sem{id, p.integer()}
}

// edge reads `kind name`, with the distances of a loop-carried edge in brackets.
func (p *parser) edge(in *Inst) {
	kind := Flow
	if p.qualifies() {
		kind = EdgeKind(p.word("a kind of edge: ", edgeWords))
	}
	t := p.name("the name of an instruction")
	p.pay(160)
	if !p.at("[") {
		if t.text == in.Name {
			p.fail(t.pos, quote(t.text), "another instruction than the one that waits")
		}
		p.fn.edges = append(p.fn.edges, edgeRef{in, len(in.Deps), false, t})
		in.Deps = append(in.Deps, Dep{Kind: kind})
		return
	}
	p.fn.edges = append(p.fn.edges, edgeRef{in, len(in.LoopDeps), true, t})
	in.LoopDeps = append(in.LoopDeps, LoopDep{Kind: kind, Dist: p.integers()})
}

// resolve gives edges their instructions once all are known.
func (p *parser) resolve() {
	for _, r := range p.fn.edges {
		on := p.fn.insts[r.name.text]
		switch {
		case on == nil:
			p.fail(r.name.pos, quote(r.name.text), "the name of an instruction of this function")
			return
		case r.loop:
			r.of.LoopDeps[r.i].On = on
		default:
			r.of.Deps[r.i].On = on
		}
	}
}

// loop reads `axis = lb..ub step n clauses { blocks }`.
func (p *parser) loop(in *Inst) {
	l := &Loop{Stride: 1}
	in.Op, in.Loop = loopSpec().Op, l
	axis := p.name("the name of an axis")
	l.Axis = axis.text
	p.expect("=")
	l.LB = p.integer()
	p.expect("..")
	l.UB = p.integer()
	if p.acceptWord("step") {
		l.Stride = p.integer()
	}
	p.clauses(in)
	if slices.ContainsFunc(p.fn.axes, func(o *Loop) bool { return o.Axis == l.Axis }) {
		p.fail(axis.pos, quote(axis.text), "an axis that no loop around has")
	}
	if len(p.fn.axes) == maxNest {
		p.fail(axis.pos, "another loop", fmt.Sprintf("at most %d loops in each other", maxNest))
	}
	p.expect("{")
	p.fn.axes = append(p.fn.axes, l)
	l.Blocks = p.blocks(bodyName(in.Name))
	p.fn.axes = p.fn.axes[:len(p.fn.axes)-1]
	p.expect("}")
}

// loopWords are the words of a loop's flags, in print order.
var loopWords = []string{"no_reorder", "parallel", "unroll"}

// word sets the flag of that word and tells whether there is one.
func (l *Loop) word(w string) bool {
	f := l.flag(w)
	if f != nil {
		*f = true
	}
	return f != nil
}

func (l *Loop) flag(w string) *bool {
	switch w {
	case "no_reorder":
		return &l.NoReorder
	case "parallel":
		return &l.Parallel
	case "unroll":
		return &l.Unroll
	default:
		return nil
	}
}
