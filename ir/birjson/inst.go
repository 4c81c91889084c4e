package birjson

import (
	"fmt"
	"strings"

	"birfuzz/ir"
)

// header is the keys that every instruction may have, as they stand in the text.
type header struct {
	name, opcode, engine, queue, outs, ins, indirect, deps, carried, order, predicates, start, end, sync, ours value
}

// header reads the keys of an instruction. Those that depend on its row are left in r.rest: a reader that wanted the opcode first could not
// read files with sorted keys.
func (r *reader) header(v value) (h header) {
	r.rest = r.rest[:0]
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "name":
			h.name = it.val
		case "opcode":
			h.opcode = it.val
		case "engine":
			h.engine = it.val
		case "queue":
			h.queue = it.val
		case "outs":
			h.outs = it.val
		case "ins":
			h.ins = it.val
		case "indirection_ins":
			h.indirect = it.val
		case "dependencies":
			h.deps = it.val
		case "loop_carried_dependencies":
			h.carried = it.val
		case "order":
			h.order = it.val
		case "predicates":
			h.predicates = it.val
		case "scheduled_start":
			h.start = it.val
		case "scheduled_end":
			h.end = it.val
		case "sync_info":
			h.sync = it.val
		case "x_birfuzz":
			h.ours = it.val
		default:
			r.rest = append(r.rest, member{it.key, it.val})
		}
	}
	return h
}

func (r *reader) inst(v value) *ir.Inst {
	mark := len(r.unknown)
	in := &r.insts.take(1)[0]
	h := r.header(v)
	if !r.require(v, h.name, "name") || !r.require(v, h.opcode, "opcode") {
		return in
	}
	in.Name = r.name(h.name)
	in.ID = int32(len(r.named)) // its number in the function, for linkEdges
	claim(r.doc, h.name, r.named, "instruction", in.Name, in)
	row := r.form(v, h.opcode)
	if r.err != nil {
		return in
	}
	in.Op = row.Op
	r.issue(in, &h)
	r.operands(v, in, row, &h)
	if h.deps.given() || h.carried.given() {
		r.scope.edges = append(r.scope.edges, edges{in, h.deps, h.carried})
	}
	if row.Effect == ir.Control {
		r.loop(v, in)
	} else {
		r.settings(in, row)
	}
	in.Extra = r.extra(v, mark)
	return in
}

// issue reads when and where the instruction runs.
func (r *reader) issue(in *ir.Inst, h *header) {
	if h.engine.given() {
		in.Engine = word(r.doc, h.engine, ir.ParseEngine, "an engine (PE, Activation, Pool, DVE, SP, DMA, ALL, Unassigned)")
	}
	if h.queue.given() {
		in.Queue = r.queue(h.queue)
	}
	if h.start.given() {
		in.Start = r.int(h.start, 0, maxReach)
	}
	if h.end.given() {
		in.End = r.int(h.end, 0, maxReach)
	}
	if h.order.given() {
		for it := r.list(h.order); it.next(); {
			in.Order = append(in.Order, r.expr(it.val))
		}
	}
	if h.predicates.given() {
		for it := r.list(h.predicates); it.next(); {
			in.Pred = append(in.Pred, r.predicate(it.val))
		}
	}
	if h.sync.given() {
		r.sync(in, h.sync)
	}
	if h.ours.given() {
		for it := r.object(h.ours); it.next(); {
			switch string(it.key) {
			case "source":
				in.Source = r.name(it.val)
			case "iter":
				for e := r.list(it.val); e.next(); {
					in.Iter = append(in.Iter, r.expr(e.val))
				}
			default:
				r.keep(it.val)
			}
		}
	}
}

// queue returns a queue's name; a program has few, so each is stored once. The empty name is no queue.
func (r *reader) queue(v value) string {
	text := r.text(v, "the name of a queue")
	if len(text) == 0 {
		return ""
	}
	q, ok := r.queues[string(text)]
	if !ok {
		q = r.name(v)
		r.queues[q] = q
	}
	return q
}

func (r *reader) predicate(v value) (p ir.Predicate) {
	var expr, cmp value
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "expr":
			expr = it.val
		case "cmp":
			cmp = it.val
		default:
			r.keep(it.val)
		}
	}
	if r.require(v, expr, "expr") && r.require(v, cmp, "cmp") {
		p.Expr = r.expr(expr)
		p.Cmp = word(r.doc, cmp, ir.ParseCmp, "a comparison (is_equal, not_equal, is_gt, is_ge, is_lt, is_le)")
	}
	return p
}

