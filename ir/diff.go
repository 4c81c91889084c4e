package ir

import (
	"sort"
	"strconv"
	"strings"
)

// diffContext is the number of equal lines shown around a change.
const diffContext = 2

// Diff returns what an editor of a's text would do to get b's, instruction by instruction: lines that begin with "-" go, those with "+"
// come, others are context, and "…" stands for lines left out. It returns "" if the texts are equal.
func Diff(a, b *Program) string {
	x, y := keyedLines(a.String()), keyedLines(b.String())
	return render(align(x, y))
}

// keyedLine is a line of the text and what it is about: the instruction or location that it names, within its function. A changed
// instruction keeps its key, so that its two texts stand together in a diff.
type keyedLine struct{ key, text string }

func keyedLines(text string) []keyedLine {
	var out []keyedLine
	function := 0 // by number: a function may change its name
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "func ") {
			function++
		}
		name, _, _ := strings.Cut(strings.TrimSpace(line), ": ")
		out = append(out, keyedLine{strconv.Itoa(function) + " " + name, line})
	}
	return out
}

// change is one line of a diff: ' ', '-' or '+'.
type change struct {
	mark byte
	text string
}

// align pairs up lines by the longest run of anchors: keys that stand once on both sides, in one order on both. Between two anchors it
// pairs equal lines from both ends. What has no partner goes or comes. Instruction names are unique, so this finds what a longest
// common subsequence would, but in n log n.
func align(x, y []keyedLine) []change {
	var out []change
	i, j := 0, 0
	for _, a := range append(anchors(x, y), [2]int{len(x), len(y)}) {
		out = between(out, x[i:a[0]], y[j:a[1]])
		if a[0] < len(x) {
			out = paired(out, x[a[0]], y[a[1]])
		}
		i, j = a[0]+1, a[1]+1
	}
	return out
}

// between aligns lines that hold no anchor.
func between(out []change, x, y []keyedLine) []change {
	for len(x) > 0 && len(y) > 0 && x[0].text == y[0].text {
		out = append(out, change{' ', x[0].text})
		x, y = x[1:], y[1:]
	}
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n].text == y[len(y)-1-n].text {
		n++
	}
	for _, l := range x[:len(x)-n] {
		out = append(out, change{'-', l.text})
	}
	for _, l := range y[:len(y)-n] {
		out = append(out, change{'+', l.text})
	}
	for _, l := range x[len(x)-n:] {
		out = append(out, change{' ', l.text})
	}
	return out
}

func paired(out []change, a, b keyedLine) []change {
	if a.text == b.text {
		return append(out, change{' ', a.text})
	}
	return append(out, change{'-', a.text}, change{'+', b.text})
}

// anchors returns the longest ascending run of lines whose key stands once in x and once in y.
func anchors(x, y []keyedLine) [][2]int {
	at := uniques(y)
	var pairs [][2]int
	mine := uniques(x)
	for i, l := range x {
		if mine[l.key] == i {
			if j, ok := at[l.key]; ok && j >= 0 {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return ascending(pairs)
}

// uniques maps each key that stands once to its line, each other key to -1.
func uniques(ls []keyedLine) map[string]int {
	at := make(map[string]int, len(ls))
	for i, l := range ls {
		if _, twice := at[l.key]; twice {
			at[l.key] = -1
		} else {
			at[l.key] = i
		}
	}
	return at
}

// ascending returns the longest subsequence of pairs, which ascend in their first number, that ascends in the second as well.
func ascending(pairs [][2]int) [][2]int {
	var ends []int // ends[n]: the pair with the least second number that ends a run of n+1
	before := make([]int, len(pairs))
	for i, p := range pairs {
		n := sort.Search(len(ends), func(n int) bool { return pairs[ends[n]][1] > p[1] })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	out := make([][2]int, len(ends))
	if len(ends) == 0 {
		return out
	}
	for i, n := ends[len(ends)-1], len(ends)-1; i >= 0; i, n = before[i], n-1 {
		out[n] = pairs[i]
	}
	return out
}

// render writes the changes with a little context.
func render(cs []change) string {
	var b strings.Builder
	shown := -1 // last line written
	for i, c := range cs {
		if c.mark == ' ' {
			continue
		}
		from := max(shown+1, i-diffContext)
		if from > shown+1 {
			b.WriteString("  …\n")
		}
		for ; from <= i; from++ {
			writeChange(&b, cs[from])
		}
		shown = i
		for k := i + 1; k <= i+diffContext && k < len(cs) && cs[k].mark == ' '; k++ {
			writeChange(&b, cs[k])
			shown = k
		}
	}
	if shown >= 0 && shown < len(cs)-1 {
		b.WriteString("  …\n")
	}
	return b.String()
}

func writeChange(b *strings.Builder, c change) {
	b.WriteByte(c.mark)
	b.WriteByte(' ')
	b.WriteString(c.text)
	b.WriteByte('\n')
}
