package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"birfuzz/fuzz"
)

// Campaign prints the summary of a campaign or a check: verdicts, what each rule did, and the findings.
func Campaign(w io.Writer, r *fuzz.Report) error {
	v := r.Verdicts
	fmt.Fprintf(w, "%d programs in %.1f s (%.0f/s): %d same, %d different, %d undefined, %d unknown, %d void\n",
		r.Programs, r.Seconds, r.Rate, v.Same, v.Different, v.Undefined, v.Unknown, r.Void)
	for _, why := range r.Unjudged {
		fmt.Fprintln(w, "not judged:", why)
	}
	if len(r.Rules) > 0 {
		fmt.Fprintln(w)
		if err := table(w, []string{"pass", "rule", "considered", "fired", "refused", "why refused"}, []int{2, 3, 4}, ruleRows(r.Rules)); err != nil {
			return err
		}
	}
	if len(r.Findings) == 0 {
		fmt.Fprintln(w, "\nno divergence found")
		return nil
	}
	fmt.Fprintln(w)
	return table(w, []string{"class", "pass", "rule", "insts", "also", "program", "reproducer"}, []int{3, 4}, findingRows(r.Findings))
}

func ruleRows(rules []fuzz.RuleCount) [][]string {
	var rows [][]string
	for _, c := range rules {
		rows = append(rows, []string{c.Pass, c.Rule, fmt.Sprint(c.Considered), fmt.Sprint(c.Fired), fmt.Sprint(c.Refused), reasons(c.Reasons)})
	}
	return rows
}

// reasons lists why a rule refused, most frequent first.
func reasons(m map[string]int) string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if m[a] != m[b] {
			return m[b] - m[a]
		}
		return strings.Compare(a, b)
	})
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %d", n, m[n])
	}
	return firstLine(strings.Join(names, ", "))
}

func findingRows(fs []*fuzz.Finding) [][]string {
	var rows [][]string
	for _, f := range fs {
		rows = append(rows, []string{f.Class, f.Pass, f.Rule, fmt.Sprint(f.Insts), fmt.Sprint(f.Duplicates), f.Program, f.Reproducer})
	}
	return rows
}

// Line says in one line what a finding is.
func Line(f *fuzz.Finding) string {
	by := f.Pass
	if f.Rule != "" {
		by += ", rule " + f.Rule
	}
	return fmt.Sprintf("FOUND %s by %s in %s (%d instructions): %s", f.Class, by, f.Program, f.Insts, firstLine(f.Detail))
}
