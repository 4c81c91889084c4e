package bircheck

import "slices"

var (
	tensorKinds = []string{"ExternalInput", "ExternalOutput", "Const", "Internal", "Pointer", "InternalInterface"}
	memoryTypes = []string{"Input", "Output", "DRAM", "SB", "PSUM", "REG"}
)

// storage checks the allocations of a function.
func (c *checker) storage(f *function) {
	sets, locs := map[string]bool{}, map[string]bool{}
	for i, s := range f.Allocations {
		c.at("allocations", i, func() {
			if s == nil {
				c.add("type", "null, want a set")
				return
			}
			c.name("set", s.Name, sets)
			c.sets[s.Name] = s
			c.set(s)
			for k, l := range s.Locations {
				c.at("memorylocations", k, func() {
					if l == nil {
						c.add("type", "null, want a location")
						return
					}
					c.name("location", l.Name, locs)
					l.set, l.family = s, l
					c.locs[l.Name] = l
					l.broken = !c.location(l)
				})
			}
		})
	}
	for i, s := range f.Allocations {
		for k := range s.list() {
			c.at("allocations", i, func() {
				c.at("memorylocations", k, func() { c.aliases(s.Locations[k]) })
			})
		}
	}
}

// list returns the locations of a set that is there.
func (s *set) list() []*location {
	if s == nil || slices.Contains(s.Locations, nil) {
		return nil
	}
	return s.Locations
}

func (c *checker) set(s *set) {
	if s.Skind != nil {
		c.oneOf("kind", "Skind", *s.Skind, "memory_location_set")
	}
	c.oneOf("kind", "tensor kind", s.Kind, tensorKinds...)
	c.oneOf("kind", "address space", s.space(), "Local", "Shared")
	size, ok := widths[s.DType]
	if !ok {
		c.add("dtype", "element type %q", s.DType)
		return
	}
	if _, ok := product(append([]int64{size}, s.Shape...)); !ok {
		c.add("size", "shape %v of %s, want positive sizes of at most 2^40 bytes together", s.Shape, s.DType)
	}
	if p := s.Partition; p != nil && (*p < 0 || *p >= int64(max(len(s.Shape), 1))) {
		c.add("size", "partition_dim %d of shape %v", *p, s.Shape)
	}
}

// product multiplies positive sizes; not ok beyond 2^40.
func product(list []int64) (int64, bool) {
	n := int64(1)
	for _, v := range list {
		if v < 1 || v > maxBytes/n {
			return 0, false
		}
		n *= v
	}
	return n, true
}

func (l *location) rows() int64     { return l.Dims[0] }
func (l *location) rowBytes() int64 { return l.Dims[1] }
func (l *location) bytes() int64    { return l.Dims[0] * l.Dims[1] }
func (l *location) onChip() bool    { return l.Type == "SB" || l.Type == "PSUM" }

// memory is the one of SB, PSUM, DRAM and REG in which the location lives.
func (l *location) memory() string {
	if l.Type == "Input" || l.Type == "Output" {
		return "DRAM"
	}
	return l.Type
}

// location checks one location and tells whether its numbers may be computed with.
func (c *checker) location(l *location) bool {
	if l.Skind != nil {
		c.oneOf("kind", "Skind", *l.Skind, "memory_location")
	}
	if !c.oneOf("kind", "memory type", l.Type, memoryTypes...) {
		return false
	}
	if len(l.Dims) != 2 {
		c.add("size", "dims %v, want rows and bytes a row", l.Dims)
		return false
	}
	if _, ok := product(l.Dims); !ok {
		c.add("size", "dims %v, want positive sizes of at most 2^40 bytes together", l.Dims)
		return false
	}
	s := l.set
	if l.memory() != "DRAM" && s.global() {
		c.add("memory", "a %s %s in %s, want DRAM", s.space(), s.Kind, l.Type)
	}
	if l.Type == "REG" && l.bytes() != 4 {
		c.add("size", "a register of %d bytes, want 4", l.bytes())
	}
	if n, ok := product(append([]int64{widths[s.DType]}, s.Shape...)); ok && s.external() && l.memory() == "DRAM" && len(s.Locations) == 1 && n != l.bytes() {
		c.add("size", "%d bytes for a tensor of %d", l.bytes(), n)
	}
	if l.Addr < 0 || l.Addr > maxBytes || l.Base < 0 || l.Base > maxInt || l.Bank < 0 || l.Bank > maxInt {
		c.add("place", "addr %d, base %d, bank %d", l.Addr, l.Base, l.Bank)
		return false
	}
	return !l.onChip() || c.fits(l)
}

// fits checks an on-chip location against its memory, and its place in it.
func (c *checker) fits(l *location) bool {
	row := generations[c.arch].partition
	if l.Type == "PSUM" {
		row = banks * bankBytes
	}
	if l.rows() > partitions || l.rowBytes() > row {
		c.add("capacity", "dims %v in %s, want at most 128 partitions of %d bytes", l.Dims, l.Type, row)
		return false
	}
	if !l.Allocated {
		return true
	}
	start := l.Addr
	if l.Type == "PSUM" {
		if l.Bank >= banks || l.Addr >= bankBytes {
			c.add("place", "bank %d, byte %d of it, want a bank below 8 and a byte below 2048", l.Bank, l.Addr)
			return false
		}
		start += l.Bank * bankBytes
	}
	if l.Base+l.rows() > partitions || start+l.rowBytes() > row {
		c.add("place", "%v from partition %d, byte %d: outside %s", l.Dims, l.Base, start, l.Type)
		return false
	}
	return true
}

// aliases checks the aliases of a location and joins it with them.
func (c *checker) aliases(l *location) {
	for _, a := range l.Alias {
		o := c.locs[a.location]
		switch {
		case o == nil:
			c.add("alias", "alias %q, which is no location", a.location)
		case o.set.Name != a.set:
			c.add("alias", "alias %q of set %q, which is in %q", a.location, a.set, o.set.Name)
		case o == l:
			c.add("alias", "an alias of itself")
		case l.memory() != "DRAM" || o.memory() != "DRAM":
			c.add("alias", "an alias between %s and %s, want DRAM", l.Type, o.Type)
		case a.kind != 1 && a.kind != 3:
			c.add("alias", "alias kind %d, want 1 or 3", a.kind)
		default:
			l.head().family = o.head()
		}
	}
}

// head returns the location that stands for all aliases.
func (l *location) head() *location {
	for l.family != l {
		l = l.family
	}
	return l
}
