package bircheck

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// rules are those that table.txt may name.
var rules = map[string]func(*question){
	"word":          (*question).word,
	"default-word":  (*question).defaultWord,
	"numbers":       (*question).numbers,
	"numbers-if":    (*question).numbersIf,
	"one-class":     (*question).oneClass,
	"bits":          (*question).bits,
	"constant":      (*question).constant,
	"immediate":     (*question).immediate,
	"second":        (*question).second,
	"count":         (*question).count,
	"word32":        (*question).word32,
	"element":       (*question).element,
	"pattern":       (*question).pattern,
	"fold":          (*question).fold,
	"fold-pairs":    (*question).foldPairs,
	"columns":       (*question).columns,
	"multiple":      (*question).multiple,
	"not-both-psum": (*question).notBothPSUM,
	"shuffle":       (*question).shuffle,
	"flag":          (*question).flag,
	"wide":          (*question).wide,
	"most-columns":  (*question).mostColumns,
	"out-type":      (*question).outType,
	"one-bank":      (*question).oneBank,
	"exchange":      (*question).collective,
	"since":         (*question).since,
	"only":          (*question).only,
	"no-psum":       (*question).noPSUM,
	"pool-chain":    (*question).poolChain,
	"scalar-chain":  (*question).scalarChain,
	"bias":          (*question).bias,
}

const bypass = "bypass"

func is(class, op string) bool { return slices.Contains(table.words[class], op) }

// word KEY CLASS: the setting is one of the class; absent it is bypass, or the first of the class where that is none.
func (q *question) word() {
	def := bypass
	if class := table.words[q.args[1]]; !is("alu", class[0]) {
		def = class[0]
	}
	q.mustBe(q.in.settings.word(q.args[0], def), q.args[1])
}

func (q *question) mustBe(word, class string) {
	if !is(class, word) {
		q.add("setting", "%s %s, want one of %s", q.args[0], word, strings.Join(table.words[class], ", "))
	}
}

// default-word KEY DEFAULT CLASS: the same of a setting with another default.
func (q *question) defaultWord() {
	q.mustBe(q.in.settings.word(q.args[0], q.args[1]), q.args[2])
}

// numbers KEY…: no operator on bits.
func (q *question) numbers() {
	for _, key := range q.args {
		if op := q.in.settings.word(key, bypass); is("bitwise", op) {
			q.add("setting", "%s %s, want an operator on numbers", key, op)
		}
	}
}

// numbers-if FLAG KEY: with the flag, no operator on bits.
func (q *question) numbersIf() {
	if q.in.settings.flag(q.args[0], false) {
		q.args = q.args[1:]
		q.numbers()
	}
}

// one-class KEY KEY: bits and numbers do not mix in one instruction (nki-isa.md §2.1); bypass is of either class.
func (q *question) oneClass() {
	a, b := q.in.settings.word(q.args[0], bypass), q.in.settings.word(q.args[1], bypass)
	if a != bypass && b != bypass && is("bitwise", a) != is("bitwise", b) {
		q.add("setting", "%s and %s in one instruction", a, b)
	}
}

// bits KEY…: if an operator works on bits, all memory and register operands are integers of one width (nki-isa.md §1.2).
func (q *question) bits() {
	if !slices.ContainsFunc(q.args, func(key string) bool { return is("bitwise", q.in.settings.word(key, bypass)) }) {
		return
	}
	for i := range q.ops {
		if a := &q.ops[i]; a.Kind != "imm_value" && (!integer(a.DType) || a.size != q.ops[0].size) {
			q.add("dtype", "%s of %s, want integers of one width", a.rule.name, a.DType)
			return
		}
	}
}

// constant OP KEY REVERSE: the number that an operator takes beside the data.
func (q *question) constant() {
	q.number(q.args[0], q.in.settings.number(q.args[1]), q.args[2])
}

// immediate OP OPERAND REVERSE: the same of an operand that may be an immediate.
func (q *question) immediate() {
	if a := q.op(q.args[1]); a != nil && a.Kind == "imm_value" {
		q.number(q.args[0], float64(a.Value), q.args[2])
	}
}

