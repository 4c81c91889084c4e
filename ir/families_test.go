package ir

import (
	"testing"

	"birfuzz/ir/num"
)

// kin is a function with DRAM locations of 64 bytes, named as given.
func kin(b *builder, names ...string) map[string]*Loc {
	of := map[string]*Loc{}
	for _, n := range names {
		of[n] = b.loc(n, DRAM, num.Float32, 4, 4)
	}
	return of
}

func TestFamiliesOverlap(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(l map[string]*Loc)
		want bool // of all of a and all of b
	}{
		{"strangers", func(map[string]*Loc) {}, false},
		{"aliases", func(l map[string]*Loc) { l["a"].aliases(MayAlias, l["b"]) }, true},
		{"through a third", func(l map[string]*Loc) { l["a"].aliases(MustAlias, l["c"]); l["c"].aliases(MustAlias, l["b"]) }, true},
		{"named by a third", func(l map[string]*Loc) { l["c"].aliases(MustAlias, l["a"], l["b"]) }, true},
		{"aliases, placed apart", func(l map[string]*Loc) {
			l["a"].at(0, 0).aliases(MustAlias, l["b"].at(0, 64))
		}, false},
		{"placed over each other", func(l map[string]*Loc) { l["a"].at(0, 0); l["b"].at(0, 60) }, true},
		{"placed, not placed", func(l map[string]*Loc) { l["a"].at(0, 0) }, false},
		{"b on a's address by an alias", func(l map[string]*Loc) { l["a"].at(0, 60); l["b"].aliases(MustAlias, l["c"].at(0, 0)) }, true},
		{"b beside a's address by an alias", func(l map[string]*Loc) { l["a"].at(0, 64); l["b"].aliases(MustAlias, l["c"].at(0, 0)) }, false},
		{"both on addresses of aliases", func(l map[string]*Loc) {
			l["a"].aliases(MustAlias, l["c"].at(0, 0))
			l["b"].aliases(MayAlias, l["d"].at(0, 32))
		}, true},
		{"b on either of two addresses", func(l map[string]*Loc) {
			l["a"].at(0, 1024)
			l["b"].aliases(MayAlias, l["c"].at(0, 0), l["d"].at(0, 1000))
		}, true},
		{"another memory", func(l map[string]*Loc) {
			l["a"].at(0, 0).Set.Space = Shared
			l["b"].aliases(MustAlias, l["c"].at(0, 0))
		}, false},
	} {
		b := newBuilder()
		l := kin(b, "a", "b", "c", "d")
		c.set(l)
		b.p.Number()
		var f Families
		if !f.Reset(b.p) {
			t.Fatalf("%s: not grouped", c.name)
		}
		x, y := whole(l["a"]), whole(l["b"])
		if got, back := f.Overlap(&x, &y), f.Overlap(&y, &x); got != c.want || back != c.want {
			t.Errorf("%s: %v, the other way round %v, want %v", c.name, got, back, c.want)
		}
	}
}

// aliases makes others aliases of l, as one side names them.
func (l *Loc) aliases(k AliasKind, others ...*Loc) {
	for _, o := range others {
		l.Alias = append(l.Alias, Alias{o, k})
	}
}

func TestFamiliesGroups(t *testing.T) {
	b := newBuilder()
	l := kin(b, "a", "b", "c", "d", "e", "shared")
	l["b"].aliases(MustAlias, l["a"])
	l["c"].aliases(MustAlias, l["a"].at(0, 512))
	l["d"].aliases(MayAlias, l["c"])
	b.core("sg0001")
	m := kin(b, "shared", "f")
	m["f"].aliases(MustAlias, m["shared"])
	l["shared"].Set.Space, m["shared"].Set.Space = Shared, Shared
	b.p.Number()
	var f Families
	if !f.Reset(b.p) {
		t.Fatal("not grouped")
	}
	if f.Of(l["d"]) != l["a"].ID || f.Of(l["e"]) != l["e"].ID {
		t.Errorf("the families of d and e begin with %d and %d", f.Of(l["d"]), f.Of(l["e"]))
	}
	if !f.MustBeOne(l["b"], l["b"]) || f.MustBeOne(l["a"], l["b"]) || !f.MustBeOne(l["b"], l["c"]) || f.MustBeOne(l["c"], l["d"]) {
		t.Error("a is placed, b and c are aliases of it, and d may be")
	}
	if f.Alone(l["d"]) || !f.Alone(l["e"]) || !f.Placed(l["d"]) || f.Placed(l["e"]) {
		t.Error("d has a placed alias, e has none")
	}
	if !f.Alone(l["shared"]) || f.Alone(m["shared"]) {
		t.Error("only the second function has an alias of shared")
	}
	f.AcrossCores()
	if f.Alone(l["shared"]) || f.Of(m["f"]) != l["shared"].ID || !f.MustBeOne(l["shared"], m["f"]) {
		t.Error("shared is one location for both functions")
	}
	m["f"].Alias[0].Loc = kin(newBuilder(), "stray")["stray"]
	if f.Reset(b.p) {
		t.Error("an alias that leaves the program was followed")
	}
}
