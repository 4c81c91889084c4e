package bircheck

import "strings"

// The rules of this file are about what an engine or a generation has: nki-isa.md §1.2, §2.1, §2.2, §3.5, §3.9, §3.10.

// operators calls f for each setting of the list that is an operator of the class, with its value.
func (q *question) operators(class string, keys []string, f func(key, op string)) {
	for _, key := range keys {
		if op := q.in.settings.word(key, bypass); is(class, op) {
			f(key, op)
		}
	}
}

// runsOn is the engine of the instruction, "" where none is chosen yet.
func (q *question) runsOn() string {
	if e := q.in.Engine; e != nil && *e != "Unassigned" {
		return *e
	}
	return ""
}

// since GENERATION CLASS KEY…: operators of the class came with the generation.
func (q *question) since() {
	q.operators(q.args[1], q.args[2:], func(key, op string) {
		if q.arch != q.args[0] {
			q.add("arch", "%s %s on %s, want %s for it", key, op, q.arch, q.args[0])
		}
	})
}

// only ENGINE CLASS KEY…: no other engine has operators of the class.
func (q *question) only() {
	q.operators(q.args[1], q.args[2:], func(key, op string) {
		if e := q.runsOn(); e != "" && e != q.args[0] {
			q.add("engine", "%s %s on %s, want %s", key, op, e, q.args[0])
		}
	})
}

// no-psum CLASS KEY…: with an operator of the class no operand is in PSUM.
func (q *question) noPSUM() {
	q.operators(q.args[0], q.args[1:], func(key, op string) {
		for i := range q.ops {
			if a := &q.ops[i]; a.loc != nil && a.loc.Type == "PSUM" {
				q.add("memory", "%s in PSUM beside %s %s, want SB", a.rule.name, key, op)
			}
		}
	})
}

// pool-chain CLASS KEY…: on GpSimd a chain has operators of the class alone.
func (q *question) poolChain() {
	if q.runsOn() != "Pool" {
		return
	}
	for _, key := range q.args[1:] {
		if op := q.in.settings.word(key, bypass); !is(q.args[0], op) {
			q.add("engine", "%s %s on Pool, want one of %s", key, op, strings.Join(table.words[q.args[0]], ", "))
		}
	}
}

// scalar-chain KEY KEY: before Trn2 the Scalar engine has no chain, on Trn2 these three alone, later any on numbers.
func (q *question) scalarChain() {
	if q.runsOn() != "Activation" || q.arch == "core_v4" {
		return
	}
	chain := q.in.settings.word(q.args[0], bypass) + ", " + q.in.settings.word(q.args[1], bypass)
	switch {
	case q.arch == "sunda":
		q.add("engine", "%s on Activation of sunda, want another engine", q.in.Opcode)
	case chain != "mult, add" && chain != "mult, bypass" && chain != "add, bypass":
		q.add("engine", "%s on Activation of gen3, want mult, add or mult or add", chain)
	}
}

// bias GENERATION: there a bias is a column, and a reciprocal has none.
func (q *question) bias() {
	a := q.op("bias")
	if a == nil || q.arch != q.args[0] {
		return
	}
	if a.Kind == "imm_value" {
		q.add("arch", "an immediate bias on %s, want a column", q.arch)
	}
	if f := q.in.settings.word("func", "Identity"); f == "Reciprocal" {
		q.add("arch", "a bias for %s on %s, want none", f, q.arch)
	}
}
