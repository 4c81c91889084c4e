package oracle

// wordMap maps 64-bit hashes to values. Clearing it costs nothing and keeps its memory.
type wordMap[V any] struct {
	keys   []uint64
	values []V
	marks  []uint32 // keys[i] is in the map if marks[i] == mark
	mark   uint32
	n      int
}

// wordSet is a set of 64-bit hashes.
type wordSet = wordMap[struct{}]

func (s *wordMap[V]) clear() {
	s.n = 0
	s.mark++
	if s.mark == 0 { // the marks of four thousand million clearings ago would count again
		clear(s.marks)
		s.mark = 1
	}
}

// slot returns where k is, or would go.
func (s *wordMap[V]) slot(k uint64) int {
	i := int(k*salt1>>32) & (len(s.keys) - 1)
	for s.marks[i] == s.mark && s.keys[i] != k {
		i = (i + 1) & (len(s.keys) - 1)
	}
	return i
}

// has tells whether k is in the map.
func (s *wordMap[V]) has(k uint64) bool {
	return s.n > 0 && s.marks[s.slot(k)] == s.mark
}

// get returns the value of k, if it is in the map.
func (s *wordMap[V]) get(k uint64) (v V, ok bool) {
	if s.n == 0 {
		return v, false
	}
	if i := s.slot(k); s.marks[i] == s.mark {
		return s.values[i], true
	}
	return v, false
}

// add puts k into the map, with the zero value, and tells whether it was not there before.
func (s *wordMap[V]) add(k uint64) bool {
	var zero V
	return s.put(k, zero)
}

// put gives k a value unless it has one, and tells whether it had none.
func (s *wordMap[V]) put(k uint64, v V) bool {
	if 2*s.n >= len(s.keys) {
		s.grow()
	}
	i := s.slot(k)
	if s.marks[i] == s.mark {
		return false
	}
	s.keys[i], s.values[i], s.marks[i] = k, v, s.mark
	s.n++
	return true
}

func (s *wordMap[V]) grow() {
	old := *s
	n := max(64, 2*len(old.keys))
	*s = wordMap[V]{keys: make([]uint64, n), values: make([]V, n), marks: make([]uint32, n), mark: 1}
	for i, k := range old.keys {
		if old.marks[i] == old.mark && old.mark != 0 {
			s.put(k, old.values[i])
		}
	}
}
