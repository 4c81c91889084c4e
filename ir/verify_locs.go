package ir

import "strconv"

// maxTensorBytes bounds one location, and the tensor of a set: enough for any HBM, small enough for all sums to fit [ours].
const maxTensorBytes = int64(1) << 40

// storage checks the sets and locations of the function.
func (v *Verifier) storage() {
	v.names.reset(len(v.fn.Sets))
	for _, s := range v.fn.Sets {
		v.at.set = s
		if !s.implicit() { // its name is nobody's: no file says it
			v.name("set", s.Name)
		}
		v.set(s)
	}
	v.names.reset(len(v.locs))
	for _, l := range v.locs {
		v.at.set, v.at.loc = nil, l
		v.name("location", l.Name)
		if !v.location(l) {
			if v.broken == nil {
				v.broken = map[*Loc]bool{}
			}
			v.broken[l] = true
		}
	}
	v.at = spot{arg: noArg}
}

func (v *Verifier) set(s *Set) {
	if s.Kind >= NumTensorKinds || s.Space >= NumAddrSpaces {
		v.Addf(RuleStructure, "a known kind and address space", "kind %d, address space %d", s.Kind, s.Space)
	}
	size := int64(s.DType.Size())
	if size == 0 {
		v.Add(RuleDType, "no element type", "one of bir.json's")
		return
	}
	n := size
	for _, d := range s.Shape {
		if d < 1 || d > maxTensorBytes/n {
			v.Addf(RuleSize, "positive sizes of at most "+strconv.FormatInt(maxTensorBytes, 10)+" bytes together", "shape %v of %s", s.Shape, s.DType)
			return
		}
		n *= d
	}
	if s.PartDim < NoPartDim || s.PartDim >= max(len(s.Shape), 1) {
		v.Addf(RuleSize, "a dimension of the shape", "partition_dim %d of shape %v", s.PartDim, s.Shape)
	}
}

// location checks one location and tells whether its numbers may be computed with.
func (v *Verifier) location(l *Loc) bool {
	if l.Set == nil || l.Type >= NumMemTypes {
		v.Addf(RuleStructure, "a set and a known memory type", "memory type %d", l.Type)
		return false
	}
	if !l.Type.IsDRAM() && (l.Set.Space == Shared || l.external()) {
		v.Addf(RuleMemory, "DRAM", "%s %s in %s", l.Set.Space, l.Set.Kind, l.Type)
	}
	if l.Rows < 1 || l.RowBytes < 1 || l.RowBytes > maxTensorBytes/l.Rows {
		v.Addf(RuleSize, "positive dims of at most "+strconv.FormatInt(maxTensorBytes, 10)+" bytes together", "dims %d×%d", l.Rows, l.RowBytes)
		return false
	}
	if l.Type == REG && l.Bytes() != regBytes {
		v.Addf(RuleSize, strconv.Itoa(regBytes)+" bytes", "a register of dims %d×%d", l.Rows, l.RowBytes)
	}
	if l.external() && l.Type.IsDRAM() {
		v.tensorSize(l)
	}
	v.aliases(l)
	return v.capacity(l)
}

const regBytes = 4

// external tells whether the host gives or takes the location's data as a tensor.
func (l *Loc) external() bool {
	k := l.Set.Kind
	return k == ExternalInput || k == ExternalOutput || k == Const
}

// tensorSize checks that the data the host sees as a tensor and the bytes of the location are one.
func (v *Verifier) tensorSize(l *Loc) {
	n := int64(l.Set.DType.Size())
	for _, d := range l.Set.Shape {
		if d < 1 || n < 1 || d > maxTensorBytes/n {
			return // the set was complained about
		}
		n *= d
	}
	if n != l.Bytes() && len(l.Set.Locs) == 1 {
		v.Addf(RuleSize, strconv.FormatInt(n, 10)+" bytes, the tensor of its set", "dims %d×%d", l.Rows, l.RowBytes)
	}
}

// capacity checks that a location fits its memory, and an allocated one its place (walrus.md §6).
func (v *Verifier) capacity(l *Loc) bool {
	if !l.Type.OnChip() {
		if l.Allocated && (l.Addr < 0 || l.Addr > maxTensorBytes) {
			v.Addf(RuleCapacity, "an address from 0 to "+strconv.FormatInt(maxTensorBytes, 10), "address %d", l.Addr)
			return false
		}
		return true
	}
	row := v.prog.Arch.SBUFBytes()
	if l.Type == PSUM {
		row = PSUMBanks * PSUMBankBytes
	}
	if l.Rows > Partitions || l.RowBytes > row {
		v.Addf(RuleCapacity, "at most 128 partitions of "+strconv.FormatInt(row, 10)+" bytes", "dims %d×%d", l.Rows, l.RowBytes)
		return false
	}
	if !l.Allocated {
		return true
	}
	if l.Base < 0 || l.Base > Partitions-l.Rows {
		v.Addf(RuleCapacity, "partitions below 128", "%d partitions from %d", l.Rows, l.Base)
		return false
	}
	start, last := l.Addr, row-l.RowBytes
	if l.Type == PSUM {
		if l.Bank < 0 || l.Bank >= PSUMBanks || l.Addr < 0 || l.Addr >= PSUMBankBytes {
			v.Addf(RuleCapacity, "a bank below 8 and an address below 2048", "bank %d, address %d", l.Bank, l.Addr)
			return false
		}
		start += l.Bank * PSUMBankBytes
	}
	if start < 0 || start > last {
		v.Addf(RuleCapacity, "an end at or below byte "+strconv.FormatInt(row, 10), "%d bytes from byte %d of a partition", l.RowBytes, start)
		return false
	}
	return true
}

func (v *Verifier) aliases(l *Loc) {
	for _, a := range l.Alias {
		switch {
		case !v.owns(a.Loc):
			v.Add(RuleAlias, "a location of another function", "one of this function")
		case a.Loc == l:
			v.Add(RuleAlias, "the location itself", "another one")
		case !l.Type.IsDRAM() || !a.Loc.Type.IsDRAM():
			v.Addf(RuleAlias, "two DRAM locations", "%s and %s (%s)", l.Type, printable(a.Loc.Name), a.Loc.Type)
		case a.Kind != MayAlias && a.Kind != MustAlias:
			v.Addf(RuleAlias, "kind 1 (may) or 3 (must)", "kind %d", a.Kind)
		}
	}
}

// owns tells whether the location is the current function's.
func (v *Verifier) owns(l *Loc) bool {
	if l == nil {
		return false
	}
	i := int(l.ID - v.locLo)
	return i >= 0 && i < len(v.locs) && v.locs[i] == l
}

// ownsInst tells whether the instruction is the current function's.
func (v *Verifier) ownsInst(in *Inst) bool {
	if in == nil {
		return false
	}
	i := int(in.ID - v.instLo)
	return i >= 0 && i < len(v.insts) && v.insts[i] == in
}
