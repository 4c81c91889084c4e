package oracle

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// A pair file holds a program and after it any number of changes of it:
//
//	;; after NAME: CHECK…        the checks that fail, in class order; "same" for none, and behind ", not" those that one might expect to fail
//	;; contract WORD…            what the pass promised; absent: nothing
//	- line                       the next such line of the program goes
//	  line                       the next such line stays
//	+ line                       a new line, where the last one went or stayed
//	;; again                     from here on: the pass's second answer, as another change of the program (check steady)
//	;; then                      from here on: what the pass makes of its own output, as a change of that
type pairCase struct {
	name, want    string
	tempts        []string // checks that one might expect to fail
	contract      ir.Contract
	before, after string
	again, twice  string // empty: not asked
}

func readPairs(t *testing.T, file string) []pairCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), ";; after ")
	var out []pairCase
	for _, part := range parts[1:] {
		lines := strings.Split(part, "\n")
		name, want, ok := strings.Cut(lines[0], ": ")
		if !ok {
			t.Fatalf("%s: %q names no verdict", file, lines[0])
		}
		want, tempts, _ := strings.Cut(want, ", not ")
		c := pairCase{name: name, want: want, tempts: strings.Fields(tempts), before: parts[0]}
		lines = lines[1:]
		if len(lines) > 0 && strings.HasPrefix(lines[0], ";; contract ") {
			c.contract = parseContract(t, strings.Fields(lines[0])[2:])
			lines = lines[1:]
		}
		lines, twice, then := cutLines(lines, ";; then")
		lines, again, asked := cutLines(lines, ";; again")
		c.after = patch(t, file+": "+name, parts[0], lines)
		if asked {
			c.again = patch(t, file+": "+name, parts[0], again)
		}
		if then {
			c.twice = patch(t, file+": "+name, c.after, twice)
		}
		out = append(out, c)
	}
	return out
}

// cutLines splits lines around the first that reads so.
func cutLines(lines []string, line string) (head, tail []string, found bool) {
	if i := slices.Index(lines, line); i >= 0 {
		return lines[:i], lines[i+1:], true
	}
	return lines, nil, false
}

// The words of a contract that stand for one value.
var (
	orderWords = map[string]ir.OrderRule{
		"permute": ir.OrderPermute, "delete": ir.OrderDelete, "same": ir.OrderSame, "rebind": ir.OrderRebind, "moves": ir.OrderInsertMoves,
		"schedule": ir.OrderSchedule, "instances": ir.OrderInstances, "moved": ir.OrderInstancesMove, "fences": ir.OrderInsertFences, "sync": ir.OrderInsertSync,
	}
	fenceWords = map[string]ir.FenceRule{"nocross": ir.FencesNoCross, "fencesdrawn": ir.FencesDrawn, "fencesadded": ir.FencesAdded}
	lawWords   = map[string][]ir.Law{
		"keep":           lawsWith(ir.KeepOrder, ir.KeepPredicates, ir.KeepLocations, ir.KeepLoops),
		"place":          lawsWith(ir.KeepOrder, ir.KeepPredicates, ir.KeepPlaced, ir.KeepLoops),
		"localize":       lawsWith(ir.KeepOrder, ir.KeepPredicates, ir.KeepButLocalize, ir.KeepLoops),
		"reduce":         lawsWith(ir.KeepOrder, ir.KeepPredicates, ir.KeepButReduce, ir.KeepLoops),
		"serial":         lawsWith(ir.KeepOrder, ir.KeepPredicates, ir.KeepLocations, ir.KeepButSerial),
		"keep-but-order": lawsWith(ir.KeepLocations),
	}
)

// lawsWith returns the laws that every contract word has, and more.
func lawsWith(more ...ir.Law) []ir.Law {
	return append([]ir.Law{ir.KeepEngine, ir.KeepQueue, ir.KeepFlags, ir.KeepAttributes}, more...)
}

func parseContract(t *testing.T, words []string) ir.Contract {
	t.Helper()
	c := ir.Contract{Same: []ir.Law{}}
	for _, w := range words {
		value, fact := strings.CutPrefix(w, "gives=")
		attrs, free := strings.CutPrefix(w, "attrs=")
		switch {
		case orderWords[w] != 0:
			c.Order = orderWords[w]
		case fenceWords[w] != 0:
			c.Fences = fenceWords[w]
		case lawWords[w] != nil:
			c.Same = lawWords[w]
		case w == "once":
			c.Once = true
		case w == "arithmetic":
			c.Arithmetic = true
		case w == "reassociate":
			c.Number.Reassociate = true
		case free:
			c.Attributes = strings.Split(attrs, ",")
		case fact:
			f, ok := ir.ParseFact(value)
			if !ok {
				t.Fatalf("no fact %q", w)
			}
			c.Gives |= f
		default:
			t.Fatalf("no contract word %q", w)
		}
	}
	return c
}