// number checks the second operand of an operator: an integer where it works on bits, a count where it shifts (unless reversed: then the
// number is shifted), 0 or 1 where it is logical.
func (q *question) number(key string, v float64, reverse string) {
	op := q.in.settings.word(key, bypass)
	whole := v == math.Trunc(v) && math.Abs(v) <= 1<<53
	switch width := float64(8 * q.ops[0].size); {
	case is("unary", op):
	case is("shift", op) && !q.in.settings.flag(reverse, false):
		if !whole || v < 0 || v >= width {
			q.add("setting", "%s by %v, want 0 to %v", op, v, width-1)
		}
	case is("bitwise", op) && !whole:
		q.add("setting", "%s with %v, want an integer", op, v)
	case is("logical", op) && v != 0 && v != 1:
		q.add("setting", "%s with %v, want 0 or 1", op, v)
	}
}

// second OP OPERAND: an operator of two operands has its second.
func (q *question) second() {
	if op := q.in.settings.word(q.args[0], bypass); !is("unary", op) && q.op(q.args[1]) == nil {
		q.add("operands", "no %s for %s %s", q.args[1], q.args[0], op)
	}
}

// count OP OPERAND: an immediate that says how far a register is shifted.
func (q *question) count() {
	if a := q.op(q.args[1]); is("shift", q.in.settings.word(q.args[0], "add")) && a.Kind == "imm_value" && (a.Value < 0 || a.Value > 31) {
		q.add("setting", "a shift by %v, want 0 to 31", float64(a.Value))
	}
}

// word32: immediates are 32-bit integers, signed or not.
func (q *question) word32() {
	for i := range q.ops {
		if v := float64(q.ops[i].Value); q.ops[i].Kind == "imm_value" && (v != math.Trunc(v) || v < -1<<31 || v > 1<<32-1) {
			q.add("setting", "%v, want a 32-bit integer", v)
		}
	}
}

// element KEY: the bits of one element of the output.
func (q *question) element() {
	bits, _ := strconv.ParseUint(string(q.in.raw(q.args[0])), 10, 64) // absent: 0
	if width := 8 * q.ops[0].size; width < 64 && bits>>width != 0 {
		q.add("setting", "%s %d in %d bits", q.args[0], bits, width)
	}
}

// pattern: at most 4 pairs, with the elements of a lane of the output together (nki-isa.md §3.20, §3.21).
func (q *question) pattern() {
	pairs := q.in.lists("pattern")
	n := int64(1)
	for _, p := range pairs {
		if p[1] < 1 || n > maxElems {
			n = 0
			break
		}
		n *= p[1]
	}
	if n != q.ops[0].free || len(pairs) > 4 {
		q.add("setting", "pattern %v for %d elements a lane", pairs, q.ops[0].free)
	}
}

// fold KEY: the setting names the innermost pairs that are folded: X is one, XYZW four.
func (q *question) fold() { q.folds(len(q.in.settings.word(q.args[0], "X"))) }

// fold-pairs N: so many innermost pairs are folded.
func (q *question) foldPairs() {
	n, _ := strconv.Atoi(q.args[0]) // a constant of the table
	q.folds(n)
}

func (q *question) folds(k int) {
	out, x := &q.ops[0], &q.ops[1]
	kept := len(x.Pattern) - k
	if kept < 1 {
		q.add("shape", "%d pairs of elements, want %d to fold", len(x.Pattern)-1, k)
		return
	}
	n := int64(1)
	for _, p := range x.Pattern[1:kept] {
		n *= p[1]
	}
	if out.free != n {
		q.add("shape", "%d elements a lane out, want %d", out.free, n)
	}
}

// columns LO HI: elements a lane of the first input.
func (q *question) columns() {
	lo, _ := strconv.ParseInt(q.args[0], 10, 64)
	hi, _ := strconv.ParseInt(q.args[1], 10, 64)
	if n := q.ops[1].free; n < lo || n > hi {
		q.add("shape", "%d elements a lane, want %d to %d", n, lo, hi)
	}
}

// multiple LANES ELEMENTS: sizes of the first input are multiples of these.
func (q *question) multiple() {
	lanes, _ := strconv.ParseInt(q.args[0], 10, 64)
	elems, _ := strconv.ParseInt(q.args[1], 10, 64)
	if x := &q.ops[1]; x.lanes%lanes != 0 || x.free%elems != 0 {
		q.add("shape", "%d lanes of %d, want multiples of %d and %d", x.lanes, x.free, lanes, elems)
	}
}

// not-both-psum A B: one of the two inputs at most is in PSUM (nki-isa.md §3.0).
func (q *question) notBothPSUM() {
	a, b := q.op(q.args[0]), q.op(q.args[1])
	if a.loc != nil && b.loc != nil && a.loc.Type == "PSUM" && b.loc.Type == "PSUM" {
		q.add("memory", "%s and %s in PSUM, want one at most", q.args[0], q.args[1])
	}
}

