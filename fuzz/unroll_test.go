package fuzz

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// looper writes random programs of nested loops whose instructions have everything that unrolling must carry: affine offsets, predicates,
// order vectors, edges of all kinds between all depths, to and of loops, and loop-carried ones.
type looper struct {
	*rand.Rand
	text   strings.Builder
	names  int
	nest   []string // axes around, outermost first
	placed []placed // what has been written so far
}

// placed is an instruction and the loops in which it stands.
type placed struct {
	name string
	nest []string
}

func loopProgram(seed uint64) string {
	w := &looper{Rand: rand.New(rand.NewPCG(seed, 1))}
	facts := ""
	if w.IntN(2) == 0 {
		facts = " facts(Deps)" // not true, but what it makes the passes do is
	}
	fmt.Fprintf(&w.text, "module gen3%s\nfunc f {\n input x: f32[4,64]\n output y: f32[4,64]\n sb a: f32[4,64]\n sb b: f32[4,64]\n", facts)
	w.text.WriteString(" I: a = Load x @SP\n J: b = TensorCopy a @DVE\n")
	w.block(2+w.IntN(5), 0)
	w.text.WriteString(" K: y = Save b @SP\n}\n")
	return w.text.String()
}

func (w *looper) block(n, depth int) {
	for range n {
		if depth < 3 && w.IntN(3) == 0 {
			w.loop(depth)
		} else {
			w.inst()
		}
	}
}

func (w *looper) loop(depth int) {
	w.names++
	name, axis := fmt.Sprintf("L%d", w.names), fmt.Sprintf("i%d", w.names)
	stride := 1 + w.IntN(3)
	lb := w.IntN(5) - 2
	ub := lb + stride*w.IntN(5) - w.IntN(stride)
	fmt.Fprintf(&w.text, "%s: for %s = %d..%d step %d %s%s%s {\n", name, axis, lb, ub, stride, w.one("", "unroll", "no_reorder"), w.edges(name), w.predicates())
	w.place(name)
	w.nest = append(w.nest, axis)
	w.block(1+w.IntN(3), depth+1)
	if w.IntN(4) == 0 {
		fmt.Fprintf(&w.text, "B%d:\n", w.names)
		w.inst()
	}
	w.nest = w.nest[:len(w.nest)-1]
	w.text.WriteString("}\n")
}

func (w *looper) place(name string) {
	w.placed = append(w.placed, placed{name, append([]string(nil), w.nest...)})
}

func (w *looper) inst() {
	w.names++
	name := fmt.Sprintf("I%d", w.names)
	from, to := w.one("a", "b"), w.one("a", "b")
	column := fmt.Sprintf("64x4, 1x2 at mod(%s, 63)", w.expr())
	if from == to {
		fmt.Fprintf(&w.text, "%s: %s[%s] = TensorScalar %s[%s] op0=add const0=1", name, to, column, from, column)
	} else {
		fmt.Fprintf(&w.text, "%s: %s[%s] = TensorCopy %s[64x4, 1x2 at mod(%s, 63)]", name, to, column, from, w.expr())
	}
	if w.IntN(2) == 0 {
		fmt.Fprintf(&w.text, " order(%s, %s)", w.expr(), w.expr())
	}
	fmt.Fprintf(&w.text, "%s%s%s\n", w.one("", " @DVE", " @Pool"), w.edges(name), w.predicates())
	w.place(name)
}

// expr is an expression of the axes around.
func (w *looper) expr() string {
	text := fmt.Sprint(w.IntN(40))
	for _, axis := range w.nest {
		switch w.IntN(5) {
		case 0:
		case 1:
			text += fmt.Sprintf(" + floordiv(%s + %d, 2)", axis, w.IntN(3))
		default:
			text += fmt.Sprintf(" + %d*%s", 1+w.IntN(9), axis)
		}
	}
	return text
}

func (w *looper) predicates() string {
	if w.IntN(3) > 0 {
		return ""
	}
	return fmt.Sprintf(" if(%s %s %s)", w.expr(), w.one("<", ">=", "!="), w.expr())
}

