package reports

import (
	"fmt"
	"io"
	"strings"

	"birfuzz/fuzz"
)

// Operators prints what became of a sample of operator mutants: the counts by operator and fate, then every survivor with its place, for each
// is a gap of the generator or of the oracle, or changes nothing that counts.
func Operators(w io.Writer, s *fuzz.OperatorScore) error {
	if err := table(w, append([]string{"operator"}, operatorFates...), []int{1, 2, 3, 4}, operatorRows(s)); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d of %s killed by a campaign of %s; %s by the tests of the passes alone, %d survive\n",
		s.Killed, plural(s.Total, "operator mutant"), strings.Join(s.Levels, ", "), fmt.Sprint(s.Fates[fuzz.FateTests]), s.Fates[fuzz.FateSurvives])
	fmt.Fprintf(w, "drawn from %d of %d places: those that %s a level go through\n", s.Reached, s.Sites, plural(s.Measured, "program"))
	for _, fate := range []string{fuzz.FateTests, fuzz.FateSurvives} {
		for _, o := range s.Mutants {
			if o.Fate != fate {
				continue
			}
			if _, err := fmt.Fprintf(w, "%s %s: %s (%s, %s)\n", strings.ToUpper(fate), o.Place, o.Change, o.Operator, plural(o.Programs, "program")); err != nil {
				return err
			}
		}
	}
	return nil
}

// OperatorsJSON prints the same as one JSON object.
func OperatorsJSON(w io.Writer, s *fuzz.OperatorScore) error { return printJSON(w, s) }

var operatorFates = []string{fuzz.FateFound, fuzz.FateCrash, fuzz.FateTests, fuzz.FateSurvives}

// operatorRows counts the mutants of each operator, in the order in which operators first come.
func operatorRows(s *fuzz.OperatorScore) [][]string {
	var names []string
	counts := map[string]map[string]int{}
	for _, o := range s.Mutants {
		if counts[o.Operator] == nil {
			counts[o.Operator] = map[string]int{}
			names = append(names, o.Operator)
		}
		counts[o.Operator][o.Fate]++
	}
	var rows [][]string
	for _, name := range names {
		row := []string{name}
		for _, fate := range operatorFates {
			row = append(row, fmt.Sprint(counts[name][fate]))
		}
		rows = append(rows, row)
	}
	return rows
}
