package oracle

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// faultOfText runs a program in text form as engines and returns its fault.
func faultOfText(t *testing.T, src string) *Fault {
	t.Helper()
	m := NewMachine()
	p := mustParse(t, "witness", src)
	if err := m.Prepare(p, Layout{}); err != nil {
		t.Fatal(err)
	}
	got, err := m.Run(testInputs(p, 0), Way{Schedule: Schedule{kind: asEngines}})
	if err != nil {
		t.Fatal(err)
	}
	return got.Fault
}

func TestRaceWitness(t *testing.T) {
	f := faultOfText(t, `func f {
  input x: f32[4,8]
  sb a: f32[4,8] at addr 64 base 32
  L: for i = 0..2 {
    I-0: a[1:3, 4:8] = Load x[1:3, 4:8] @SP queue=q1 update(3+=1)
  }
  I-1: a[0:4, 2:6] = Memset constant=0 @DVE wait(3>=1)
}`)
	want := Witness{
		Parties: []Party{{Inst: "I-0", Op: "Load", Engine: "SP", Iter: []int64{1}, Lane: "SP.q1", Access: "writes"},
			{Inst: "I-1", Op: "Memset", Engine: "DVE", Lane: "DVE", Access: "writes"}},
		Place: &Place{Location: "a", Row: 1, Byte: 16, Bytes: 8, Address: &Address{Memory: "SB", Partition: 33, Byte: 80}, seen: atTheEnd},
		Mend:  "wait(3>=2) on I-1 on DVE, for I-0[1] on SP.q1 raises it",
	}
	if f == nil || f.Witness == nil {
		t.Fatal(f)
	}
	if f.Witness.Parties[1].Iter = nil; !reflect.DeepEqual(*f.Witness, want) {
		t.Errorf("got %+v\nwant %+v", *f.Witness, want)
	}
	if !strings.Contains(f.Detail, "partition 33, byte 80") {
		t.Error(f.Detail)
	}
}

func TestDeadlockWitness(t *testing.T) {
	f := faultOfText(t, `func f {
  I-0: NoOp @SP
  I-1: NoOp @SP wait(1>=1) update(2+=1)
  I-2: NoOp @DVE wait(2>=1)
  I-3: NoOp @DVE update(1+=1)
  I-4: NoOp @Pool wait(2>=1)
}`)
	if f == nil || f.Witness == nil || !f.Witness.Cycle || len(f.Witness.Parties) != 2 {
		t.Fatalf("%v %+v", f, f.Witness)
	}
	if a, b := f.Witness.Parties[0], f.Witness.Parties[1]; a.Inst != "I-1" || a.Lane != "SP" || b.Inst != "I-2" || b.Lane != "DVE" {
		t.Errorf("%+v", f.Witness.Parties)
	}
}

// TestMend: the wait that a witness proposes orders the two accesses, and nobody waits for ever for it.
func TestMend(t *testing.T) {
	most := 600
	if birtest.Quick() {
		most = 100
	}
	mended := 0
	for seed := range uint64(most) {
		src := drawnProgram(rand.New(rand.NewPCG(seed, 3)), false)
		s := lanesOfText(t, src)
		c, f := clocksOf(s)
		if f != nil {
			continue
		}
		var id, value int64
		var name string
		if f = raceOf(c); f == nil {
			continue
		}
		if _, err := fmt.Sscanf(f.Witness.Mend, "wait(%d>=%d) on %s", &id, &value, &name); err != nil || strings.Contains(name, "[") {
			continue
		}
		name = strings.TrimSuffix(name, ",")
		core := f.Witness.Parties[1].Core
		for in := range s.m.program.Cores[core].Insts {
			if in.Name == name {
				in.Wait = append(in.Wait, ir.Sem{ID: id, Value: value})
			}
		}
		if err := s.m.Prepare(s.m.program, Layout{}); err != nil {
			t.Fatal(err)
		}
		again, err := lanesOf(s.m)
		if err != nil {
			t.Fatal(err)
		}
		d, g := clocksOf(again)
		if g != nil {
			t.Fatalf("seed %d: %s\n%s\n%s", seed, f, g, src)
		}
		if h := raceOf(d); h != nil && reflect.DeepEqual(f.Witness.Parties, h.Witness.Parties) {
			t.Fatalf("seed %d: %s\n%s", seed, f, src)
		}
		mended++
	}
	if mended < most/20 {
		t.Errorf("%d mended", mended)
	}
	t.Logf("%d mended", mended)
}
