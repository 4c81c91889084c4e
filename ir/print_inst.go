package ir

import "strconv"

// inst writes one instruction, a loop with its body.
func (w *printer) inst(in *Inst) {
	w.startLine()
	w.name(in.Name)
	w.str(": ")
	if in.Loop != nil {
		w.loop(in)
		return
	}
	row := in.Spec()
	for i := range in.Args[:in.NOut] {
		w.comma(i)
		w.operand(&in.Args[i], row.argSpec(i, int(in.NOut)))
	}
	if in.NOut > 0 {
		w.str(" = ")
	}
	w.str(row.Name)
	for i := range in.Ins() {
		w.comma(i)
		if i == 0 {
			w.str(" ")
		}
		w.operand(&in.Ins()[i], row.argSpec(i+int(in.NOut), int(in.NOut)))
	}
	for i := range in.Params {
		w.param(&in.Params[i])
	}
	w.clauses(in)
	w.endLine()
}

func (w *printer) comma(i int) {
	if i > 0 {
		w.str(", ")
	}
}

func (w *printer) loop(in *Inst) {
	l := in.Loop
	w.str("for ")
	w.axis(l.Axis)
	w.str(" = ")
	w.int(l.LB)
	w.str("..")
	w.int(l.UB)
	if l.Stride != 1 {
		w.str(" step ")
		w.int(l.Stride)
	}
	for _, word := range loopWords {
		if *l.flag(word) {
			w.str(" ", word)
		}
	}
	w.clauses(in)
	w.open()
	w.blocks(l.Blocks, bodyName(in.Name))
	w.shut()
}

// clauses writes what follows the settings.
func (w *printer) clauses(in *Inst) {
	if in.Engine != Unassigned {
		w.str(" @", in.Engine.String())
	}
	w.named("queue", in.Queue)
	if len(in.Deps)+len(in.LoopDeps) > 0 {
		w.edges(in)
	}
	list(w, "order", in.Order, func(a *Affine) { w.affine(*a) })
	list(w, "if", in.Pred, w.predicate)
	list(w, "wait", in.Wait, func(s *Sem) { w.sem(s, ">=") })
	list(w, "update", in.Update, func(s *Sem) { w.sem(s, "+=") })
	if in.Start != 0 || in.End != 0 {
		w.str(" cycles(")
		w.int(in.Start)
		w.str(", ")
		w.int(in.End)
		w.str(")")
	}
	w.named("source", in.Source)
	list(w, "iter", in.Iter, func(a *Affine) { w.affine(*a) })
	w.raw("extra", in.Extra)
}

func (w *printer) named(key, name string) {
	if name != "" {
		w.str(" ", key, "=")
		w.name(name)
	}
}

func (w *printer) edges(in *Inst) {
	w.str(" after(")
	for i, d := range in.Deps {
		w.comma(i)
		w.edge(d.Kind, d.On)
	}
	for i, d := range in.LoopDeps {
		w.comma(i + len(in.Deps))
		w.edge(d.Kind, d.On)
		w.integers(d.Dist)
	}
	w.str(")")
}

func (w *printer) edge(k EdgeKind, on *Inst) {
	if k != Flow {
		w.str(edgeWords.of(int(k)), " ")
	}
	w.name(on.Name)
}

func (w *printer) sem(s *Sem, mark string) {
	w.int(s.ID)
	w.str(mark)
	w.int(s.Value)
}

func (w *printer) param(p *Param) {
	s := p.ID.Spec()
	w.str(" ", s.Key, "=")
	switch s.Kind {
	case BoolParam:
		w.str(boolWords.of(int(p.I)))
	case EnumParam:
		w.str(names(s.Names).of(int(p.I)))
	case IntParam:
		w.int(p.I)
	case FloatParam:
		w.str(floatText(p.F, 64))
	case ListParam:
		w.integers(p.L)
	default:
		w.str("[")
		commas(w, p.LL, func(l *[]int64) { w.integers(*l) })
		w.str("]")
	}
}

func (w *printer) integers(l []int64) {
	w.str("[")
	commas(w, l, func(v *int64) { w.int(*v) })
	w.str("]")
}

