package fuzz
import ("testing";"birfuzz/gen";"birfuzz/oracle";"birfuzz/ir";"slices")
func TestD(t *testing.T) {
	r, c := Drawing(5, 108, nil)
	p := gen.Program(r, c)
	in := gen.NeedsOf(p).Inputs(gen.New(5).Fork("inputs 0"), gen.Exact)
	x, err := oracle.Execute(p, in)
	t.Log(err, x.Fault, x.Limited)
	for n, b := range x.Poison { t.Log(n, slices.Index(b, true)) }
	j := oracle.NewJudge(oracle.Options{})
	t.Log(j.Start(p, []ir.Values{in}))
	t.Log(j.Undefined())
	t.Log(p)
}
