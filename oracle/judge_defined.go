package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// Undefined returns an undefined byte of an output at the end of the program of Start, on the first input set: "byte 3 of output y"; empty if
// there is none. Start must have given Same. Its run is asked first; elements are followed only where cells cannot tell. The verdict is
// Unknown where they cannot either, else Same.
func (j *Judge) Undefined() (string, Verdict) {
	for _, joined := range layouts(j.start, j.start) {
		l := lens{coresOnly: j.start.Facts.Has(ir.Synced)}
		o, v := j.seen(runWay{joined: joined, grain: cellGrain}, l)
		if v.Kind != Same {
			return "", v
		}
		if o.unsure == "" && !slices.ContainsFunc(o.shots[o.final:], o.undefined) {
			continue
		}
		l.unit = unitOf(j.start)
		if o, v = j.seen(runWay{joined: joined, grain: elementGrain}, l); v.Kind != Same {
			return "", v
		}
		for i := range o.shots[o.final:] {
			s := &o.shots[o.final+i]
			if k := slices.Index(o.unitsOf(s), poisonOrigin); k >= 0 && o.visible[s.vis].output {
				return fmt.Sprintf("byte %d of output %s", k*o.lens.unit, o.visible[s.vis].name), Verdict{}
			}
		}
	}
	return "", Verdict{}
}

// undefined tells whether a shot is of an output of which a byte may be undefined.
func (o *outcome) undefined(s shot) bool { return o.visible[s.vis].output && s.state != defined }

// seen returns a run of the program of Start.
func (j *Judge) seen(w runWay, l lens) (*outcome, Verdict) {
	o, err := j.outcome(j.start, &j.known, w, l)
	switch {
	case err != nil:
		return nil, trouble("before", err)
	case o.crowded || o.limited:
		return nil, Verdict{Kind: Unknown, Why: crowdedText}
	}
	return o, Verdict{}
}
