package reports

import (
	"fmt"
	"io"

	"birfuzz/fuzz"
)

// maxFaults bounds the complaints that are printed; as JSON all of them are.
const maxFaults = 20

// Validated prints what two validators and a run said of the programs of a seed: the first complaints and the counts, or one JSON object.
func Validated(w io.Writer, seed uint64, v *fuzz.Validated, asJSON bool) error {
	if asJSON {
		return printJSON(w, v)
	}
	for _, c := range v.Complaints[:min(len(v.Complaints), maxFaults)] {
		fmt.Fprintf(w, "seed %d %s\n", seed, c)
	}
	broken := ""
	if v.Broken > 0 {
		broken = fmt.Sprintf("; birfuzz itself broke down on %d", v.Broken)
	}
	_, err := fmt.Fprintf(w, "%s of %s in %.1f s (%s/s): %d illegal, %d by the second validator, %d void, %d undefined, %d unordered, %d unknown%s\n",
		plural(v.Programs, "program"), plural(v.Insts, "instruction"), v.Seconds, Rate(float64(v.Programs)/max(v.Seconds, 1e-9)), v.Illegal, v.Second,
		v.Void, v.Undefined, v.Unordered, v.Unknown, broken)
	return err
}