// shuffle: 32 entries, each 255 or a lane of its group of 32 that the input has (nki-isa.md §3.27).
func (q *question) shuffle() {
	mask := q.in.ints("mask")
	if len(mask) != 32 {
		q.add("setting", "a mask of %d, want 32", len(mask))
		return
	}
	for r := range q.ops[0].lanes {
		m := mask[r%32]
		if m != 255 && r-r%32+m >= q.ops[1].lanes {
			q.add("shape", "lane %d from lane %d of %d", r, r-r%32+m, q.ops[1].lanes)
			return
		}
	}
	for _, m := range mask {
		if m > 31 && m != 255 {
			q.add("setting", "mask entry %d, want 0 to 31 or 255", m)
			return
		}
	}
}

// flag: accumulation_flag is start and stop in one number, and agrees with them; start and accumulate exclude each other.
func (q *question) flag() {
	raw := q.in.raw("accumulation_flag")
	if raw == nil {
		return
	}
	v, _ := strconv.Atoi(string(raw)) // checked by its kind
	if v == 0 {
		v = 3
	}
	switch start, stop := v&1 != 0, v&2 != 0; {
	case start && v&4 != 0:
		q.add("setting", "accumulation_flag %d starts and accumulates", v)
	case q.in.settings.flag("start_tensor_calc", start) != start, q.in.settings.flag("stop_tensor_calc", stop) != stop:
		q.add("setting", "accumulation_flag %d beside start or stop that say otherwise", v)
	}
}

// wide A B: 4-byte operands of the PE array go with 4-byte operands (nki-isa.md §3.1).
func (q *question) wide() {
	a, b := q.op(q.args[0]), q.op(q.args[1])
	if (a.size == 4) != (b.size == 4) {
		q.add("dtype", "%s with %s", a.DType, b.DType)
	}
}

// most-columns OPERAND GENERATION[/SIZE]=N…: elements a lane, of elements of SIZE bytes where that is said.
func (q *question) mostColumns() {
	a := q.op(q.args[0])
	for _, w := range q.args[1:] {
		g, n, _ := strings.Cut(w, "=")
		most, _ := strconv.ParseInt(n, 10, 64)
		g, size, sized := strings.Cut(g, "/")
		if g == q.arch && (!sized || size == strconv.FormatInt(a.size, 10)) && a.free > most {
			q.add("shape", "%d columns, want at most %d", a.free, most)
		}
	}
}

// out-type GENERATION TYPE: on any other generation the output is of this type.
func (q *question) outType() {
	if a := &q.ops[0]; q.arch != q.args[0] && a.DType != q.args[1] {
		q.add("arch", "%s out of a matmul on %s, want %s", a.DType, q.arch, q.args[1])
	}
}

// one-bank OPERAND: all of it lies in one PSUM bank, where the generation asks that (nki-isa.md §5.3).
func (q *question) oneBank() {
	a := q.op(q.args[0])
	if generations[q.arch].wideBank {
		return
	}
	l := a.loc
	pitch := l.rowBytes() / a.size
	q.everywhere(a, func(off int64) bool {
		lo := (off - floorDiv(off, pitch)*pitch) * a.size
		if l.Allocated {
			lo += l.Addr
		}
		hi := lo + (reach(a.Pattern[1:])+1)*a.size
		if lo/bankBytes != (hi-1)/bankBytes {
			q.add("bank", "bytes %d to %d of a partition, want one bank", lo, hi-1)
			return false
		}
		return true
	})
}

// exchange: what a collective says, by itself (nki-isa.md §3.32).
func (q *question) collective() {
	kind := q.in.settings.word("kind", exchanges[0])
	groups, pairs := q.in.lists("replica_groups"), q.in.lists("src_target_pairs")
	if op := q.in.settings.word("op", "add"); (kind == exchanges[0] || kind == exchanges[2]) && !is("sums", op) {
		q.add("setting", "op %s of a collective", op)
	}
	for _, g := range groups {
		if len(g) == 0 || len(g) != len(groups[0]) {
			q.add("collective", "replica_groups %v, want groups of one size", groups)
			break
		}
	}
	if directed := kind == exchanges[4] || kind == exchanges[5]; directed != (len(pairs) > 0) {
		q.add("collective", "%d src_target_pairs for %s", len(pairs), kind)
	}
	for side := range 2 {
		seen := map[int64]bool{}
		for _, p := range pairs {
			if seen[p[side]] {
				q.add("collective", "core %d twice on one side of %v", p[side], pairs)
			}
			seen[p[side]] = true
		}
	}
}
