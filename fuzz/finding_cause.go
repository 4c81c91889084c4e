package fuzz

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"

	"birfuzz/ir"
	"birfuzz/oracle"
)

// Programs that break by one cause are one finding. The cause is known only to whoever mends the pass; these stand for it: class, the code that
// is to blame, and what is left of the program when it is small. Of two reduced programs one often keeps something that the shrinker could not
// take away, so two shapes are alike where one has all that the other has: what the other lacks, the failure does not need. So the causes behind
// one class and rule are the least of its shapes, in whichever order programs come: findings whose shapes turn out to have a least one in common
// are joined.

// What looking for further causes behind one class, pass and rule may cost: a shrink each.
const (
	maxAlike  = 2 // so many reduced programs in a row that turn out alike, and the others are only counted
	maxCauses = 4 // findings of one class, pass and rule, and none of those to come is reduced
)

// key is equal for findings that have class, pass and rule in common.
func (f *Finding) key() string { return f.Class + "\x00" + f.Pass + "\x00" + f.Rule }

// code returns what is to be mended: the pass that is wrong about the program before the blamed one does anything, the rule that was found to mend
// the program, or the blamed one, which is one piece of code whichever pass runs it, and with others that share its code; else the pass as a whole.
func (f *Finding) code() string { return cmp.Or(f.Analysis, f.Cure.other(), f.Shared, f.Rule, f.Pass) }

// sameCode tells whether the same is to be mended for o.
func (f *Finding) sameCode(o *Finding) bool { return f.code() == o.code() }

// covers tells whether f stands for findings of o's kind, which was perhaps not confirmed yet: the code, in a class in which it was seen.
func (f *Finding) covers(o *Finding) bool {
	return (f.sameCode(o) || f.Rule == o.Rule && f.Pass == o.Pass) && f.seenAs(o.Class)
}

func (f *Finding) seenAs(class string) bool {
	return f.Class == class || slices.Contains(f.Also, class)
}

// covering returns the findings of a list that cover f, in the order in which they were filed.
func covering(list []*Finding, f *Finding) (out []*Finding) {
	for _, old := range list {
		if old.covers(f) {
			out = append(out, old)
		}
	}
	return out
}

// settled tells whether a finding that is not reduced yet need not be: its program has all that a cause needs which stands already, and enough
// of that kind were reduced. It is counted with that cause then, one that is not silenced if there is any. What is not to be reduced has no shape
// that tells it from others.
func (r *Report) settled(f *Finding, kept bool) bool {
	of := append(covering(r.Findings, f), covering(r.silencedCauses(), f)...)
	n := len(of)
	if n == 0 || !kept && n < maxCauses && of[n-1].Alike < maxAlike {
		return false
	}
	i := slices.IndexFunc(of, func(old *Finding) bool { return within(old.Core, f.Shape) })
	if i < 0 && !kept && n < maxCauses {
		return false
	}
	of[max(i, 0)].Duplicates++
	return true
}

// silencedCauses returns the known findings of which the signature is known: whoever silences it means the cause.
func (r *Report) silencedCauses() (out []*Finding) {
	for _, f := range r.Known {
		if f.Known.bySignature() {
			out = append(out, f)
		}
	}
	return out
}

// add files a reduced finding, or counts it with one that has the same cause; it tells whether it is new. Known ones have a list of their own.
func (r *Report) add(f *Finding) bool {
	if f.Known != nil {
		r.Known = counted(r.Known, f, func(old *Finding) bool { return old.Known.What == f.Known.What && old.key() == f.key() })
		return false
	}
	silenced, n := r.silencedCauses(), len(r.Findings)
	same := func(old *Finding) bool { return old.sameCause(f) }
	if slices.ContainsFunc(silenced, same) {
		counted(silenced, f, same)
	} else if r.Findings = counted(r.Findings, f, same); len(r.Findings) > n {
		return true
	}
	filed := r.Findings
	r.Findings = united(filed)
	for _, old := range filed {
		if old.United != "" && old.Reproducer != "" {
			r.united = append(r.united, old)
		}
	}
	of := append(covering(r.Findings, f), covering(silenced, f)...)
	of[len(of)-1].Alike++
	return false
}

// counted counts f with the first of the list that is the same, or appends it.
func counted(list []*Finding, f *Finding, same func(old *Finding) bool) []*Finding {
	i := slices.IndexFunc(list, same)
	if i < 0 {
		return append(list, f)
	}
	list[i].absorb(f)
	return list
}

// united counts findings that turn out to have one cause, for one of them stands for less than when it was filed, with the first of them.
func united(list []*Finding) []*Finding {
	for {
		var out []*Finding
		for _, f := range list {
			out = counted(out, f, func(old *Finding) bool { return old.sameCause(f) })
		}
		if len(out) == len(list) {
			return list
		}
		list = out
	}
}

// absorb counts o, and all that it stands for, with f.
func (f *Finding) absorb(o *Finding) {
	if f.Reproducer != "" {
		o.United = filepath.Base(f.Reproducer)
	}
	f.Duplicates += 1 + o.Duplicates
	f.Alike = max(f.Alike, o.Alike)
	if len(telling(o.Core)) < len(telling(f.Core)) { // another cause may have what the first program just had beside
		f.Core = o.Core
	}
	for _, class := range append([]string{o.Class}, o.Also...) {
		if !f.seenAs(class) {
			f.Also = append(f.Also, class)
		}
	}
}

