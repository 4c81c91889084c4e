package birjson

import "birfuzz/ir"

// exprNode is the members of one expression object beside its kind; zero ones are not printed.
type exprNode struct {
	axis         string
	c, denom, ub int64
	numer        *ir.Affine
	terms        []ir.Term
}

// expr prints an expression as a sum of terms. What was a sum, a product or a lone leaf in the text is a sum of terms here.
func (p *printer) expr(a ir.Affine) { p.exprNode(kindAffine, exprNode{c: a.C, terms: a.Terms}) }

func (p *printer) exprNode(kind string, e exprNode) {
	p.object()
	if p.key("axis", e.axis != "") {
		p.str(e.axis)
	}
	p.number("c", e.c)
	p.number("denom", e.denom)
	p.key("kind", true)
	p.str(kind)
	if p.key("numer", e.numer != nil) {
		p.expr(*e.numer)
	}
	p.key("scale", false) // of a product, which is folded
	if p.key("terms", len(e.terms) > 0) {
		list(p, e.terms, p.term)
	}
	p.number("ub", e.ub)
	p.key("var", false)
	p.close()
}

func (p *printer) term(t ir.Term) {
	p.object()
	p.key("coeff", true)
	p.int(t.Coef)
	p.key("idx", true)
	p.leaf(&t)
	p.close()
}

func (p *printer) leaf(t *ir.Term) {
	switch t.Kind {
	case ir.AxisTerm:
		p.exprNode(kindAxis, exprNode{axis: t.Axis.Axis})
	case ir.FloorDivTerm:
		p.exprNode(kindFloorDiv, exprNode{numer: t.Sub, denom: t.N})
	case ir.ModTerm:
		p.exprNode(kindModulo, exprNode{numer: t.Sub, denom: t.N})
	default:
		p.exprNode(kindShard, exprNode{ub: t.N})
	}
}
