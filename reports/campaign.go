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
	fmt.Fprintf(w, "%s in %.1f s (%s/s): %d same, %d different, %d undefined, %d unknown, %d void\n",
		plural(r.Programs, "program"), r.Seconds, Rate(r.Rate), v.Same, v.Different, v.Undefined, v.Unknown, r.Void)
	for _, why := range r.Unjudged {
		fmt.Fprintln(w, "not judged:", why)
	}
	fedLines(w, r.Corpus)
	if r.Unordered > 0 {
		fmt.Fprintf(w, "%s not looked at for whether edges order them: too large, or not in order before\n", plural(r.Unordered, "step"))
	}
	if r.Schedule != "" {
		fmt.Fprintf(w, "%s run in the schedule %s too\n", plural(r.Scheduled, "changed step"), r.Schedule)
	}
	if r.Stuck > 0 {
		fmt.Fprintf(w, "%s without an end: what runs a pass that hangs cannot be stopped, so the campaign ends after a few\n", plural(r.Stuck, "program"))
	}
	if len(r.Unrun) > 0 {
		fmt.Fprintf(w, "not run for that: level %s\n", strings.Join(r.Unrun, ", "))
	}
	if r.Resumable {
		fmt.Fprintln(w, "not all programs are made: the same command with -resume goes on")
	}
	if len(r.Rules) > 0 {
		fmt.Fprintln(w)
		if err := table(w, ruleHeader, []int{2, 3, 4}, ruleRows(r.Rules)); err != nil {
			return err
		}
	}
	if err := knownTable(w, r); err != nil {
		return err
	}
	if len(r.Findings) == 0 {
		_, err := fmt.Fprintln(w, "\nno divergence found"+besides(r))
		return err
	}
	fmt.Fprintln(w)
	return findingTable(w, r.Findings)
}

// Rate spells programs a second: whole numbers where they say enough.
func Rate(perSecond float64) string {
	switch {
	case perSecond >= 10 || perSecond == 0:
		return fmt.Sprintf("%.0f", perSecond)
	case perSecond >= 1:
		return fmt.Sprintf("%.1f", perSecond)
	}
	return fmt.Sprintf("%.1g", perSecond)
}

// besides says that there are findings which are known.
func besides(r *fuzz.Report) string {
	if len(r.Known) == 0 {
		return ""
	}
	return " beside what is known"
}

// knownTable lists what a file of known findings silences, and what it silences no more.
func knownTable(w io.Writer, r *fuzz.Report) error {
	if len(r.Known) > 0 {
		fmt.Fprintln(w)
		if err := table(w, knownHeader, []int{3}, knownRows(r.Known)); err != nil {
			return err
		}
	}
	for i, e := range r.Expired {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, "expired:", e)
	}
	return nil
}

var knownHeader = []string{"known", "pass", "rule", "programs", "until", "why"}

func knownRows(fs []*fuzz.Finding) [][]string {
	var rows [][]string
	for _, f := range fs {
		rows = append(rows, []string{f.Class, f.Pass, f.Rule, fmt.Sprint(f.Duplicates + 1), f.Known.Until, firstLine(f.Known.Reason, maxCell)})
	}
	return rows
}

var ruleHeader = []string{"pass", "rule", "considered", "fired", "refused", "why refused"}

func ruleRows(rules []fuzz.RuleCount) [][]string {
	var rows [][]string
	for _, c := range rules {
		rows = append(rows, []string{c.Pass, c.Rule, fmt.Sprint(c.Considered), fmt.Sprint(c.Fired), fmt.Sprint(c.Refused), whyNot(&c)})
	}
	return rows
}

// whyNot says why a rule refused, or why it was never asked.
func whyNot(c *fuzz.RuleCount) string {
	if c.Starved != "" && c.Considered == 0 {
		return firstLine("starved: "+c.Starved, maxCell)
	}
	return reasons(c.Reasons)
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
	return firstLine(strings.Join(names, ", "), maxCell)
}

// findingTable lists findings; the folders of reproducers stand under it, for they are what people copy.
func findingTable(w io.Writer, fs []*fuzz.Finding) error {
	if err := table(w, findingHeader, []int{3, 4}, findingRows(fs)); err != nil {
		return err
	}
	head := "\nreproducers:\n"
	for _, f := range fs {
		if f.Reproducer == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s  %s\n", head, f.Reproducer); err != nil {
			return err
		}
		head = ""
	}
	return nil
}

var findingHeader = []string{"class", "pass", "rule", "insts", "programs", "first seen in"}

func findingRows(fs []*fuzz.Finding) [][]string {
	var rows [][]string
	for _, f := range fs {
		class := strings.Join(append([]string{f.Class}, f.Also...), ", ")
		if f.Flaky != "" {
			class += " (flaky)"
		}
		rows = append(rows, []string{class, f.Pass, f.Rule, fmt.Sprint(f.Insts), fmt.Sprint(f.Duplicates + 1), f.Program})
	}
	return rows
}

// Line says what a finding is: where and whose it is, on a second line what differs, and on a third who did it, where a witness tells.
func Line(f *fuzz.Finding) string {
	by := f.Pass
	if f.Rule != "" {
		by += ", rule " + f.Rule
	}
	line := fmt.Sprintf("FOUND %s by %s in %s (%s)\n  %s", f.Class, by, f.Program, plural(f.Insts, "instruction"), firstLine(f.Detail, maxLine))
	if w := f.Witness; w != nil && len(w.Parties) > 1 && w.Fence == nil {
		return line // the detail has named them
	}
	if told := f.Witness.Lines(); len(told) > 0 {
		line += "\n  " + strings.TrimSuffix(firstLine(told[0], maxLine), ":")
	}
	return line
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
