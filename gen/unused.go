package gen

import (
	"slices"
	"strconv"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// declareUnused declares locations that no instruction names, of every memory, some with an alias.
func (b *builder) declareUnused() {
	had := len(b.slots)
	for range b.Between(1, 3) {
		lanes, free := b.sizes(0, 0)
		t := one(&b.Rand, b.common)
		var s *slot
		switch b.Pick([]int{3, 1, 3}) {
		case 0:
			s = b.newTile(ir.SB, lanes, free, t)
		case 1:
			s = b.newTile(ir.PSUM, lanes, min(free, ir.PSUMBankBytes/8), num.Float32)
		default:
			s = b.newScratch(lanes, free, t)
		}
		if s != nil {
			b.keep = append(b.keep, b.flow.root[s.loc.ID])
		}
	}
	b.slots = b.slots[:had]
}

// tensorMap gives the module a tensor map: an object under the names of some of its locations and sets, and now and then of none.
func (b *builder) tensorMap() {
	if !b.on(TensorMap) {
		return
	}
	r := b.fork("tensor map")
	listed := b.labels[:0]
	for _, f := range b.prog.Cores {
		for _, s := range f.Sets {
			if r.Bool(0.3) {
				listed = append(listed, s.Name)
			}
			if r.Bool(0.6) {
				listed = append(listed, s.Locs[0].Name)
			}
		}
	}
	if r.Bool(0.2) {
		listed = append(listed, "nobody")
	}
	slices.Sort(listed)
	out := append(b.text[:0], `{"tensor_map":{`...)
	for i, name := range slices.Compact(listed) { // names of letters, digits and underscores: nothing to escape
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), name...), `":{"id":`...)
		out = append(strconv.AppendInt(out, int64(i), 10), '}')
	}
	out = append(out, "}}"...)
	b.labels, b.text = listed, out
	b.prog.Extra = b.bytes.list(out...)
}
