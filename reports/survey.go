package reports

import (
	"fmt"
	"io"
	"strings"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// surveyJSON is what -json prints of a survey.
type surveyJSON struct {
	Programs   int                       `json:"programs"`
	Insts      int                       `json:"insts"`
	Least      int                       `json:"least_insts"`
	Most       int                       `json:"most_insts"`
	Structures int                       `json:"structures"`
	Features   map[string]int            `json:"features"` // programs that have each
	Pairs      []pairJSON                `json:"pairs"`
	Rows       []rowJSON                 `json:"instructions"`
	Casts      map[string]map[string]int `json:"casts"` // instructions by the element types that they read and write first
	Missing    []string                  `json:"missing"`
}

// pairJSON is how many programs have two features.
type pairJSON struct {
	Features [2]string `json:"features"`
	Programs int       `json:"programs"`
}

// rowJSON is how often an instruction occurs: by engine, and there by the element types of its operands.
type rowJSON struct {
	Name    string                    `json:"name"`
	Count   int                       `json:"count"`
	Engines map[string]int            `json:"engines"`
	Types   map[string]map[string]int `json:"types_by_engine"`
}

// Survey prints what programs of a configuration are made of, and what is missing. As JSON it is one object.
func Survey(w io.Writer, s *gen.Survey, c *gen.Config, missing []string, asJSON bool) error {
	if asJSON {
		return printJSON(w, surveyObject(s, missing))
	}
	fmt.Fprintf(w, "%d programs of %d to %d instructions, %d instructions, %d different structures\n\n", s.Programs, s.Least, s.Most, s.Insts, s.Structures)
	if err := surveyFeatures(w, s); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := surveyRows(w, s, c); err != nil {
		return err
	}
	if len(missing) == 0 {
		fmt.Fprintln(w, "\nnothing is missing: every feature and pair of features, every instruction on each engine, with each element type there, every name\nof its settings, and every cast")
		return nil
	}
	fmt.Fprintf(w, "\n%d missing: programs may have, and none has\n", len(missing))
	for _, m := range missing {
		fmt.Fprintln(w, "  "+m)
	}
	return nil
}

// surveyFeatures prints how many programs have each feature, and with which other one it meets least.
func surveyFeatures(w io.Writer, s *gen.Survey) error {
	var cells [][]string
	for f, n := range s.Features {
		rare, with := -1, ""
		for g := range s.Features {
			if k := s.Pairs[min(f, g)][max(f, g)]; g != f && k > 0 && (rare < 0 || k < rare) {
				rare, with = k, gen.Feature(g).String()
			}
		}
		cells = append(cells, []string{gen.Feature(f).String(), fmt.Sprint(n), fmt.Sprintf("%.1f", 100*share(n, s.Programs)), with, fmt.Sprint(max(rare, 0))})
	}
	return table(w, []string{"feature", "programs", "%", "rarest with", "programs"}, []int{1, 2, 4}, cells)
}

func share(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

// surveyRows prints how often each instruction occurs, on how many of its engines, and with how many of its element types.
func surveyRows(w io.Writer, s *gen.Survey, c *gen.Config) error {
	var cells [][]string
	for spec := range ir.Ops {
		u := &s.Rows[spec.Op]
		if spec.Weight == 0 && u.Count == 0 {
			continue
		}
		engines, types := c.Possible(spec)
		cells = append(cells, []string{spec.Name, fmt.Sprint(u.Count), outOf(nonZero(u.Engines[:], int(ir.Unassigned), int(ir.ALL)), engines),
			outOf(nonZero(u.Types[:]), types)})
	}
	return table(w, []string{"instruction", "count", "engines", "types"}, []int{1, 2, 3}, cells)
}

// outOf says how many of some there are; nothing where there can be none.
func outOf(n, some int) string {
	if some == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", n, some)
}

// nonZero counts the entries that are not 0, but for those at some places.
func nonZero(list []int, but ...int) int {
	n := 0
	for i, k := range list {
		if k > 0 {
			n++
		}
		for _, j := range but {
			if i == j && k > 0 {
				n--
			}
		}
	}
	return n
}

func surveyObject(s *gen.Survey, missing []string) surveyJSON {
	out := surveyJSON{Programs: s.Programs, Insts: s.Insts, Least: s.Least, Most: s.Most, Structures: s.Structures,
		Features: map[string]int{}, Casts: map[string]map[string]int{}, Missing: append([]string{}, missing...)}
	for f, n := range s.Features {
		out.Features[gen.Feature(f).String()] = n
		for g := f + 1; g < len(s.Features); g++ {
			out.Pairs = append(out.Pairs, pairJSON{[2]string{gen.Feature(f).String(), gen.Feature(g).String()}, s.Pairs[f][g]})
		}
	}
	for t := range s.Casts {
		if to := byType(&s.Casts[t]); len(to) > 0 {
			out.Casts[num.DType(t).String()] = to
		}
	}
	for spec := range ir.Ops {
		out.Rows = append(out.Rows, rowObject(spec.Name, &s.Rows[spec.Op]))
	}
	return out
}

func rowObject(name string, u *gen.Use) rowJSON {
	row := rowJSON{name, u.Count, map[string]int{}, map[string]map[string]int{}}
	for e, n := range u.Engines {
		if n > 0 {
			name := strings.TrimSpace(ir.Engine(e).String())
			row.Engines[name], row.Types[name] = n, byType(&u.On[e])
		}
	}
	return row
}

// byType names the counts that are not 0.
func byType(counts *[num.NumDTypes]int) map[string]int {
	out := map[string]int{}
	for t, n := range counts {
		if n > 0 {
			out[num.DType(t).String()] = n
		}
	}
	return out
}
