package birjson

import (
	"fmt"
	"io"
	"slices"

	"birfuzz/ir"
)

// Write writes the program in canonical form: what differs from its default, keys ascending, indent 2, lists of numbers on one line, a line
// end last. Equal programs give equal bytes. Its errors are those of w, and an Extra that is not a JSON object.
func Write(w io.Writer, p *ir.Program) error {
	buf, err := render(p, false)
	if err != nil {
		return err
	}
	_, err = w.Write(append(buf, '\n'))
	return err
}

// Compact returns the same JSON value as Write on one line, without a line end: one message to an external pass. It fails only if an Extra
// is not a JSON object.
func Compact(p *ir.Program) ([]byte, error) { return render(p, true) }

func render(prog *ir.Program, compact bool) ([]byte, error) {
	p := &printer{compact: compact}
	p.module(prog)
	if p.err != nil {
		return nil, fmt.Errorf("write bir.json: %w", p.err)
	}
	return p.buf, nil
}

func (p *printer) module(prog *ir.Program) {
	p.note = p.noteOf(prog.Extra)
	p.object()
	if p.key("arch", prog.Arch != ir.Gen3) {
		p.str(prog.Arch.String())
	}
	if p.key("attributes", len(prog.Attrs) > 0 || prog.CoreID != ir.NoCore) {
		p.note = p.noteOf(prog.Attrs)
		p.object()
		if p.key("neuron_core_id", prog.CoreID != ir.NoCore) {
			p.int(int64(prog.CoreID))
		}
		p.close()
	}
	if p.key("functions", len(prog.Cores) > 0) {
		list(p, prog.Cores, p.function)
	}
	if p.key("version", prog.Version != version) {
		p.int(int64(prog.Version))
	}
	if p.keyOrNote("x_birfuzz", prog.Facts != 0 || len(prog.Consts) > 0) {
		p.moduleNotes(prog)
	}
	p.close()
}

func (p *printer) moduleNotes(prog *ir.Program) {
	p.object()
	if p.key("const", len(prog.Consts) > 0) {
		p.values(prog.Consts)
	}
	if p.key("facts", prog.Facts != 0) {
		list(p, prog.Facts.List(), p.str)
	}
	p.close()
}

func (p *printer) function(f *ir.Func) {
	p.note = p.noteOf(f.Extra)
	p.object()
	sets := slices.DeleteFunc(slices.Clone(f.Sets), implicit)
	if p.key("allocations", len(sets) > 0) {
		list(p, sets, p.set)
	}
	if p.key("attributes", len(f.Attrs) > 0) {
		list(p, f.Attrs, p.str)
	}
	if p.key("blocks", len(f.Blocks) > 0) {
		list(p, f.Blocks, p.block)
	}
	p.key("name", true)
	p.str(f.Name)
	p.close()
}

// implicit tells whether the set is that of a register that nobody declared.
func implicit(s *ir.Set) bool { return len(s.Locs) == 1 && s.Locs[0].Implicit }

func (p *printer) set(s *ir.Set) {
	p.note = p.noteOf(s.Extra)
	p.object()
	p.key("Skind", true)
	p.str(setSkind)
	if p.key("addr_space", s.Space != ir.Local) {
		p.str(s.Space.String())
	}
	p.key("dtype", true)
	p.str(s.DType.String())
	p.key("kind", true)
	p.str(s.Kind.String())
	if p.key("memorylocations", len(s.Locs) > 0) {
		list(p, s.Locs, p.loc)
	}
	p.key("name", true)
	p.str(s.Name)
	if p.key("partition_dim", s.PartDim != ir.NoPartDim) {
		p.int(int64(s.PartDim))
	}
	if p.key("tensor_class", s.Class != defaultClass) {
		p.str(s.Class)
	}
	if p.key("tensor_shape", len(s.Shape) > 0) {
		p.ints(s.Shape)
	}
	p.close()
}

func (p *printer) loc(l *ir.Loc) {
	p.note = p.noteOf(l.Extra)
	p.object()
	p.key("Skind", true)
	p.str(locSkind)
	p.number("addr", l.Addr)
	if p.key("alias", len(l.Alias) > 0) {
		list(p, l.Alias, p.alias)
	}
	p.flag("allocated", l.Allocated)
	p.number("bank", l.Bank)
	p.number("base", l.Base)
	p.key("dims", true)
	p.ints([]int64{l.Rows, l.RowBytes})
	p.key("name", true)
	p.str(l.Name)
	p.flag("pinned", l.Pinned)
	if p.key("remote_local_target", len(l.RemoteLocalTarget) > 0) {
		p.json(l.RemoteLocalTarget)
	}
	p.flag("runtime_reserved", l.RuntimeReserved)
	p.key("type", true)
	p.str(l.Type.String())
	p.flag("user_allocated", l.UserAllocated)
	p.flag("written_by_another_core", l.WrittenByAnotherCore)
	p.close()
}

func (p *printer) alias(a ir.Alias) {
	p.array()
	p.item()
	p.str(a.Loc.Set.Name)
	p.item()
	p.str(a.Loc.Name)
	p.item()
	p.int(int64(a.Kind))
	p.close()
}

// number prints a member whose default is 0.
func (p *printer) number(key string, n int64) {
	if p.key(key, n != 0) {
		p.int(n)
	}
}

// flag prints a member whose default is false.
func (p *printer) flag(key string, b bool) {
	if p.key(key, b) {
		p.bool(b)
	}
}

// json prints kept JSON of any type.
func (p *printer) json(text []byte) {
	d, err := parse("extra", text)
	if err != nil {
		p.fail(err)
		return
	}
	p.raw(d, d.root())
	if err := d.result(); err != nil {
		p.fail(err)
	}
}

func (p *printer) block(b *ir.Block) {
	p.note = p.noteOf(b.Extra)
	p.object()
	if p.key("instructions", len(b.Insts) > 0) {
		list(p, b.Insts, p.inst)
	}
	p.key("name", true)
	p.str(b.Name)
	p.close()
}
