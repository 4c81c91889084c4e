package reports

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"birfuzz/ir"
	"birfuzz/ir/num"
	"birfuzz/oracle"
)

// Outputs prints what a run left in its outputs, one tensor after the other: at most limit elements each (0: all), a row a line. An element
// that nobody wrote is printed as a dot.
func Outputs(w io.Writer, r oracle.Result, limit int) error {
	var names []string
	for n := range r.Outputs {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		if err := tensor(w, n, r.Outputs[n], r.Poison[n], limit); err != nil {
			return err
		}
	}
	return nil
}

func tensor(w io.Writer, name string, t ir.Tensor, poison []bool, limit int) error {
	size := t.DType.Size()
	count := len(t.Data) / size
	row := count
	if k := len(t.Shape); k > 0 && t.Shape[k-1] > 0 {
		row = int(t.Shape[k-1])
	}
	fmt.Fprintf(w, "%s: %s%s\n", name, t.DType, strings.ReplaceAll(fmt.Sprint(t.Shape), " ", ","))
	shown := count
	if limit > 0 {
		shown = min(count, limit)
	}
	for at := 0; at < shown; at += row {
		var cells []string
		for i := at; i < min(at+row, shown); i++ {
			cells = append(cells, element(t, poison, i*size))
		}
		fmt.Fprintln(w, " ", strings.Join(cells, " "))
	}
	if shown < count {
		_, err := fmt.Fprintf(w, "  … %d more\n", count-shown)
		return err
	}
	return nil
}

func element(t ir.Tensor, poison []bool, at int) string {
	size := t.DType.Size()
	if len(poison) > 0 && slices.Contains(poison[at:at+size], true) {
		return "."
	}
	bits := num.Load(t.Data[at:], t.DType)
	if !t.DType.IsInt() {
		return strconv.FormatFloat(float64(num.Decode(t.DType, bits)), 'g', -1, 32)
	}
	if t.DType.IsSigned() {
		shift := 64 - 8*size
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	}
	return strconv.FormatUint(bits, 10)
}
