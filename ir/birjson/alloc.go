package birjson

import (
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// aliases is an alias list that waits until all locations of the function are known.
type aliases struct {
	loc  *ir.Loc
	list value
}

func (r *reader) allocations(v value) {
	for it := r.list(v); it.next(); {
		r.fn.Sets = append(r.fn.Sets, r.set(it.val))
	}
	for _, a := range r.scope.alias {
		for it := r.list(a.list); it.next(); {
			a.loc.Alias = append(a.loc.Alias, r.aliasOf(it.val))
		}
	}
}

func (r *reader) set(v value) *ir.Set {
	mark := len(r.unknown)
	s := &ir.Set{Class: defaultClass, PartDim: ir.NoPartDim}
	var name, kind, dtype, shape, locs value
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "Skind":
			r.skind(it.val, setSkind)
		case "name":
			name = it.val
		case "kind":
			kind = it.val
		case "tensor_class":
			s.Class = r.name(it.val)
		case "addr_space":
			s.Space = word(r.doc, it.val, ir.ParseAddrSpace, "Local or Shared")
		case "dtype":
			dtype = it.val
		case "tensor_shape":
			shape = it.val
			s.Shape = r.ints(it.val, 0, maxSize)
		case "partition_dim":
			s.PartDim = int(r.int(it.val, 0, maxInt))
		case "memorylocations":
			locs = it.val
		default:
			r.keep(it.val)
		}
	}
	if !r.require(v, name, "name") || !r.require(v, kind, "kind") || !r.require(v, dtype, "dtype") {
		return s
	}
	s.Name = r.name(name)
	claim(r.doc, name, r.sets, "memory-location set", s.Name, s)
	s.Kind = word(r.doc, kind, ir.ParseTensorKind, "a tensor kind (Internal, ExternalInput, …)")
	s.DType = r.dtype(dtype)
	if !fits(append(slices.Clone(s.Shape), int64(s.DType.Size()))...) {
		r.fail(shape, "more than %d bytes", int64(maxSize))
	}
	if locs.given() {
		for it := r.list(locs); it.next(); {
			l := r.loc(it.val)
			l.Set = s
			s.Locs = append(s.Locs, l)
		}
	}
	s.Extra = r.extra(v, mark)
	return s
}

const (
	setSkind     = "memory_location_set"
	locSkind     = "memory_location"
	defaultClass = "Tensor"
)

func (r *reader) skind(v value, want string) {
	if string(r.text(v, want)) != want {
		r.mismatch(v, want)
	}
}

func (d *doc) dtype(v value) ir.DType { return word(d, v, num.ParseDType, "a dtype") }

func (r *reader) loc(v value) *ir.Loc {
	mark := len(r.unknown)
	l := &ir.Loc{}
	var name, typ, dims value
	for it := r.object(v); it.next(); {
		switch string(it.key) {
		case "name":
			name = it.val
		case "type":
			typ = it.val
		case "dims":
			dims = it.val
		default:
			r.placement(l, it.key, it.val)
		}
	}
	if !r.require(v, name, "name") || !r.require(v, typ, "type") || !r.require(v, dims, "dims") {
		return l
	}
	l.Name = r.name(name)
	claim(r.doc, name, r.locs, "location", l.Name, l)
	l.Type = word(r.doc, typ, ir.ParseMemType, "a memory type (Input, Output, DRAM, SB, PSUM, REG)")
	switch n := r.ints(dims, 0, maxSize); {
	case len(n) != 2:
		r.fail(dims, "got %d numbers, want rows and bytes a row", len(n))
	case !fits(n...):
		r.fail(dims, "more than %d bytes", int64(maxSize))
	default:
		l.Rows, l.RowBytes = n[0], n[1]
	}
	l.Extra = r.extra(v, mark)
	return l
}

// placement reads the keys of a location that may be missing.
func (r *reader) placement(l *ir.Loc, key []byte, v value) {
	switch string(key) {
	case "Skind":
		r.skind(v, locSkind)
	case "allocated":
		l.Allocated = r.bool(v)
	case "pinned":
		l.Pinned = r.bool(v)
	case "addr":
		l.Addr = r.int(v, 0, maxSize)
	case "base":
		l.Base = r.int(v, 0, maxInt)
	case "bank":
		l.Bank = r.int(v, 0, maxInt)
	case "alias":
		r.scope.alias = append(r.scope.alias, aliases{l, v})
	case "written_by_another_core":
		l.WrittenByAnotherCore = r.bool(v)
	case "user_allocated":
		l.UserAllocated = r.bool(v)
	case "runtime_reserved":
		l.RuntimeReserved = r.bool(v)
	case "remote_local_target":
		p := printer{compact: true}
		p.raw(r.doc, v)
		l.RemoteLocalTarget = p.buf
	default:
		r.keep(v)
	}
}

// aliasOf reads [set, location, kind].
func (r *reader) aliasOf(v value) ir.Alias {
	part, ok := r.parts(v, 3, "[set, location, kind]")
	if !ok {
		return ir.Alias{}
	}
	l := r.location(part[1])
	if r.err == nil && l.Set.Name != r.name(part[0]) {
		r.fail(part[0], "location %q is in set %q", l.Name, l.Set.Name)
	}
	kind := ir.AliasKind(r.int(part[2], int64(ir.MayAlias), int64(ir.MustAlias)))
	if kind != ir.MayAlias && kind != ir.MustAlias {
		r.mismatch(part[2], "1 (may) or 3 (must)")
	}
	return ir.Alias{Loc: l, Kind: kind}
}

// location returns the declared location that a string names.
func (r *reader) location(v value) *ir.Loc {
	name := r.text(v, "the name of a location")
	l, ok := r.locs[string(name)]
	if !ok {
		r.fail(v, "no location %q", name)
	}
	return l
}
