package fuzz

import (
	"math/bits"
	"slices"

	"birfuzz/ir"
	"birfuzz/oracle"
)

// Feature is one thing that a case can show: a kind in the highest four bits, and below them a hash of which of that kind. It is the same on
// every machine.
type Feature uint64

// FeatureKind says what a feature is about.
type FeatureKind uint8

// The kinds of features. How often something happened counts by powers of two: once, twice, up to 4, up to 8 times and so on.
const (
	RuleFired   FeatureKind = iota // a rule of a pass made so many rewrites
	RuleRefused                    // a rule of a pass was refused so many rewrites, for one reason
	OpMade                         // the program has an instruction on an engine, with an operand of a type
	FactsHeld                      // facts of the program, all of them together
	Judging                        // what judging took so often: comparisons by cells and by elements, runs, orders, steps that nobody could judge; or a verdict
	NumFeatureKinds
)

var featureKinds = [NumFeatureKinds]string{"fired", "refused", "made", "held", "judged"}

// String returns the kind in one word.
func (k FeatureKind) String() string { return featureKinds[k] }

// Kind returns the kind of the feature.
func (f Feature) Kind() FeatureKind { return FeatureKind(f >> kindShift) }

const kindShift = 60

// Coverage returns what a case showed, sorted and without repeats: nothing if birfuzz broke down before it had a program. Equal arguments give
// equal features.
func Coverage(c *Case, r *Result) []Feature {
	if c.Program == nil {
		return nil
	}
	var s signal
	for _, step := range r.Tally {
		for i := range step.Rules {
			n := &step.Rules[i]
			at := begun(RuleFired).text(step.Pass.Name).text(n.Rule.Name)
			s.count(at, n.Fired)
			for _, why := range n.Why {
				s.count(at.of(RuleRefused).text(why.Why), why.N)
			}
		}
	}
	for in := range c.Program.Insts {
		s.made(in)
	}
	s.add(begun(FactsHeld).number(uint64(c.Program.Facts)))
	s.judged(r)
	slices.Sort(s.list)
	return slices.Compact(s.list)
}

// signal collects features.
type signal struct{ list []Feature }

func (s *signal) add(h featureHash) { s.list = append(s.list, h.feature()) }

// count adds what happened n times, if it did.
func (s *signal) count(h featureHash, n int) {
	if n > 0 {
		s.add(h.number(uint64(bits.Len(uint(n - 1)))))
	}
}

func (s *signal) made(in *ir.Inst) {
	at := begun(OpMade).number(uint64(in.Op)<<8 | uint64(in.Engine))
	var types ir.DTypeSet
	for i := range in.Args {
		if o := &in.Args[i]; o.IsAP() {
			types |= ir.DTypesOf(o.DType)
		}
	}
	if types == 0 {
		s.add(at)
	}
	for _, t := range types.List() {
		s.add(at.number(uint64(t) + 1))
	}
}

func (s *signal) judged(r *Result) {
	t := &r.Judged
	for i, n := range [...]int{t.Cells, t.Elements, t.Ordered, t.Unordered, t.Runs - t.Replayed, t.Replayed, t.Scheduled, r.Verdict.Skipped} {
		s.count(begun(Judging).number(uint64(i)), n)
	}
	if r.Verdict.Kind != oracle.Same {
		s.add(begun(Judging).text(r.Verdict.Kind.String()).text(r.Verdict.Class))
	}
	for _, f := range r.Verdict.Failed {
		s.add(begun(Judging).text("failed").text(f.Check))
	}
}

// featureHash is the hash of a feature in the making: FNV-1a over its parts.
type featureHash struct {
	kind FeatureKind
	sum  uint64
}

const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

func begun(k FeatureKind) featureHash { return featureHash{k, fnvOffset} }

// of returns the same hash of another kind.
func (h featureHash) of(k FeatureKind) featureHash { return featureHash{k, h.sum} }

// text takes in a string and its end.
func (h featureHash) text(s string) featureHash {
	for i := range len(s) {
		h.sum = (h.sum ^ uint64(s[i])) * fnvPrime
	}
	return h.number(uint64(len(s)))
}

func (h featureHash) number(n uint64) featureHash {
	for range 4 {
		h.sum = (h.sum ^ n&0xFFFF) * fnvPrime
		n >>= 16
	}
	return h
}

// feature folds the hash into the bits that the kind leaves.
func (h featureHash) feature() Feature {
	return Feature(h.kind)<<kindShift | Feature((h.sum^h.sum>>kindShift<<7)&(1<<kindShift-1))
}

// Covered is a set of features.
type Covered map[Feature]bool

// Add adds features.
func (c Covered) Add(list []Feature) {
	for _, f := range list {
		c[f] = true
	}
}

// newOf returns those of the features that are not in the set.
func (c Covered) newOf(list []Feature) (news []Feature) {
	for _, f := range list {
		if !c[f] {
			news = append(news, f)
		}
	}
	return news
}

// Kinds returns how many features of each kind there are.
func (c Covered) Kinds() (n [NumFeatureKinds]int) {
	for f := range c {
		n[f.Kind()]++
	}
	return n
}
