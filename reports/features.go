package reports

import (
	"fmt"
	"io"

	"birfuzz/gen"
)

// featureRow is a feature of generated programs, as -json prints it.
type featureRow struct {
	Feature     string  `json:"feature"`
	Probability float64 `json:"probability"`
}

// Features prints the features that a configuration of the generator may turn and the probability with which a program has each: that of c, where
// nil is gen.Default. As JSON it is one array.
func Features(w io.Writer, c *gen.Config, asJSON bool) error {
	if c == nil {
		usual := gen.Default()
		c = &usual
	}
	var rows []featureRow
	var cells [][]string
	for f, p := range c.Features {
		rows = append(rows, featureRow{gen.Feature(f).String(), p})
		cells = append(cells, []string{gen.Feature(f).String(), fmt.Sprint(p)})
	}
	if asJSON {
		return printJSON(w, rows)
	}
	return table(w, []string{"feature", "probability"}, []int{1}, cells)
}
