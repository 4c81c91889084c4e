package oracle

import (
	"fmt"
	"strings"
	"testing"

	"birfuzz/ir"
)

// scribe is a tracker that writes down what it is told.
type scribe struct {
	m    *Machine
	log  strings.Builder
	stop string // the instruction at which before returns a fault
}

func (s *scribe) note(format string, args ...any) { fmt.Fprintf(&s.log, format+"\n", args...) }
func (s *scribe) bind(m *Machine)                 { s.m = m; s.note("bind %d", len(m.cores)) }
func (s *scribe) reset()                          { s.note("reset") }
func (s *scribe) input(l *location, n int)        { s.note("input %s %d konst=%v", l.name, n, l.konst) }

func (s *scribe) before(c *code, at []place) *Fault {
	if c.inst.Name == s.stop {
		return &Fault{Kind: PoisonFault, Detail: "as told"}
	}
	s.note("%d before %s%s", c.core, c.inst.Name, s.places(at))
	return nil
}

func (s *scribe) cleared(c *code, list []zeroed) { s.note("cleared %s %d", c.inst.Name, len(list)) }

func (s *scribe) after(c *code, at []place, r *ran) *Fault {
	s.note("%d after %s how=%d from=%d pick=%v fill=%v poisoned=%v", c.core, c.inst.Name, r.how, r.from, r.pick, r.fill, r.poisoned)
	return nil
}

func (s *scribe) fence(core int, c *code) {
	name := "end"
	if c != nil {
		name = c.inst.Name
	}
	s.note("%d fence %s", core, name)
}

func (s *scribe) barrier(members []member) { s.note("barrier of %d", len(members)) }
func (s *scribe) environment(core int, l *location, n int) {
	s.note("%d environment %s %d", core, l.name, n)
}

func (s *scribe) exchange(members []member, moves []transfer) *Fault {
	s.note("exchange of %d%s %+v", len(members), s.places(members[0].at), moves)
	return nil
}

// places lists operands as location+offset.
func (s *scribe) places(at []place) string {
	var b strings.Builder
	for _, p := range at {
		switch {
		case p.acc.st == nil:
			b.WriteString(" imm")
		case p.acc.loc == nil:
			fmt.Fprintf(&b, " acc×%d", p.acc.lanes)
		default:
			fmt.Fprintf(&b, " %s+%d", p.acc.loc.name, p.base-p.acc.loc.at)
		}
	}
	return b.String()
}

const watched = `func f {
  input x: f32[1,4]
  const k: u8[1,4]
  shared s: f32[1,4]
  sb t: f32[1,4]
  sb q: u8[1,4]
  dram d: f32[1,8]
  a: t = Load x
  b: q = Load k
  L: for i = 0..2 { c: t[:, 0:2 at 2*i] = TensorScalarPtr t[:, 0:2 at 2*i], 2 op0=mult acc=ZeroAccumulate @DVE }
  e: t = CopyPredicated q, t @DVE if(0 > 0)
  g: t = TensorScalarAffineSelect t base=0 pattern=[[1, 4]] channel_multiplier=0 compare_op=is_gt fill_value=9 @Pool
  h: t = TensorTensor t, t op=logical_or @DVE
  n: NoOp
  j: EventSemaphore
  o: CoreBarrier
  r: d = CollectiveCompute x kind=AllGather
}
func g {
  input x: f32[1,4]
  dram d: f32[1,8]
  o: CoreBarrier
  r: d = CollectiveCompute x kind=AllGather
  z: Halt
}
data k: u8[1,4] = [1, 0, 1, 0]`

const watchedLog = `bind 2
reset
input x 16 konst=false
input k 4 konst=true
0 before a t+0 x+0
0 after a how=2 from=0 pick=[] fill=0 poisoned=[]
0 before b q+0 k+0
0 after b how=2 from=0 pick=[] fill=0 poisoned=[]
0 before c t+0 t+0 imm acc×1
0 after c how=1 from=0 pick=[] fill=0 poisoned=[]
0 before c t+8 t+8 imm acc×1
0 after c how=1 from=0 pick=[] fill=0 poisoned=[]
0 before g t+0 t+0
0 after g how=3 from=0 pick=[-2 1 2 3] fill=9 poisoned=[]
0 before h t+0 t+0 t+0
0 after h how=1 from=0 pick=[] fill=0 poisoned=[0 2]
0 fence j
0 fence o
1 fence o
barrier of 2
0 fence r
1 fence r
0 before r d+0 x+0
1 before r d+0 x+0
exchange of 2 d+0 x+0 [{to:0 toElem:0 from:0 fromElem:0 n:4 reduce:false} {to:0 toElem:4 from:1 fromElem:0 n:4 reduce:false} ` +
	`{to:1 toElem:0 from:0 fromElem:0 n:4 reduce:false} {to:1 toElem:4 from:1 fromElem:0 n:4 reduce:false}]
0 fence end
1 fence z
`

// TestTrackerSees: every touch and every fence is told, in order, with its places.
func TestTrackerSees(t *testing.T) {
	s := &scribe{}
	m := newMachine(s)
	p := parse(t, watched)
	if err := m.Prepare(p, Layout{}); err != nil {
		t.Fatal(err)
	}
	if out, err := m.Run(ir.Values{"x": floats(1, 0, 1, 0)}, Way{}); err != nil || out.Fault != nil {
		t.Fatal(err, out.Fault)
	}
	if got := s.log.String(); got != watchedLog {
		t.Errorf("got\n%s\nwant\n%s", got, watchedLog)
	}
	s.stop = "h"
	out, err := m.Run(ir.Values{"x": floats(1, 0, 1, 0)}, Way{})
	if want := `poison fault on core 0 at "h": as told`; err != nil || out.Fault == nil || out.Fault.Error() != want {
		t.Errorf("%v, %v, want %s", out.Fault, err, want)
	}
}
