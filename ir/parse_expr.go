package ir

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// integer reads a number with its sign.
func (p *parser) integer() int64 { return p.between(math.MinInt64, math.MaxInt64) }

func (p *parser) between(lo, hi int64) int64 {
	at := p.tok
	sign := ""
	if p.at("-") {
		sign = "-"
		p.next()
	}
	if p.tok.kind != numberToken {
		p.want("an integer")
		return 0
	}
	text := sign + p.tok.text
	v, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		p.fail(at.pos, quote(text), "an integer of 64 bits")
	case v < lo:
		p.fail(at.pos, quote(text), fmt.Sprintf("an integer of at least %d", lo))
	case v > hi:
		p.fail(at.pos, quote(text), fmt.Sprintf("an integer of at most %d", hi))
	}
	p.next()
	return v
}

// times reads the `x N` of `M x N`; the x may touch both numbers.
func (p *parser) times(number func() int64) int64 {
	rest, ok := strings.CutPrefix(p.tok.text, "x")
	if p.tok.kind != identToken || !ok {
		p.want("`x` and a number")
		return 0
	}
	p.off = p.tok.pos + len(p.tok.text) - len(rest)
	p.next()
	return number()
}

// float reads a number, nan, inf or -inf.
func (p *parser) float() float64 {
	at := p.tok
	sign := ""
	if p.at("-") {
		sign = "-"
		p.next()
	}
	if p.tok.kind != numberToken && !p.atWord("nan") && !p.atWord("inf") {
		p.want("a number, nan or inf")
		return 0
	}
	text := sign + p.tok.text
	if p.atWord("nan") {
		text = "nan" // it has no sign
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		p.fail(at.pos, quote(text), "a number that float64 holds")
		return 0
	}
	p.next()
	return v
}

// expression reads a sum of terms. The brackets around it are opened as those of expressions.
func (p *parser) expression() Affine { return p.sum(0) }

func (p *parser) sum(depth int) Affine {
	var a Affine
	p.pay(64)
	for sign, n := p.sign(true), 0; sign != 0 && p.err == nil; sign, n = p.sign(false), n+1 {
		if n == maxTerms {
			p.want(fmt.Sprintf("at most %d terms", maxTerms))
		}
		p.term(&a, sign, depth)
	}
	return a
}

// sign reads the operator in front of a term: +1, -1, or 0 where no term follows. The first needs none.
func (p *parser) sign(first bool) int64 {
	switch {
	case p.accept("-"):
		return -1
	case !first && p.accept("+"), first:
		return 1
	default:
		return 0
	}
}

// term adds `N`, `leaf` or `N*leaf` to a.
func (p *parser) term(a *Affine, sign int64, depth int) {
	coef := sign
	if p.tok.kind == numberToken {
		coef = p.magnitude(sign)
		if !p.accept("*") {
			a.C += coef
			return
		}
	}
	p.pay(128)
	t := p.leaf(depth)
	t.Coef = coef
	if p.err == nil {
		a.Terms = addTerm(a.Terms, t)
	}
}

// magnitude reads a number whose sign has been read.
func (p *parser) magnitude(sign int64) int64 {
	text := p.tok.text
	if sign < 0 {
		text = "-" + text
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		p.want("an integer of 64 bits")
	}
	p.next()
	return v
}

func (p *parser) leaf(depth int) Term {
	t := p.name("an integer, an axis, floordiv(…), mod(…) or shardid(n)")
	call := t.kind == identToken && p.at("(")
	if !call {
		return p.axis(t)
	}
	if depth == maxNest {
		p.fail(t.pos, quote(t.text), fmt.Sprintf("at most %d calls in each other", maxNest))
		return Term{}
	}
	p.open("(", true)
	var out Term
	switch t.text {
	case "floordiv", "mod":
		out.Kind = FloorDivTerm
		if t.text == "mod" {
			out.Kind = ModTerm
		}
		sub := p.sum(depth + 1)
		out.Sub = &sub
		p.expect(",")
	case "shardid":
		out.Kind = ShardTerm
	default:
		p.fail(t.pos, quote(t.text), "floordiv, mod or shardid")
	}
	out.N = p.between(1, math.MaxInt64)
	p.shut(")")
	return out
}

func (p *parser) axis(t token) Term {
	for _, l := range p.fn.axes {
		if l.Axis == t.text {
			return Term{Kind: AxisTerm, Axis: l}
		}
	}
	if p.err == nil {
		p.fail(t.pos, quote(t.text), "the axis of a loop around")
	}
	return Term{}
}

// predicate reads `expression cmp expression`; both sides are brought to the left.
func (p *parser) predicate() Predicate {
	l := p.expression()
	for i, w := range cmpWords {
		if p.accept(w) {
			return Predicate{l.Add(p.expression(), -1), Cmp(i)}
		}
	}
	p.want(oneOf(cmpWords))
	return Predicate{}
}
