package ir

import (
	"fmt"
	"strings"
	"testing"
)

const diffBase = `func f {
  sb t: f32[4,4]
Block1:
  I-0: t = Memset
  I-1: t = Memset constant=1
  I-2: t = Memset constant=2
  I-3: t = Memset constant=3
  I-4: t = Memset constant=4
  I-5: t = Memset constant=5
}
`

func TestDiff(t *testing.T) {
	cases := []struct{ name, from, to, want string }{
		{"equal", "", "", ""},
		{"changed", "constant=3", "constant=7", `
  …
    I-1: t = Memset constant=1
    I-2: t = Memset constant=2
-   I-3: t = Memset constant=3
+   I-3: t = Memset constant=7
    I-4: t = Memset constant=4
    I-5: t = Memset constant=5
  …
`},
		{"deleted", "  I-0: t = Memset\n", "", `
  …
    sb t: f32[4,4]
  Block1:
-   I-0: t = Memset
    I-1: t = Memset constant=1
    I-2: t = Memset constant=2
  …
`},
		{"added last", "constant=5\n", "constant=5\n  I-6: NoOp\n", `
  …
    I-4: t = Memset constant=4
    I-5: t = Memset constant=5
+   I-6: NoOp
  }
`},
		{"renamed", "I-5:", "I-6:", `
  …
    I-3: t = Memset constant=3
    I-4: t = Memset constant=4
-   I-5: t = Memset constant=5
+   I-6: t = Memset constant=5
  }
`},
		{"moved", "  I-0: t = Memset\n  I-1: t = Memset constant=1\n", "  I-1: t = Memset constant=1\n  I-0: t = Memset\n", `
  …
    sb t: f32[4,4]
  Block1:
-   I-0: t = Memset
    I-1: t = Memset constant=1
+   I-0: t = Memset
    I-2: t = Memset constant=2
    I-3: t = Memset constant=3
  …
`},
		{"function renamed", "func f {", "func g attrs(a) {", `
  module gen3
  
- func f {
+ func g attrs(a) {
    sb t: f32[4,4]
  Block1:
  …
`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := parseText(t, diffBase)
			b := parseText(t, strings.Replace(diffBase, c.from, c.to, 1))
			sameText(t, Diff(a, b), strings.TrimPrefix(c.want, "\n"))
		})
	}
}

// TestDiffApplies: the context and "-" lines are lines of a in order, the context and "+" lines lines of b.
func TestDiffApplies(t *testing.T) {
	a, b := parseFile(t, "everything.bir"), parseFile(t, "sample.bir")
	olds, news := strings.Split(a.String(), "\n"), strings.Split(b.String(), "\n")
	gone, come := 0, 0
	for line := range strings.Lines(Diff(a, b)) {
		mark, text := line[0], strings.TrimSuffix(line[2:], "\n")
		if text == "…" || mark == ' ' && line == "  …\n" {
			continue
		}
		if mark != '+' {
			olds = skipTo(t, olds, text)
			gone++
		}
		if mark != '-' {
			news = skipTo(t, news, text)
			come++
		}
	}
	if gone < 50 || come < 15 {
		t.Errorf("%d lines go and %d come", gone, come)
	}
}

func skipTo(t *testing.T, lines []string, text string) []string {
	t.Helper()
	for i, l := range lines {
		if l == text {
			return lines[i+1:]
		}
	}
	t.Fatalf("no line %q left", text)
	return nil
}

// TestDiffIsFast: long programs with nothing in common cost no square of their length.
func TestDiffIsFast(t *testing.T) {
	long := func(from int) *Program {
		var b strings.Builder
		b.WriteString("func f {\n")
		for i := range 20000 {
			fmt.Fprintf(&b, "I-%d: NoOp\n", (from+i*7919)%20000)
		}
		b.WriteString("}\n")
		return parseText(t, b.String())
	}
	if d := Diff(long(0), long(11)); strings.Count(d, "\n") < 5000 {
		t.Errorf("%d lines", strings.Count(d, "\n"))
	}
}
