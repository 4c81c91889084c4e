package birjson

import (
	"encoding/json"
	"io"
	"slices"

	"birfuzz/ir"
)

// reader builds a program from a scanned text.
type reader struct {
	*doc
	prog   *ir.Program
	rows   map[string][]*ir.Spec // ir.RowsOf, looked up once
	queues map[string]string     // each queue name once
	insts  slab[ir.Inst]
	args   slab[ir.Operand]
	scope
	rest []member // settings and unknown keys of the instruction being read
}

// scope is what names mean in the function being read.
type scope struct {
	fn     *ir.Func
	sets   map[string]*ir.Set
	locs   map[string]*ir.Loc
	regs   map[string]*ir.Loc // registers that only operands name
	blocks map[string]bool
	named  map[string]*ir.Inst
	loops  []*ir.Loop // around the instruction being read, outermost first
	edges  []edges
	alias  []aliases
}

// Read reads one module in bir.json form; file names it in errors. The program is numbered but not verified. Text that is no JSON gives a
// *SyntaxError, JSON that is no module an *Error, and a failing r its own error, wrapped.
func Read(r io.Reader, file string) (*ir.Program, error) {
	d, err := open(r, file, MaxBytes)
	if err != nil {
		return nil, err
	}
	rd := &reader{doc: d, rows: map[string][]*ir.Spec{}, queues: map[string]string{},
		prog: &ir.Program{Version: version, CoreID: ir.NoCore}}
	rd.module(d.root())
	if err := d.result(); err != nil {
		return nil, err
	}
	rd.prog.Number()
	return rd.prog, nil
}

const version = 2 // of the schema

func (r *reader) module(v value) {
	p := r.prog
	var ours, functions value
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "version":
			p.Version = int(r.int(it.val, version, version))
		case "arch":
			p.Arch = word(r.doc, it.val, ir.ParseArch, "an arch (sunda, gen3, core_v4)")
		case "attributes":
			p.Attrs = r.attributes(it.val)
		case "functions":
			functions = it.val
		case "x_birfuzz":
			ours = it.val
		default:
			r.keep(it.val)
		}
	}
	if functions.given() {
		r.functions(functions)
	}
	if ours.given() {
		r.moduleNotes(ours)
	}
	p.Extra = r.extra(v, 0)
}

// attributes takes neuron_core_id out of the module's attributes and returns the others.
func (r *reader) attributes(v value) json.RawMessage {
	ms := slices.DeleteFunc(r.members(v), func(m member) bool {
		if string(m.key) != "neuron_core_id" {
			return false
		}
		r.prog.CoreID = int(r.int(m.val, 0, maxInt))
		return true
	})
	if len(ms) == 0 {
		return nil
	}
	p := printer{compact: true}
	p.members(r.doc, ms)
	return p.buf
}

// moduleNotes reads x_birfuzz of the module, once all locations are known.
func (r *reader) moduleNotes(v value) {
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "facts":
			for f := r.list(it.val); f.next(); {
				r.prog.Facts |= word(r.doc, f.val, ir.ParseFact, "the name of a fact")
			}
		case "const":
			r.prog.Consts = r.consts(it.val)
		default:
			r.keep(it.val)
		}
	}
}

func (r *reader) consts(v value) ir.Values {
	sizes := map[string]int64{}
	for _, f := range r.prog.Cores {
		for l := range f.Locs {
			sizes[l.Name] = l.Bytes()
		}
	}
	out := ir.Values{}
	for it := r.object(v); it.next(); {
		name := string(it.key)
		t := r.tensor(it.val)
		size, ok := sizes[name]
		switch {
		case r.err != nil:
		case !ok:
			r.fail(it.val, "no location %q", name)
		case int64(len(t.Data)) != size:
			r.fail(it.val, "got %d bytes, want the %d of the location", len(t.Data), size)
		}
		out[name] = t
	}
	return out
}

func (r *reader) functions(v value) {
	names := map[string]bool{}
	for it := r.list(v); it.next(); {
		f := r.function(it.val)
		if r.err == nil && names[f.Name] {
			r.fail(it.val, "a second function %q", f.Name)
		}
		names[f.Name] = true
		r.prog.Cores = append(r.prog.Cores, f)
	}
}

func (r *reader) function(v value) *ir.Func {
	mark := len(r.unknown)
	f := &ir.Func{}
	r.scope = scope{fn: f, sets: map[string]*ir.Set{}, locs: map[string]*ir.Loc{}, regs: map[string]*ir.Loc{}, blocks: map[string]bool{}, named: map[string]*ir.Inst{}}
	var name, allocations, blocks value
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "name":
			name = it.val
		case "attributes":
			f.Attrs = r.names(it.val)
		case "allocations":
			allocations = it.val
		case "blocks":
			blocks = it.val
		default:
			r.keep(it.val)
		}
	}
	if r.require(v, name, "name") {
		f.Name = r.name(name)
	}
	if allocations.given() {
		r.allocations(allocations)
	}
	if blocks.given() {
		f.Blocks = r.blockList(blocks)
	}
	r.linkEdges()
	f.Extra = r.extra(v, mark)
	return f
}

func (r *reader) names(v value) []string {
	out := make([]string, 0, r.len(v))
	for it := r.list(v); it.next(); {
		out = append(out, r.name(it.val))
	}
	return out
}

// claim says that a name may be given only once to nodes of one kind.
func claim[T any](d *doc, v value, names map[string]T, kind, name string, node T) {
	if _, twice := names[name]; twice && d.err == nil {
		d.fail(v, "a second %s %q", kind, name)
	}
	names[name] = node
}

func (r *reader) blockList(v value) []*ir.Block {
	var out []*ir.Block
	for it := r.list(v); it.next(); {
		out = append(out, r.block(it.val))
	}
	return out
}

func (r *reader) block(v value) *ir.Block {
	mark := len(r.unknown)
	b := &ir.Block{}
	var name, insts value
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "name":
			name = it.val
		case "instructions":
			insts = it.val
		default:
			r.keep(it.val)
		}
	}
	if r.require(v, name, "name") {
		b.Name = r.name(name)
		claim(r.doc, name, r.scope.blocks, "block", b.Name, true)
	}
	if insts.given() {
		for it := r.list(insts); it.next(); {
			b.Insts = append(b.Insts, r.inst(it.val))
		}
	}
	b.Extra = r.extra(v, mark)
	return b
}

// slab hands out elements of arrays of moderate size: one allocation for many, and little wasted where the text ends early.
type slab[T any] struct{ free []T }

const slabLen = 64

// take returns n elements whose capacity is their length.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		s.free = make([]T, max(n, slabLen))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}
