package reports

import (
	"fmt"
	"io"
)

// ConformRow is the outcome of one conformance case.
type ConformRow struct {
	Group string
	Case  string
	Err   error // nil: reads, verifies, runs and gives what it must
}

// Conform prints how many cases of each group hold, and the ones that do not (all: every case).
func Conform(w io.Writer, rows []ConformRow, all bool) error {
	var groups []string
	passed, total := map[string]int{}, map[string]int{}
	var list [][]string
	for _, r := range rows {
		if total[r.Group] == 0 {
			groups = append(groups, r.Group)
		}
		total[r.Group]++
		verdict := "ok"
		if r.Err == nil {
			passed[r.Group]++
		} else {
			verdict = firstLine(r.Err.Error(), maxLine-40)
		}
		if all || r.Err != nil {
			list = append(list, []string{r.Group, r.Case, verdict})
		}
	}
	if len(list) > 0 {
		if err := table(w, []string{"group", "case", "outcome"}, nil, list); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	var sums [][]string
	for _, g := range groups {
		sums = append(sums, []string{g, fmt.Sprint(passed[g]), fmt.Sprint(total[g] - passed[g]), fmt.Sprint(total[g])})
	}
	return table(w, []string{"group", "ok", "failed", "cases"}, []int{1, 2, 3}, sums)
}

// ConformJSON prints {"cases":n,"failed":n,"failures":[{"group":…,"case":…,"error":…}]}.
func ConformJSON(w io.Writer, rows []ConformRow) error {
	type failure struct {
		Group string `json:"group"`
		Case  string `json:"case"`
		Error string `json:"error"`
	}
	fs := []failure{}
	for _, r := range rows {
		if r.Err != nil {
			fs = append(fs, failure{r.Group, r.Case, r.Err.Error()})
		}
	}
	return printJSON(w, map[string]any{"cases": len(rows), "failed": len(fs), "failures": fs})
}
