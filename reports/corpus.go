package reports

import (
	"fmt"
	"io"
	"strings"

	"birfuzz/fuzz"
)

// Corpus prints what folders of programs hold and what was done to them, as a table or as one JSON array.
func Corpus(w io.Writer, list []fuzz.FolderCount, asJSON bool) error {
	if asJSON {
		return printJSON(w, list)
	}
	header := []string{"corpus", "programs", "insts", "added", "removed", "unusable"}
	for k := range fuzz.NumFeatureKinds {
		header = append(header, k.String())
	}
	var rows [][]string
	for _, n := range list {
		row := []string{n.Dir}
		for _, v := range [...]int{n.Programs, n.Insts, n.Added, n.Removed, n.Unusable} {
			row = append(row, fmt.Sprint(v))
		}
		for k := range fuzz.NumFeatureKinds {
			row = append(row, fmt.Sprint(n.Features[k.String()]))
		}
		rows = append(rows, row)
	}
	right := make([]int, len(header)-1)
	for i := range right {
		right[i] = i + 1
	}
	if err := table(w, header, right, rows); err != nil {
		return err
	}
	for _, n := range list {
		if n.Findings > 0 {
			fmt.Fprintf(w, "a pass breaks %s of %s: birfuzz check %s\n", plural(n.Findings, "program"), n.Dir, n.Dir)
		}
		if n.Void > 0 {
			fmt.Fprintf(w, "%s of %s: no meaning, and no use\n", plural(n.Void, "program"), n.Dir)
		}
	}
	return nil
}

// fedLines says what a corpus gave to a campaign, and what it got.
func fedLines(w io.Writer, n *fuzz.FeedCount) {
	if n == nil {
		return
	}
	var features []string
	for k := range fuzz.NumFeatureKinds {
		features = append(features, fmt.Sprintf("%d %s", n.Features[k.String()], k))
	}
	fmt.Fprintf(w, "corpus %s: %s, %d of them new", n.Dir, plural(n.Programs, "program"), n.Added)
	if n.Unusable > 0 {
		fmt.Fprintf(w, ", %s left out", plural(n.Unusable, "file"))
	}
	fmt.Fprintf(w, "; features: %s\n", strings.Join(features, ", "))
	fmt.Fprintf(w, "drawn from it: %d varied, %d spliced, %d of them void; %d as they are; %d fresh ones\n", n.Varied, n.Spliced, n.Void, n.Replayed, n.Fresh)
}
