package fuzz_test

import (
	"fmt"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// windowText draws a program whose accesses move along the axes of nested loops in all the ways that offsets allow: alike, unlike, against each
// other, across rows, by remainders and floor divisions. No generator of programs that mean something draws those this densely.
type windowText struct {
	gen.Rand
	strings.Builder
	axes  []string
	names int
	most  int // instructions
}

func (w *windowText) line(format string, args ...any) {
	w.WriteString(strings.Repeat("  ", len(w.axes)+1))
	fmt.Fprintf(&w.Builder, format+"\n", args...)
}

func (w *windowText) name() int { w.names++; return w.names }

// body writes a few statements and loops.
func (w *windowText) body() {
	for range w.Between(1, 4) {
		if w.names >= w.most {
			return
		}
		if len(w.axes) < 3 && w.Bool(0.4) {
			w.loop()
			continue
		}
		w.statement()
	}
}

func (w *windowText) loop() {
	n, lb, stride := w.name(), w.IntN(3), w.Between(1, 3)
	trips := w.Pick([]int{1, 3, 6, 6, 3, 1})
	ub := lb
	if trips > 0 {
		ub += (trips-1)*stride + 1
	}
	w.line("L%d: for i%d = %d..%d step %d%s {", n, n, lb, ub, stride, w.predicate())
	w.axes = append(w.axes, fmt.Sprintf("i%d", n))
	w.body()
	w.axes = w.axes[:len(w.axes)-1]
	w.line("}")
}

func (w *windowText) statement() {
	d, s := fmt.Sprintf("d%d", w.IntN(2)), fmt.Sprintf("s%d", w.IntN(2))
	n := w.name()
	switch w.IntN(5) {
	case 0:
		w.line("I-%d: d0%s = DMACopy d1%s @SP%s", n, w.window(), w.window(), w.predicate())
	case 1:
		w.line("I-%d: %s%s = Memset @DVE%s", n, s, w.window(), w.predicate())
	case 2:
		w.line("I-%d: %s%s = Load %s%s @SP%s", n, s, w.window(), d, w.window(), w.predicate())
	case 3:
		w.line("I-%d: %s%s = Save %s%s @SP%s", n, d, w.window(), s, w.window(), w.predicate())
	default:
		w.line("I-%d: s0%s = TensorCopy s1%s @DVE%s", n, w.window(), w.window(), w.predicate())
	}
}

// window is an access of a location of 128 rows of 64 elements that stays inside whatever the axes are.
func (w *windowText) window() string {
	if w.Bool(0.15) {
		return ""
	}
	rows, cols := w.Between(1, 3), w.Between(1, 6)
	step := 1 + w.Pick([]int{4, 1, 1})
	offset := fmt.Sprint(64*w.IntN(3) + w.IntN(20) + 3000*w.Pick([]int{2, 1}))
	for _, a := range w.axes {
		if c := []int{0, 1, 2, 4, 6, 64, 128, 65, -1, -64}[w.IntN(10)]; c != 0 && w.Bool(0.7) {
			sign := "+"
			if c < 0 {
				sign, c = "+ 640 -", -c
			}
			offset += fmt.Sprintf(" %s %d*%s", sign, c, a)
		}
		switch w.IntN(12) {
		case 0:
			offset += fmt.Sprintf(" + %d*mod(%s + 1, 2)", w.Between(1, 8), a)
		case 1:
			offset += fmt.Sprintf(" + %d*floordiv(%s, 2)", w.Between(1, 70), a)
		}
	}
	return fmt.Sprintf("[64x%d, %dx%d at %s]", rows, step, cols, offset)
}

func (w *windowText) predicate() string {
	if len(w.axes) == 0 || !w.Bool(0.15) {
		return ""
	}
	return fmt.Sprintf(" if(%s - %d %s 0)", w.axes[w.IntN(len(w.axes))], w.IntN(4), []string{">=", "==", "!=", "<"}[w.IntN(4)])
}

// storageTexts are the ways in which the locations lie: apart, on each other, and as aliases.
var storageTexts = [...]string{
	"  dram d0: f32[128,64]\n  dram d1: f32[128,64]\n  sb s0: f32[128,64]\n  sb s1: f32[128,64]\n",
	"  dram d0: f32[128,64]\n  dram d1: f32[128,64]\n  sb s0: f32[128,64] at addr 64 base 0\n  sb s1: f32[128,64] at addr 72 base 0\n",
	"  dram d0: f32[128,64] at addr 4096\n  dram d1: f32[128,64] at addr 4224\n  sb s0: f32[128,64]\n  sb s1: f32[128,64]\n",
	"  dram d0: f32[128,64] alias(must x)\n  dram d1: f32[128,64] alias(may x)\n  dram x: f32[128,64]\n  sb s0: f32[128,64]\n  sb s1: f32[128,64]\n",
	"  dram d0: f32[128,64] alias(must x)\n  dram d1: f32[128,64] at addr 520\n  dram x: f32[128,64] at addr 512\n  sb s0: f32[128,64]\n  sb s1: f32[128,64]\n",
}

// windowProgram draws a program of about the given number of instructions. Accesses stay where they belong; what else is wrong with the
// program, such as shapes that do not agree, is nothing to dependences.
func windowProgram(t *testing.T, seed uint64, most int) *ir.Program {
	t.Helper()
	w := &windowText{Rand: *gen.New(seed), most: most}
	w.WriteString("func sg0000 {\n" + storageTexts[w.IntN(len(storageTexts))])
	for w.names < most {
		w.body()
	}
	w.WriteString("}\n")
	p, err := ir.Parse("windows.bir", w.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, w.String())
	}
	for _, c := range ir.Verify(p, 0) {
		if c.Rule == ir.RuleBounds {
			return nil
		}
	}
	return p
}

// TestEdgesOrderWindows is TestEdgesOrderConflicts on programs of windows in nests.
func TestEdgesOrderWindows(t *testing.T) {
	t.Parallel()
	n := 6000
	if birtest.Quick() {
		n = 300
	}
	y := edgeTally{}
	for seed := range n {
		p := windowProgram(t, uint64(seed), 2+seed%9)
		if p == nil {
			continue
		}
		q, complete := withEdges(t, p, "build_fdeps,anti_dependency_analyzer")
		if !complete {
			t.Fatalf("seed %d: the fact Deps is not given\n%s", seed, q)
		}
		y.all(t, q, false)
	}
	t.Logf("%+v", y)
	if y.conflicts < 10*n {
		t.Errorf("too little was tried: %+v", y)
	}
}
