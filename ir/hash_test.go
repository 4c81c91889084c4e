package ir

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// leaf is one number, flag or string of a program, with the path to it.
type leaf struct {
	path string
	v    reflect.Value
}

// leaves lists what a program holds, through pointers, each object once. IDs are no part of what it says, nor are map entries, which
// cannot be changed in place. skip leaves a field out by name.
func leaves(p *Program, skip ...string) []leaf {
	var out []leaf
	seen := map[any]bool{}
	var walk func(string, reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() && !seen[v.Interface()] {
				seen[v.Interface()] = true
				walk(path, v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Field(i).Name
				if name != "ID" || v.Type() == reflect.TypeFor[Sem]() || v.Type() == reflect.TypeFor[Param]() {
					if !slices.Contains(skip, name) {
						walk(path+"."+name, v.Field(i))
					}
				}
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(path+"[]", v.Index(i))
			}
		case reflect.Map:
		default:
			out = append(out, leaf{path, v})
		}
	}
	walk("", reflect.ValueOf(p))
	return out
}

// change gives the leaf another value and returns what puts the old one back.
func (l leaf) change() (undo func()) {
	old := reflect.New(l.v.Type()).Elem()
	old.Set(l.v)
	switch {
	case l.v.CanInt():
		l.v.SetInt(l.v.Int() ^ 1)
	case l.v.CanUint():
		l.v.SetUint(l.v.Uint() ^ 1)
	case l.v.CanFloat():
		l.v.SetFloat(l.v.Float() + 1)
		if l.v.Float() == old.Float() || l.v.Float() != l.v.Float() {
			l.v.SetFloat(12)
		}
	case l.v.Kind() == reflect.Bool:
		l.v.SetBool(!l.v.Bool())
	default:
		l.v.SetString(l.v.String() + "'")
	}
	return func() { l.v.Set(old) }
}

// fragile are changes after which a program can no longer be printed: counts that index, and kinds that say which pointer is set.
var fragile = []string{".Args[].N", ".NOut", ".Args[].Kind", ".Terms[].Kind", ".Op", ".Data[]", ".Extra[]", ".Attrs[]", ".RemoteLocalTarget[]", ".Implicit", ".Params[].ID"}

func isFragile(path string) bool {
	for _, f := range fragile {
		if strings.HasSuffix(path, f) {
			return true
		}
	}
	return false
}

// TestHashFollowsText: change one number, flag or name at a time; the hash changes when the text does, and only then.
func TestHashFollowsText(t *testing.T) {
	p := parseFile(t, "everything.bir")
	text, hash := p.String(), p.Hash()
	changed, paths := 0, map[string]bool{}
	for _, l := range leaves(p) {
		if isFragile(l.path) {
			continue
		}
		undo := l.change()
		if gotText, gotHash := p.String() != text, p.Hash() != hash; gotText != gotHash {
			t.Errorf("%s: text changed: %v, hash changed: %v", l.path, gotText, gotHash)
		} else if gotText {
			changed++
			paths[l.path] = true
		}
		undo()
	}
	if p.Hash() != hash || changed < 900 || len(paths) < 80 {
		t.Errorf("%d changes of %d kinds", changed, len(paths))
	}
}

// TestHashStructure: what moves, comes or goes changes the hash.
func TestHashStructure(t *testing.T) {
	p := parseFile(t, "everything.bir")
	hash := p.Hash()
	changes := map[string]func(*Program){
		"swap instructions": func(p *Program) { b := p.Cores[0].Blocks[0]; b.Insts[2], b.Insts[3] = b.Insts[3], b.Insts[2] },
		"drop instruction":  func(p *Program) { b := p.Cores[0].Blocks[0]; b.Insts = b.Insts[:len(b.Insts)-1] },
		"drop core":         func(p *Program) { p.Cores = p.Cores[:1] },
		"swap cores":        func(p *Program) { p.Cores[0], p.Cores[1] = p.Cores[1], p.Cores[0] },
		"move to the next block": func(p *Program) {
			b, c := p.Cores[0].Blocks[1], p.Cores[0].Blocks[2]
			b.Insts, c.Insts = c.Insts[:1], c.Insts[1:]
		},
		"drop data": func(p *Program) { p.Consts = Values{"c": p.Consts["c"]} },
		"swap data": func(p *Program) {
			p.Consts = Values{"c": p.Consts["ints"], "ints": p.Consts["c"], "bytes": p.Consts["bytes"]}
		},
		"drop extra": func(p *Program) { p.Extra = nil },
		"merge extras": func(p *Program) {
			p.Attrs, p.Extra = p.Extra, p.Attrs
		},
		"edge becomes loop-carried": func(p *Program) {
			in := p.Cores[0].Blocks[0].Insts[16]
			in.LoopDeps = append(in.LoopDeps, LoopDep{On: in.Deps[0].On, Kind: in.Deps[0].Kind})
			in.Deps = in.Deps[1:]
		},
		"wait becomes update": func(p *Program) {
			in := p.Cores[0].Blocks[0].Insts[16]
			in.Wait, in.Update = in.Update, in.Wait
		},
		"one more of a term": func(p *Program) {
			in := p.Cores[0].Blocks[2].Insts[0]
			in.Order[0], in.Order[1] = in.Order[1], in.Order[0]
		},
	}
	for name, change := range changes {
		c := p.Clone()
		if c.Hash() != hash {
			t.Fatal("a clone has another hash")
		}
		if change(c); c.Hash() == hash || c.String() == p.String() {
			t.Errorf("%s: hash or text as before", name)
		}
	}
	if p.Hash() != hash {
		t.Error("changing a clone changed the original")
	}
}

// TestHashNaN: all NaNs are one number to the text.
func TestHashNaN(t *testing.T) {
	src := "func f {\n sb t: f32[4,4]\n I: t = TensorScalarPtr t, %s op0=add\n}"
	a, b := parseText(t, strings.Replace(src, "%s", "nan", 1)), parseText(t, strings.Replace(src, "%s", "-nan", 1))
	if a.Hash() != b.Hash() || a.String() != b.String() {
		t.Error("two NaNs")
	}
	z, n := parseText(t, strings.Replace(src, "%s", "0", 1)), parseText(t, strings.Replace(src, "%s", "-0", 1))
	if z.Hash() == n.Hash() || z.String() == n.String() {
		t.Error("one zero")
	}
}

// TestHashIgnoresUnnamedRegisters: a register that nobody names any more is in no text.
func TestHashIgnoresUnnamedRegisters(t *testing.T) {
	p := parseText(t, "func f {\n I: $a = RegisterMove 1\n J: $b = RegisterMove $a\n}")
	q := p.Clone()
	q.Cores[0].Sets[0], q.Cores[0].Sets[1] = q.Cores[0].Sets[1], q.Cores[0].Sets[0]
	if p.Hash() != q.Hash() || p.String() != q.String() {
		t.Error("the order of implicit registers counts")
	}
}

func TestHashAllocatesNothing(t *testing.T) {
	p := parseFile(t, "everything.bir")
	if n := testing.AllocsPerRun(10, func() { p.Hash() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