// sameCause tells whether o, another reduced finding, is most likely the doing of the same bug. In a class in which f was not seen yet it is only
// if switching the rule off mends both.
func (f *Finding) sameCause(o *Finding) bool {
	switch {
	case !f.sameCode(o):
		return false
	case f.saysLike(o):
		return true
	case !alike(f.Core, o.Core):
		return false
	}
	return f.seenAs(o.Class) || o.seenAs(f.Class) || f.mended() && o.mended()
}

// saysLike tells whether a check that looks at the text of programs complains of both in the same words, whichever instructions it names: they
// are the condition that was broken, as an assertion's would be.
func (f *Finding) saysLike(o *Finding) bool {
	return f.Class == o.Class && oracle.Static(f.Class) && f.complaint() == o.complaint()
}

// complaint returns the plain words of what a finding says first: names and numbers, which differ from program to program, are left out.
func (f *Finding) complaint() string {
	line, _, _ := strings.Cut(f.Detail, "\n")
	words := slices.DeleteFunc(strings.Fields(line), func(w string) bool { return strings.ContainsAny(w, "0123456789\"") })
	return strings.Join(words, " ")
}

// mended tells whether the program keeps its meaning without what is blamed.
func (f *Finding) mended() bool { return f.Claim != "" || f.Cure.mends() }

// alike tells whether one of two sorted shapes has all that tells of the other's cause.
func alike(a, b []string) bool { return within(a, b) || within(b, a) }

// within tells whether the sorted shape b has all that tells of a's cause.
func within(a, b []string) bool {
	for _, x := range telling(a) {
		if _, ok := slices.BinarySearch(b, x); !ok {
			return false
		}
	}
	return true
}

// telling returns what of a shape tells of a cause. Where data lies and of which type it is does not: the operations that are left bring that
// along, and the shrinker cannot take it from them.
func telling(shape []string) (out []string) {
	for _, x := range shape {
		if x != traits[traitPSUM] && x != traits[traitRetyped] {
			out = append(out, x)
		}
	}
	return out
}

// sign hashes what stays the same when one cause shows in two programs: class, pass, rule and the shape of the reduced program.
func (f *Finding) sign() string {
	h := fnv.New64a()
	fmt.Fprint(h, f.Class, "\x00", f.Pass, "\x00", f.Rule, "\x00", f.Shape)
	return fmt.Sprintf("%016x", h.Sum64())
}

// shapeOf returns, sorted, what a program has that needs thought in a compiler. What a reduced program still has, its failure needs.
func shapeOf(p *ir.Program) []string {
	var has [len(traits)]bool
	if len(p.Cores) > 1 {
		has[traitCores] = true
	}
	for _, f := range p.Cores {
		depths(f.Blocks, 0, &has)
	}
	for in := range p.Insts {
		s := in.Spec()
		has[traitPredicate] = has[traitPredicate] || len(in.Pred) > 0
		has[traitFence] = has[traitFence] || s.Effect.Fence()
		has[traitSemaphore] = has[traitSemaphore] || in.HasSync()
		has[traitOrder] = has[traitOrder] || len(in.Order) > 0
		has[traitHidden] = has[traitHidden] || in.ReadsAcc() || in.WritesAcc()
		has[traitAdds] = has[traitAdds] || len(in.Outs()) > 0 && s.WriteMode(in) != ir.Overwrites
		for i := range in.Args {
			traitsOf(&in.Args[i], &has)
		}
	}
	out := []string{}
	for i, name := range traits {
		if has[i] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// traits are what shapes are made of.
var traits = [...]string{"accumulation", "alias", "cores", "fence", "accumulator", "loop", "nest", "order", "part", "predicate", "psum", "register", "retyped",
	"semaphore", "symbolic"}

const (
	traitAdds = iota
	traitAlias
	traitCores
	traitFence
	traitHidden
	traitLoop
	traitNest
	traitOrder
	traitPart
	traitPredicate
	traitPSUM
	traitRegister
	traitRetyped
	traitSemaphore
	traitSymbolic
)

// depths notes loops, and loops in loops.
func depths(bs []*ir.Block, depth int, has *[len(traits)]bool) {
	for _, b := range bs {
		for _, in := range b.Insts {
			if in.Loop != nil {
				has[traitLoop], has[traitNest] = true, has[traitNest] || depth > 0
				depths(in.Loop.Blocks, depth+1, has)
			}
		}
	}
}

// traitsOf notes what is special about an operand.
func traitsOf(o *ir.Operand, has *[len(traits)]bool) {
	if o.Kind == ir.RegOperand {
		has[traitRegister] = true
	}
	if !o.IsAP() {
		return
	}
	has[traitPart] = has[traitPart] || o.Count()*int64(o.DType.Size()) < o.Loc.Bytes()
	has[traitPSUM] = has[traitPSUM] || o.Loc.Type == ir.PSUM
	has[traitRetyped] = has[traitRetyped] || o.DType != o.Loc.Set.DType
	has[traitAlias] = has[traitAlias] || len(o.Loc.Alias) > 0
	has[traitSymbolic] = has[traitSymbolic] || o.Symbolic()
}
