package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// fenced: what was there stands in its old order, does what it did and has its sync_info; what is new is a fence of one core without any.
func (m *matched) fenced() string {
	if d := m.joinedBy(func(in *ir.Inst) bool { return !in.HasSync() }); d != "" {
		return d
	}
	return m.each(func(p instPair) string {
		if !slices.Equal(p.a.Wait, p.b.Wait) || !slices.Equal(p.a.Update, p.b.Update) {
			return "sync_info has changed"
		}
		return ""
	})
}

// synchronised: what was there stands in its old order and does what it did; what is new is a fence of one core, and nothing carries more waits
// and updates than an instruction has room for.
func (m *matched) synchronised() string {
	if d := m.joinedBy(func(*ir.Inst) bool { return true }); d != "" {
		return d
	}
	for in := range m.after.Insts {
		if len(in.Wait) > ir.MaxWaits || len(in.Update) > ir.MaxUpdates {
			return fmt.Sprintf("%s carries %d waits and %d updates, and there is room for %d and %d", in.Name, len(in.Wait), len(in.Update), ir.MaxWaits, ir.MaxUpdates)
		}
	}
	return ""
}

// joinedBy returns the first complaint about what is not as it was, and what is new and is no fence of one core that may be there.
func (m *matched) joinedBy(may func(*ir.Inst) bool) string {
	none := func(_, _ *ir.Loc) bool { return false }
	d := m.standIns(none, func(in *ir.Inst, _ map[string]*ir.Loc) string {
		if in.Spec().Effect != ir.FenceLocal || len(in.Pred) > 0 || !may(in) {
			return m.accuse(in, " is new and more than a fence of one core")
		}
		return ""
	})
	if d != "" {
		return d
	}
	return m.allSurvive()
}