func (w *looper) edges(name string) string {
	var list []string
	for range w.IntN(3) {
		if len(w.placed) == 0 || w.IntN(2) == 0 {
			continue
		}
		on := w.placed[w.IntN(len(w.placed))]
		list = append(list, w.one("", "anti ", "output ", "ordered ")+on.name+w.distance(on.nest))
	}
	if dist := w.distance(w.nest); dist != "" && w.IntN(4) == 0 {
		list = append(list, w.one("", "output ")+name+dist)
	}
	if len(list) == 0 {
		return ""
	}
	return " after(" + strings.Join(list, ", ") + ")"
}

// distance is that of a loop-carried edge to something in the given loops; "" for a plain edge, or where no loop is around both.
func (w *looper) distance(nest []string) string {
	var dist []string
	positive := false
	for i := 0; i < len(nest) && i < len(w.nest) && nest[i] == w.nest[i]; i++ {
		d := w.IntN(3)
		dist, positive = append(dist, fmt.Sprint(d)), positive || d > 0
	}
	if !positive {
		return ""
	}
	return "[" + strings.Join(dist, ", ") + "]"
}

func (w *looper) one(of ...string) string { return of[w.IntN(len(of))] }

// TestUnrolledLoops runs the unrollers on random loops with every amount of fuel: a half-unrolled program is as right as an unrolled one.
func TestUnrolledLoops(t *testing.T) {
	lists := []string{"loop_optimization", "unroll", "full_unroll_some", "heuristic_unroll", "flatten_small_loops", "full_unroll_all"}
	granted, seeds := 0, uint64(120)
	if birtest.Quick() {
		seeds = 5
	}
	for seed := range seeds {
		src := loopProgram(seed)
		p, err := ir.Parse("loops.bir", src)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if cs := ir.Verify(p, p.Facts); len(cs) > 0 {
			t.Fatalf("%v\n%s", cs, src)
		}
		inputs := []ir.Values{{"x": ir.Tensor{DType: p.Cores[0].Sets[0].DType, Shape: []int64{4, 64}, Data: make([]byte, 4*4*64)}}}
		for _, name := range lists {
			granted += everyFuel(t, p, name, inputs)
		}
	}
	if granted < int(seeds)*8 {
		t.Errorf("only %d rewrites were granted", granted)
	}
}

// everyFuel runs the pass and another unroll behind it with 0, 1, … rewrites granted until it has all that it asks for, and returns how many that were.
func everyFuel(t *testing.T, p *ir.Program, name string, inputs []ir.Values) int {
	ps, err := passes.Named(name + ",heuristic_unroll,unroll")
	if err != nil {
		t.Fatal(err)
	}
	j := oracle.NewJudge(oracle.Options{})
	for fuel := 0; ; fuel++ {
		if v := j.Start(p, inputs); v.Kind != oracle.Same {
			t.Fatalf("void: %s\n%s", v, p)
		}
		granted := 0
		passes.Run(p.Clone(), ps, passes.Options{Fuel: fuel}, func(s *passes.Step) bool {
			if s.Index == 0 {
				for _, n := range s.Tally {
					granted += n.Fired
				}
			}
			if s.Failure != nil {
				t.Fatalf("%s: %v\n%s", s.Pass.Name, s.Failure, p)
			}
			if cs := ir.Verify(s.After, s.After.Facts); len(cs) > 0 {
				t.Fatalf("%s, fuel %d: illegal: %v\n%s\n%s", s.Pass.Name, fuel, cs, s.Before, s.After)
			}
			if s.Declined == "" && !s.After.Facts.Has(s.Pass.Contract.Gives) {
				t.Fatalf("%s, fuel %d: facts %s", s.Pass.Name, fuel, s.After.Facts)
			}
			if v := j.Next(s.Before, s.After, s.Promised(), true); v.Kind != oracle.Same {
				t.Fatalf("%s, fuel %d: %s\n%s\nafter\n%s", s.Pass.Name, fuel, v, s.Before, s.After)
			}
			return true
		})
		if granted < fuel {
			return granted
		}
	}
}
