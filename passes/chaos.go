package passes

import "birfuzz/ir"

// RefusedByChaos is the Reason of a rewrite that chaos refused.
const RefusedByChaos = "refused by chaos"

// knobChaos spells Pass.Chaos as if it were a knob: what reproduces a finding, replays it by fuel or makes it smaller then need not know of it.
const knobChaos = "chaos"

// chaosRefuses decides whether a rewrite is refused under a seed. It goes by names, not by how often the pass has asked: a program that has
// lost other instructions keeps the refusals of those that are left. Of some rules of a pass a seed refuses nothing, of others a little, half,
// nearly all or all.
func chaosRefuses(seed int64, r *Rule, place string) bool {
	shares := [...]uint64{0, 1, 4, 7, 8} // of 8
	h := hashText(uint64(seed), r.Name)
	share := shares[h%uint64(len(shares))]
	return hashText(h, place)%8 < share
}

// hashText is FNV-1a from a start of its own, with the finalizer of splitmix64 behind it, which spreads what differs in the last letter alone.
func hashText(h uint64, text string) uint64 {
	h ^= 0xcbf29ce484222325
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// CanRefuse tells whether chaos may do something to the pass: it has a rule that is owed to no fact. What an external pass rewrites is one
// answer, which is taken or not; nothing is learned from leaving it out.
func (p *Pass) CanRefuse() bool {
	if p.Command != nil {
		return false
	}
	for _, r := range p.Rules {
		if !r.Must {
			return true
		}
	}
	return false
}

// settings returns the knobs with chaos among them, last, where the pass can refuse.
func (p *Pass) settings() []Knob {
	list := append([]Knob(nil), p.Knobs...)
	if p.CanRefuse() {
		list = append(list, Knob{Name: knobChaos, Value: p.Chaos})
	}
	return list
}

// set takes the values of settings.
func (p *Pass) set(list []Knob) {
	if n := len(p.Knobs); n < len(list) {
		p.Chaos, list = list[n].Value, list[:n]
	}
	p.Knobs = list
}

// refused tells whether any rewrite was refused by chaos.
func refused(tally []Count) bool {
	for i := range tally {
		for _, w := range tally[i].Why {
			if w.Why == RefusedByChaos {
				return true
			}
		}
	}
	return false
}

func instName(in *ir.Inst) string {
	if in == nil {
		return ""
	}
	return in.Name
}
