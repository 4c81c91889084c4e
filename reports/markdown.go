package reports

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"birfuzz/fuzz"
)

// Markdown prints the summary of a campaign for the page of a CI step: the outcome in its heading, the findings, each with the way to its
// reproducer, what was not judged, and the rules folded up. what says which passes were run.
func Markdown(w io.Writer, what string, r *fuzz.Report) error {
	outcome := "no divergence found" + besides(r)
	switch n := len(r.Findings); {
	case n > 0:
		outcome = plural(n, "finding")
	case r.Broken > 0:
		outcome = "broke down on " + plural(r.Broken, "program")
	}
	v := r.Verdicts
	fmt.Fprintf(w, "### birfuzz: %s\n\n%s, %s in %.1f s: %d same, %d different, %d undefined, %d unknown, %d void\n",
		outcome, escaped(what), plural(r.Programs, "program"), r.Seconds, v.Same, v.Different, v.Undefined, v.Unknown, r.Void)
	for _, why := range r.Unjudged {
		fmt.Fprintf(w, "\nNot judged: %s\n", escaped(why))
	}
	if len(r.Findings) > 0 {
		if err := markdownTable(w, findingHeader, findingRows(r.Findings)); err != nil {
			return err
		}
		for _, f := range r.Findings {
			fmt.Fprintf(w, "\n- **%s by %s**: %s", f.Class, escaped(f.Pass), escaped(firstLine(f.Detail, maxLine)))
			if f.Reproducer != "" {
				fmt.Fprintf(w, " (`%s`)", f.Reproducer)
			}
		}
		fmt.Fprintln(w)
	}
	if len(r.Known) > 0 {
		if err := markdownTable(w, knownHeader, knownRows(r.Known)); err != nil {
			return err
		}
	}
	for _, e := range r.Expired {
		fmt.Fprintf(w, "\nExpired: %s\n", escaped(e))
	}
	if len(r.Rules) > 0 {
		fmt.Fprintf(w, "\n<details><summary>%s</summary>\n", plural(len(r.Rules), "rule"))
		if err := markdownTable(w, ruleHeader, ruleRows(r.Rules)); err != nil {
			return err
		}
		fmt.Fprint(w, "\n</details>\n")
	}
	_, err := fmt.Fprintln(w)
	return err
}

// markdownTable prints rows under a header, with a blank line above.
func markdownTable(w io.Writer, header []string, rows [][]string) error {
	fmt.Fprintln(w)
	t := tablewriter.NewTable(w, tablewriter.WithRenderer(renderer.NewMarkdown()), tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithRowAutoWrap(tw.WrapNone))
	t.Header(header)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = escaped(cell)
		}
		if err := t.Append(cells); err != nil {
			return err
		}
	}
	return t.Render()
}

// escaped keeps what programs and people named from being taken for marks.
func escaped(s string) string {
	return strings.NewReplacer("\\", `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "\n", " ").Replace(s)
}
