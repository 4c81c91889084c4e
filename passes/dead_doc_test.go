package passes

import (
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
)

// The tests in this file are named after the notes of the document on dead_code_elim (ssa-exit-and-pre-scheduling, walrus.md §4.4).

// judged returns what the sweep says of an instruction that has nothing but its row and what set gives it.
func judged(op ir.Op, set func(*ir.Inst)) string {
	in := &ir.Inst{Op: op}
	set(in)
	return (&dce{}).dontTouch(in)
}

func asItIs(*ir.Inst) {}

// GOTCHA: sync, semaphore, barrier and collective preservation is asked of the instruction, never of a list of names. So it holds for every
// row of the table, the day it is written.
func TestGotchaSyncIsAskedOfTheInstruction(t *testing.T) {
	fences := 0
	for row := range ir.Ops {
		if judged(row.Op, func(in *ir.Inst) { in.Wait = []ir.Sem{{ID: 1, Value: 16}} }) == "" {
			t.Errorf("%s with a wait may be deleted", row.Name)
		}
		if judged(row.Op, func(in *ir.Inst) { in.Update = []ir.Sem{{ID: 1, Value: 16}} }) == "" {
			t.Errorf("%s with an update may be deleted", row.Name)
		}
		if row.Effect != ir.Pure {
			fences++
			if judged(row.Op, asItIs) == "" {
				t.Errorf("%s, which has an effect, may be deleted", row.Name)
			}
		} else if why := judged(row.Op, asItIs); why != "" {
			t.Errorf("%s, which has no effect, stays: %s", row.Name, why)
		}
	}
	if fences < 8 {
		t.Errorf("only %d rows have an effect: the table is not what this test takes it for", fences)
	}
}

// The seven compute opcodes of dont_touch_inst stay when their accumulate or command field is set, and only then.
func TestGotchaSevenAccumulateFields(t *testing.T) {
	seven := []string{"Activation", "TensorScalarPtr", "TensorScalarCache", "TensorTensor", "RangeSelect", "Exponential", "CopyPredicated"}
	var met []string
	for row := range ir.Ops {
		for _, id := range []ir.ParamID{ir.PAcc, ir.PReduceCmd} {
			if !row.HasParam(id) {
				continue
			}
			if !slices.Contains(met, row.JSON) {
				met = append(met, row.JSON)
			}
			for mode := ir.AccIdle; mode <= ir.AccZeroAccumulate; mode++ {
				why := judged(row.Op, func(in *ir.Inst) { in.SetInt(id, int64(mode)) })
				if (why != "") != (mode != ir.AccIdle) {
					t.Errorf("%s with accumulator command %d: %q", row.Name, mode, why)
				}
			}
		}
	}
	for _, name := range seven {
		if !slices.Contains(met, name) {
			t.Errorf("%s has no accumulate field; those that have: %v", name, met)
		}
	}
}

// Opcode 105, the Loop, is a control construct: it is not deleted for want of a user, whatever its body does.
func TestGotchaLoopIsNeverUserless(t *testing.T) {
	for row := range ir.Ops {
		if row.Effect == ir.Control && judged(row.Op, asItIs) == "" {
			t.Errorf("%s may be deleted", row.Name)
		}
	}
	p := parse(t, "func f {\n  sb t: f32[4,8]\n  L0: for i = 0..4 {\n    I-0: Drain @DVE\n  }\n}\n")
	if s := steps(p, Unlimited(), deadCodeElimO0(), deadCodeElimO1()); s[0].Changed || !strings.Contains(p.String(), "L0") {
		t.Errorf("got\n%s", p)
	}
}

// The module is swept again while anything changed: deleting a consumer kills its producers, whatever the number of steps and of blocks.
func TestSweepRunsToFixpoint(t *testing.T) {
	var b strings.Builder
	b.WriteString("func f {\n  input a: f32[4,8]\n  output y: f32[4,8]\n")
	const blocks = 6
	for i := range blocks {
		b.WriteString("  sb t" + string(rune('0'+i)) + ": f32[4,8]\n")
	}
	b.WriteString("Block0:\n  I-0: t0 = Load a @SP\n")
	for i := 1; i < blocks; i++ {
		n := string(rune('0' + i))
		b.WriteString("Block" + n + ":\n  I-" + n + ": t" + n + " = TensorCopy t" + string(rune('0'+i-1)) + " @DVE\n")
	}
	b.WriteString("Last:\n  I-9: y = DMACopy a @SP\n}\n")
	p := parse(t, b.String())
	steps(p, Unlimited(), deadCodeElimO0())
	if p.NumInsts() != 1 {
		t.Errorf("%d instructions are left, want 1:\n%s", p.NumInsts(), p)
	}
}

// At level 0 only the sweep runs, with what it leaves of locations and the tensor map; what is level 1's alone is left.
func TestLevel0OnlySweeps(t *testing.T) {
	for _, text := range textFiles(t) {
		if !slices.Contains(text.Values("run"), "dead_code_elim_o1") {
			continue
		}
		p := parse(t, text.Source)
		for _, s := range steps(p, Unlimited(), deadCodeElimO0()) {
			for _, n := range s.Tally {
				if n.Considered > 0 && n.Rule != ruleNoUser && n.Rule != ruleDeadLocation {
					t.Errorf("%s: level 0 considered %s", text.File, n.Rule.Name)
				}
			}
		}
	}
}

// The event texts name the documented functions.
func TestDeadCodeElimLogs(t *testing.T) {
	p := parse(t, `func f {
  input a: f32[4,8]
  output y: f32[4,8] alias(must w)
  dram w: f32[4,8] alias(must y)
  sb t: f32[4,8]
  sb u: f32[4,8]
  dram t_SpillSave0: f32[4,8]
  I-0: t = Load a @SP
  I-1: t_SpillSave0 = Save t @SP
  I-2: t = Load t_SpillSave0 @SP
  I-3: u = TensorCopy t @DVE
  I-4: y = Save t @SP
  I-5: y = Save t @SP
  I-6: y = DMACopy w @SP
}`)
	var got []string
	for _, e := range steps(p, Unlimited(), deadCodeElimO1())[0].Events {
		if e.Rule == nil {
			got = append(got, e.Text)
		}
	}
	want := []string{"eliminateDeadStore: removed 1 instructions", "remove_extra_spill_for_liw_flow: removed 1 instructions",
		"remove_inst_with_no_user: removed 2 instructions", "peepholes: removed 1 instructions", "remove_dead_memlocs: removed u",
		"remove_dead_memlocs: removed t_SpillSave0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
