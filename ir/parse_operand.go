package ir

import (
	"fmt"
	"math"
)

// operandNext tells whether the current token begins an operand and no clause.
func (p *parser) operandNext() bool {
	switch p.tok.kind {
	case numberToken, stringToken:
		return true
	case markToken:
		return p.at("-") || p.at("$")
	case identToken:
		ahead := p.peek().mark()
		return ahead != "=" && ahead != "("
	default:
		return false
	}
}

// operand reads memory `name[access]:dtype`, a register `$name`, a number, or _ for none. An immediate without a type has type 0.
func (p *parser) operand() Operand {
	switch {
	case p.accept("$"):
		return p.register()
	case p.tok.kind == numberToken, p.at("-"), p.atWord("nan"), p.atWord("inf"):
		o := Operand{Kind: ImmOperand, Imm: p.float()}
		if p.accept(":") {
			o.DType = p.dtype()
		}
		return o
	case p.acceptWord("_"):
		return Operand{}
	}
	t := p.name("an operand")
	o := Operand{Kind: APOperand, Loc: p.fn.locs[t.text]}
	if o.Loc == nil {
		p.fail(t.pos, quote(t.text), "the name of a location of this function")
		return Operand{}
	}
	o.DType = o.Loc.Set.DType
	return p.access(o, t)
}

// register reads the name of a register, which need not be declared.
func (p *parser) register() Operand {
	t := p.name("the name of a register")
	l := p.fn.locs[t.text]
	switch {
	case p.err != nil:
		return Operand{}
	case l == nil:
		s := newRegister(t.text)
		l = s.Locs[0]
		l.Implicit = true
		p.pay(512)
		p.fn.f.Sets = append(p.fn.f.Sets, s)
		p.fn.locs[t.text] = l
	case l.Type != REG:
		p.fail(t.pos, quote(t.text), "the name of a register")
	}
	o := Operand{Kind: RegOperand, Loc: l, DType: l.registerDType()}
	if p.accept(":") {
		o.DType = p.dtype()
	}
	return o
}

// access reads the brackets and the type behind a location's name. The type is needed first: slices and whole locations count in it.
func (p *parser) access(o Operand, name token) Operand {
	var form accessForm
	if p.at("[") {
		p.brackets(&form)
	} else {
		form.rows, form.cols = slice{open: true}, slice{open: true}
		form.slices = true
	}
	if p.accept(":") {
		o.DType = p.dtype()
	}
	o.Off = form.off
	if p.err != nil {
		return o
	}
	if !form.slices {
		o.AP, o.N = form.pairs, uint8(form.n)
		return o
	}
	nat, ok := naturalPairs(o.Loc, o.DType)
	if !ok {
		got := fmt.Sprintf("rows of %d bytes in elements of %s", o.Loc.RowBytes, dtypeWords[o.DType])
		p.fail(name.pos, got, "whole rows, or pairs `[step x num, … at offset]`")
		return o
	}
	pitch := int64(nat[0].Step)
	r, c := form.rows.within(p, int64(nat[0].Num)), form.cols.within(p, pitch)
	o.N = 2
	o.AP[0] = Pair{nat[0].Step, int32(r.to - r.from)}
	o.AP[1] = Pair{1, int32(c.to - c.from)}
	o.Off.C += r.from*pitch + c.from
	return o
}

// accessForm is an access as written: slices of rows and columns, or pairs.
type accessForm struct {
	slices     bool
	rows, cols slice
	pairs      [MaxPairs]Pair
	n          int
	off        Affine
}

// slice is `from:to` as written; open stands for `:`.
type slice struct {
	from, to int64
	open     bool
	at       token
}

// brackets reads `[rows, cols at offset]` or `[pair, pair, … at offset]`.
func (p *parser) brackets(f *accessForm) {
	p.open("[", true)
	for more := !p.atEnd("]") && !p.atWord("at"); more && p.err == nil; more = p.accept(",") {
		p.dimension(f)
	}
	if p.acceptWord("at") {
		f.off = p.expression()
	}
	if f.slices && f.n != 2 {
		p.want("two slices, of rows and of columns")
	}
	p.shut("]")
}

// dimension reads one slice or one pair; what follows its first number tells which.
func (p *parser) dimension(f *accessForm) {
	at := p.tok
	var first int64
	if !p.at(":") {
		first = p.integer()
	}
	if !p.at(":") {
		if f.slices || f.n == MaxPairs {
			p.want(fmt.Sprintf("two slices or at most %d pairs", MaxPairs))
			return
		}
		if first < math.MinInt32 || first > math.MaxInt32 {
			p.fail(at.pos, "a step that is too large", "32 bits")
		}
		f.pairs[f.n] = Pair{int32(first), int32(p.times(func() int64 { return p.between(math.MinInt32, math.MaxInt32) }))}
		f.n++
		return
	}
	if f.n > 0 && !f.slices || f.n == 2 {
		p.want("two slices, or pairs alone")
		return
	}
	p.next()
	s := slice{from: first, at: at, open: at.text == ":"}
	if !s.open {
		s.to = p.integer()
	}
	f.slices = true
	if f.n == 0 {
		f.rows = s
	} else {
		f.cols = s
	}
	f.n++
}

// within returns the slice of a dimension of the given size.
func (s slice) within(p *parser, size int64) slice {
	if s.open {
		return slice{from: 0, to: size}
	}
	if s.from < 0 || s.from >= s.to || s.to > size {
		p.fail(s.at.pos, fmt.Sprintf(`"%d:%d"`, s.from, s.to), fmt.Sprintf("a slice that is not empty, inside 0:%d", size))
	}
	return s
}