func (r *reader) sync(in *ir.Inst, v value) {
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "on_wait":
			in.Wait = r.semaphores(it.val, "wait_value")
		case "on_update":
			in.Update = r.semaphores(it.val, "update_value")
		default:
			r.keep(it.val)
		}
	}
}

func (r *reader) semaphores(v value, valueKey string) (out []ir.Sem) {
	for it := r.list(v); it.next(); {
		var s ir.Sem
		for m := r.object(it.val); m.next(); {
			switch string(m.key) {
			case "id":
				s.ID = r.int(m.val, 0, maxInt)
			case valueKey:
				s.Value = r.int(m.val, -maxInt, maxInt)
			default:
				r.keep(m.val)
			}
		}
		out = append(out, s)
	}
	return out
}

// operands reads the outputs, the inputs and the index operands, as many as the row wants.
func (r *reader) operands(v value, in *ir.Inst, row *ir.Spec, h *header) {
	plain := len(row.Ins)
	for plain > 0 && row.Ins[plain-1].Role == ir.Index {
		plain--
	}
	outs := r.count(v, h.outs, "outs", row.Outs)
	ins := r.count(v, h.ins, "ins", row.Ins[:plain])
	index := r.count(v, h.indirect, "indirection_ins", row.Ins[plain:])
	if r.err != nil || outs+ins+index == 0 {
		return
	}
	in.NOut = uint8(outs)
	in.Args = r.args.take(outs + ins + index)
	n := 0
	for _, list := range [...]value{h.outs, h.ins, h.indirect} {
		if !list.given() {
			continue
		}
		for it := r.list(list); it.next(); n++ {
			r.operand(it.val, &in.Args[n])
		}
	}
}

// count returns the length of an operand list, which must fit the row.
func (r *reader) count(v, list value, key string, want []ir.OperandSpec) int {
	n, least := 0, len(want)
	for least > 0 && want[least-1].Opt {
		least--
	}
	if list.given() {
		v = list
		for it := r.list(list); it.next(); {
			n++
		}
	}
	if r.err == nil && (n < least || n > len(want)) {
		r.fail(v, "got %d %s, want %s", n, key, operandNames(want))
	}
	return n
}

// operandNames lists the operands of a row: "dst" or "x, s0, [s1]".
func operandNames(want []ir.OperandSpec) string {
	if len(want) == 0 {
		return "none"
	}
	var out []string
	for i := range want {
		name := want[i].Name
		if want[i].Opt {
			name = "[" + name + "]"
		}
		out = append(out, name)
	}
	return fmt.Sprintf("%d: %s", len(want), strings.Join(out, ", "))
}

// loop reads what a Loop has beside the header. Its own axis is known inside its blocks only.
func (r *reader) loop(v value, in *ir.Inst) {
	l := &ir.Loop{Stride: 1}
	in.Loop = l
	var axis, blocks value
	for _, m := range r.rest {
		switch string(m.key) {
		case "LoopAxis":
			axis = m.val
		case "blocks":
			blocks = m.val
		case "no_reorder":
			l.NoReorder = r.bool(m.val)
		case "isParallel":
			l.Parallel = r.bool(m.val)
		case "unroll":
			l.Unroll = r.bool(m.val)
		default:
			r.keep(m.val)
		}
	}
	if !r.require(v, axis, "LoopAxis") {
		return
	}
	r.axis(axis, l)
	if len(r.loops) == MaxLoops {
		r.fail(v, "more than %d loops in one another", MaxLoops)
	}
	if blocks.given() && r.err == nil {
		r.loops = append(r.loops, l)
		l.Blocks = r.blockList(blocks)
		r.loops = r.loops[:len(r.loops)-1]
	}
}

func (r *reader) axis(v value, l *ir.Loop) {
	var name value
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "name":
			name = it.val
		case "lb":
			l.LB = r.int(it.val, -maxInt, maxInt)
		case "ub":
			l.UB = r.int(it.val, -maxInt, maxInt)
		case "stride":
			l.Stride = r.int(it.val, 1, maxInt)
		default:
			r.keep(it.val)
		}
	}
	if !r.require(v, name, "name") {
		return
	}
	l.Axis = r.name(name)
	for _, outer := range r.loops {
		if outer.Axis == l.Axis {
			r.fail(name, "axis %q is that of a loop around this one", l.Axis)
		}
	}
}