// operand writes one operand; row is the table's description of it, or nil.
func (w *printer) operand(o *Operand, row *OperandSpec) {
	usual := o.DType
	switch o.Kind {
	case APOperand:
		w.name(o.Loc.Name)
		w.access(o)
		usual = o.Loc.Set.DType
	case RegOperand:
		w.str("$")
		w.name(o.Loc.Name)
		usual = o.Loc.registerDType()
	case ImmOperand:
		w.str(floatText(o.Imm, 64))
		usual = immDType(row)
	default:
		w.str("_")
	}
	if o.DType != usual {
		w.str(":", dtypeWords.of(int(o.DType)))
	}
}

// access writes the brackets of an access: none for a whole location, slices for a rectangle of it, else pairs and offset.
func (w *printer) access(o *Operand) {
	shift := Affine{Terms: o.Off.Terms}
	nat, ok := naturalPairs(o.Loc, o.DType)
	rows, cols, ok := o.rectangle(nat, ok)
	if !ok {
		w.pairs(o)
		return
	}
	if all := rows.open && cols.open; all && shift.IsConst() {
		return
	}
	w.str("[")
	w.slice(rows)
	w.str(", ")
	w.slice(cols)
	if !shift.IsConst() {
		w.str(" at ")
		w.affine(shift)
	}
	w.str("]")
}

// rectangle returns the rows and columns of an access that steps through its location as nat does, from the constant part of its offset on.
func (o *Operand) rectangle(nat [2]Pair, ok bool) (rows, cols slice, _ bool) {
	a := o.AP
	if !ok || o.N != 2 || a[0].Step != nat[0].Step || a[1].Step != 1 || a[0].Num < 1 || a[1].Num < 1 || o.Off.C < 0 {
		return slice{}, slice{}, false
	}
	pitch := int64(nat[0].Step)
	r, c := o.Off.C/pitch, o.Off.C%pitch
	rows = slice{from: r, to: r + int64(a[0].Num), open: r == 0 && a[0].Num == nat[0].Num}
	cols = slice{from: c, to: c + int64(a[1].Num), open: c == 0 && a[1].Num == nat[1].Num}
	return rows, cols, rows.to <= int64(nat[0].Num) && cols.to <= pitch
}

func (w *printer) slice(s slice) {
	if s.open {
		w.str(":")
		return
	}
	w.int(s.from)
	w.str(":")
	w.int(s.to)
}

func (w *printer) pairs(o *Operand) {
	w.str("[")
	for i, p := range o.Pairs() {
		w.comma(i)
		w.int(int64(p.Step))
		w.str("x")
		w.int(int64(p.Num))
	}
	if o.Off.C != 0 || o.Symbolic() {
		if o.N > 0 {
			w.str(" ")
		}
		w.str("at ")
		w.affine(o.Off)
	}
	w.str("]")
}

// affine writes an expression, the constant last. Parse merges equal leaves, so it is brought to that form first.
func (w *printer) affine(a Affine) {
	a = Affine{}.Add(a, 1)
	for i := range a.Terms {
		t := &a.Terms[i]
		w.sign(t.Coef, i == 0)
		if t.Coef != 1 && t.Coef != -1 {
			w.magnitude(t.Coef)
			w.str("*")
		}
		w.leaf(t)
	}
	if a.C != 0 || len(a.Terms) == 0 {
		w.sign(a.C, len(a.Terms) == 0)
		w.magnitude(a.C)
	}
}

// sign writes the operator in front of a term.
func (w *printer) sign(v int64, first bool) {
	switch {
	case v < 0 && first:
		w.str("-")
	case v < 0:
		w.str(" - ")
	case !first:
		w.str(" + ")
	}
}

// magnitude writes |v|; that of the smallest integer is right, too.
func (w *printer) magnitude(v int64) {
	u := uint64(v)
	if v < 0 {
		u = -u
	}
	w.buf = strconv.AppendUint(w.buf, u, 10)
}

func (w *printer) leaf(t *Term) {
	switch t.Kind {
	case AxisTerm:
		w.axis(t.Axis.Axis)
		return
	case FloorDivTerm:
		w.str("floordiv(")
	case ModTerm:
		w.str("mod(")
	default:
		w.str("shardid(")
	}
	if t.Sub != nil {
		w.affine(*t.Sub)
		w.str(", ")
	}
	w.int(t.N)
	w.str(")")
}

// predicate writes `terms cmp constant`.
func (w *printer) predicate(p *Predicate) {
	l, r := p.Expr, Affine{}
	if !l.IsConst() {
		l.C, r.C = 0, -l.C
	}
	w.affine(l)
	w.str(" ", cmpWords.of(int(p.Cmp)), " ")
	w.affine(r)
}