// patch applies the lines of a change to a program's text.
func patch(t *testing.T, name, text string, change []string) string {
	t.Helper()
	src := strings.Split(text, "\n")
	at := 0
	find := func(line string) int {
		for k := range src {
			if i := (at + k) % len(src); strings.TrimSpace(src[i]) == line {
				return i
			}
		}
		t.Fatalf("%s: no line %q", name, line)
		return -1
	}
	for _, l := range change {
		if strings.TrimSpace(l) == "" {
			continue
		}
		line := strings.TrimSpace(l[1:])
		switch l[0] {
		case '-':
			at = find(line)
			src = append(src[:at:at], src[at+1:]...)
		case '+':
			src = append(src[:at:at], append([]string{line}, src[at:]...)...)
			at++
		default:
			at = find(line) + 1
		}
	}
	return strings.Join(src, "\n")
}

// testInputs draws inputs: small integers for the first set, other numbers for the rest; int32 tensors hold row numbers.
func testInputs(p *ir.Program, set int) ir.Values {
	in := ir.Values{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			if k := l.Set.Kind; k != ir.ExternalInput && k != ir.Const {
				continue
			}
			d := l.Set.DType
			h := hashString(fmt.Sprint(l.Name, set))
			data := make([]byte, l.Bytes())
			for i := 0; i+d.Size() <= len(data); i += d.Size() {
				h = mix(h, uint64(i))
				v := float32(int64(h%17) - 8)
				if set > 0 {
					v = float32(math.Ldexp(float64(int32(h)), -28))
				}
				if d.IsInt() {
					v = float32(h % 4)
				}
				num.Store(data[i:], d, num.Encode(d, v))
			}
			in[l.Name] = ir.Tensor{DType: d, Shape: l.Set.Shape, Data: data}
		}
	}
	return in
}

func mustParse(t testing.TB, name, src string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func failedNames(v Verdict) string {
	if v.Kind == Same {
		return "same"
	}
	if len(v.Failed) == 0 {
		return v.Kind.String()
	}
	var names []string
	for _, f := range v.Failed {
		names = append(names, f.Check)
	}
	return strings.Join(names, " ")
}

func eachPair(t *testing.T, f func(t *testing.T, c pairCase)) {
	files, err := filepath.Glob("testdata/pairs/*.bir")
	if err != nil || len(files) == 0 {
		t.Fatal("no pairs", err)
	}
	for _, file := range files {
		for _, c := range readPairs(t, file) {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".bir")+"/"+c.name, func(t *testing.T) { f(t, c) })
		}
	}
}

func judgePair(t *testing.T, c pairCase, o Options) Verdict {
	t.Helper()
	return judgePairBy(t, NewJudge(o), c)
}

// judgePairBy judges a pair by a judge that may have judged others before.
func judgePairBy(t *testing.T, j *Judge, c pairCase) Verdict {
	t.Helper()
	before, after := mustParse(t, "before", c.before), mustParse(t, "after", c.after)
	inputs := []ir.Values{testInputs(before, 0), testInputs(before, 1)}
	if v := j.Start(before, inputs); v.Kind != Same {
		t.Fatalf("start: %s", v)
	}
	v := j.Next(before, after, c.contract, true)
	if v.Kind != Same || c.again == "" && c.twice == "" {
		return v
	}
	again, twice := after, (*ir.Program)(nil)
	if c.again != "" {
		again = mustParse(t, "again", c.again)
	}
	if c.twice != "" {
		twice = mustParse(t, "twice", c.twice)
	}
	return j.Steady(after, again, twice, c.contract)
}

func TestPairs(t *testing.T) {
	eachPair(t, func(t *testing.T, c pairCase) {
		v := judgePair(t, c, Options{})
		if got := failedNames(v); got != c.want {
			t.Errorf("got %s, want %s\n%s", got, c.want, v)
		} else if testing.Verbose() {
			t.Log(v)
		}
	})
}

// TestPairsAtElementGrain: refining cells never changes a verdict.
func TestPairsAtElementGrain(t *testing.T) {
	eachPair(t, func(t *testing.T, c pairCase) {
		v := judgePair(t, c, Options{Elements: true})
		if got := failedNames(v); got != c.want {
			t.Errorf("got %s, want %s\n%s", got, c.want, v)
		}
	})
}

// TestPairsSideBySide: who has both programs run at once comes to the same verdicts, in the same words.
func TestPairsSideBySide(t *testing.T) {
	beside := func(f func()) (join func()) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			f()
		}()
		return func() { <-done }
	}
	asked := 0
	eachPair(t, func(t *testing.T, c pairCase) {
		want := judgePair(t, c, Options{})
		got := judgePair(t, c, Options{Beside: func(f func()) func() { asked++; return beside(f) }})
		if got.String() != want.String() {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	if asked == 0 {
		t.Error("nothing was done side by side")
	}
}

// pairSource returns the program of a pair file.
func pairSource(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	src, _, _ := strings.Cut(string(text), ";; after ")
	return src
}
