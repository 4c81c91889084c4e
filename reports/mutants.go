package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"birfuzz/fuzz"
)

// Mutants prints the kill table of a hunt, then the score, then every mutant that was not killed, with what it does and why.
func Mutants(w io.Writer, s *fuzz.MutantScore) error {
	var rows [][]string
	var alive []fuzz.MutantOutcome
	for _, o := range s.Mutants {
		rows = append(rows, mutantRow(&o))
		if !o.Killed {
			alive = append(alive, o)
		}
	}
	header, numbers := []string{"mutant", "check", "programs", "seconds", "insts", "minimum", "blame"}, []int{2, 3, 4, 5}
	if counted(s) > 0 {
		header, numbers = append(header, "buckets"), append(numbers, len(header))
		for i := range rows {
			rows[i] = append(rows[i], bucketsOf(&s.Mutants[i]))
		}
	}
	if err := table(w, header, numbers, rows); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s\n", mutantSummary(s))
	for _, o := range alive {
		fate, why := fateOf(&o)
		if _, err := fmt.Fprintf(w, "\n%s %s\n%s\n%s\n", fate, o.Name, wrap(o.Mutant.Doc, "  "), wrap(why, "  ")); err != nil {
			return err
		}
	}
	return nil
}

// MutantsJSON prints the outcome of a hunt as one JSON object.
func MutantsJSON(w io.Writer, s *fuzz.MutantScore) error { return printJSON(w, s) }

func mutantRow(o *fuzz.MutantOutcome) []string {
	check, insts, blame := o.Check, fmt.Sprint(o.Insts), "right"
	switch {
	case !o.Killed:
		check, _ = fateOf(o)
		insts, blame = "", ""
	case !o.Blame:
		blame = "wrong: " + o.Rule
	}
	if o.Killed && o.Note != "" {
		check += ", " + o.Note
	}
	return []string{o.Name, firstLine(check, maxCell), fmt.Sprint(o.Programs), fmt.Sprintf("%.1f", o.Seconds), insts, fmt.Sprint(o.Minimum),
		firstLine(blame, maxCell)}
}

// counted returns of how many mutants the findings were counted.
func counted(s *fuzz.MutantScore) (n int) {
	for _, o := range s.Mutants {
		if o.Failures > 0 {
			n++
		}
	}
	return n
}

func bucketsOf(o *fuzz.MutantOutcome) string {
	if o.Failures == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", o.Buckets, o.Failures)
}

// fateOf says of a mutant that was not killed what became of it, and why.
func fateOf(o *fuzz.MutantOutcome) (fate, why string) {
	if o.Err != nil {
		return "NOT BUILT", o.Err.Error()
	}
	return "SURVIVES", o.Note
}

// mutantSummary is the score in words: kills, blame, sizes.
func mutantSummary(s *fuzz.MutantScore) string {
	blamed, near, slowest := 0, 0, 0.0
	var sizes []int
	for _, o := range s.Mutants {
		if !o.Killed {
			continue
		}
		slowest = max(slowest, o.Seconds)
		sizes = append(sizes, o.Insts)
		if o.Blame {
			blamed++
		}
		if 4*o.Insts <= 5*o.Minimum {
			near++
		}
	}
	parts := []string{fmt.Sprintf("%d of %s killed", s.Killed, plural(s.Total, "mutant"))}
	if s.Killed > 0 {
		slices.Sort(sizes)
		parts = append(parts, fmt.Sprintf("blame right in %d", blamed), fmt.Sprintf("median reproducer %s", plural(sizes[len(sizes)/2], "instruction")),
			fmt.Sprintf("%d within 1.25 times their minimum", near), fmt.Sprintf("slowest %.1f s", slowest))
	}
	if n := counted(s); n > 0 {
		buckets := 0
		for _, o := range s.Mutants {
			buckets += o.Buckets
		}
		parts = append(parts, fmt.Sprintf("%.2f buckets a mutant", float64(buckets)/float64(n)))
	}
	return strings.Join(parts, ", ")
}
