package oracle

import (
	"encoding/binary"
	"math"
	"math/bits"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// An origin is a 64-bit hash of how a value arose (semantics §4). Its two lowest bits say what kind of history it is; 0 is poison, so that
// one word an element carries definedness too.
const (
	poisonOrigin   uint64 = 0
	kindConst      uint64 = 1 // computed from constants alone: the origin is the value
	kindComputed   uint64 = 2 // arithmetic took part
	kindMoved      uint64 = 3 // bits of inputs, moved only
	kindMask       uint64 = 3
	kindMaskedHash        = ^kindMask

	// openOrigin is no origin: a fence does not tell of the unit, for its latest write is not ordered before it (see watcher.open).
	openOrigin uint64 = 8
)

// Odd constants from the fractional parts of square roots of small primes; they only have to be unlike each other.
const (
	salt0       uint64 = 0x6a09e667f3bcc909
	salt1       uint64 = 0xbb67ae8584caa73b
	saltConst   uint64 = 0x3c6ef372fe94f82b
	saltInput   uint64 = 0xa54ff53a5f1d36f1
	saltLeaf    uint64 = 0x510e527fade682d1
	saltCast    uint64 = 0x9b05688c2b3e6c1f
	saltMember  uint64 = 0x1f83d9abfb41bd6b
	saltBag     uint64 = 0x5be0cd19137e2179
	saltPart    uint64 = 0xcbbb9d5dc1059ed8
	saltNews    uint64 = 0x629a292a367cd507
	saltAcc     uint64 = 0x9159015a3070dd17
	saltWorld   uint64 = 0x152fecd8f70e5939
	saltBlend   uint64 = 0x67332667ffc00b31
	saltNothing uint64 = 0x8eb44a8768581511
	saltShown   uint64 = 0xdb0c2e0d64f98fa7
)

// mix folds two words into one, order kept: the 128-bit product of both, high half on low half.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^salt0, b^salt1)
	return hi ^ lo
}

// mixAll folds a list of words.
func mixAll(h uint64, words ...uint64) uint64 {
	for _, w := range words {
		h = mix(h, w)
	}
	return h
}

// hashString hashes a name.
func hashString(s string) uint64 {
	h := mix(saltInput, uint64(len(s)))
	for len(s) >= 8 {
		h = mix(h, uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)
		s = s[8:]
	}
	var tail uint64
	for i := range len(s) {
		tail |= uint64(s[i]) << (8 * i)
	}
	return mix(h, tail)
}

// hashBytes hashes data: long data in four strands of 16 bytes a step each, which do not wait for one another, the rest in one.
func hashBytes(h uint64, b []byte) uint64 {
	h = mix(h, uint64(len(b)))
	if len(b) >= 128 {
		s, t, u := mix(h, 1), mix(h, 2), mix(h, 3)
		for len(b) >= 64 {
			h, s, t, u = mixPair(h, b), mixPair(s, b[16:]), mixPair(t, b[32:]), mixPair(u, b[48:])
			b = b[64:]
		}
		h = mixAll(h, s, t, u)
	}
	for len(b) >= 16 {
		h = mixPair(h, b)
		b = b[16:]
	}
	if len(b) >= 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var tail uint64
	for i, c := range b {
		tail |= uint64(c) << (8 * i)
	}
	return mix(h, tail)
}

// mixPair folds 16 bytes into a hash.
func mixPair(h uint64, b []byte) uint64 {
	_ = b[15]
	return mix(h^binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]))
}

func asKind(h, kind uint64) uint64 { return h&kindMaskedHash | kind }

// constUnit is the origin of one unit that holds a value computed from constants alone.
func constUnit(value uint64) uint64 { return asKind(mix(saltConst, value), kindConst) }

// zeroUnit is the origin of a unit of zero bits: what a start leaves under its first member, and a Memset 0 too.
var zeroUnit = constUnit(0)

// joinKind is the kind of a value that two others went into without arithmetic.
func joinKind(a, b uint64) uint64 {
	switch {
	case a == b:
		return a
	case a == kindComputed || b == kindComputed:
		return kindComputed
	default:
		return kindMoved
	}
}

// joinParts folds the origins of the units of one element, in address order.
func joinParts(h, part uint64) uint64 {
	if h == poisonOrigin || part == poisonOrigin {
		return poisonOrigin
	}
	return asKind(mix(mix(saltPart, h), part), joinKind(h&kindMask, part&kindMask))
}

// partOf is the origin of unit k of an element that several units hold.
func partOf(h uint64, k int) uint64 {
	if h == poisonOrigin {
		return poisonOrigin
	}
	return asKind(mix(h, saltPart+uint64(k)), h&kindMask)
}

// leaf is an element as a number: what the arithmetic reads depends on the type too.
func leaf(h uint64, d ir.DType) uint64 {
	if h == poisonOrigin {
		return poisonOrigin
	}
	return asKind(mix(h, saltLeaf+uint64(d)), h&kindMask)
}

// combine is one step of arithmetic: id says which, a is what was computed so far, b what joins it. Constants stay constants: whoever
// stores the result gives it its value for an origin.
func combine(id, a, b uint64) uint64 {
	if a == poisonOrigin || b == poisonOrigin {
		return poisonOrigin
	}
	kind := kindComputed
	if a&kindMask == kindConst && b&kindMask == kindConst {
		kind = kindConst
	}
	return asKind(mix(mix(id, a), b), kind)
}

// unary is a step of arithmetic with one operand.
func unary(id, a uint64) uint64 { return combine(id, a, kindConst) }

// withBag is the origin of a PSUM element as a number: its base and what was added.
func withBag(base, bag uint64) uint64 {
	if bag == 0 || base == poisonOrigin {
		return base
	}
	return asKind(mix(mix(saltBag, base), bag), kindComputed)
}

// inputUnit is the origin of the byte of a location that the host gave.
func inputUnit(name uint64, byteOffset int) uint64 {
	return asKind(mix(name, uint64(byteOffset)+saltInput), kindMoved)
}

// constNumber is the leaf of a float32 constant in the settings: it counts as a constant read (semantics §4).
func constNumber(v float64, unit int) uint64 {
	return leaf(constElement(uint64(math.Float32bits(float32(v))), 4, unit), num.Float32)
}

// constElement is the origin of an element of size bytes with the given bits.
func constElement(value uint64, size, unit int) uint64 {
	if unit >= size {
		return constUnit(value)
	}
	mask := uint64(1)<<(8*unit) - 1
	h := constUnit(value & mask)
	for k := unit; k < size; k += unit {
		h = joinParts(h, constUnit(value>>(8*k)&mask))
	}
	return h
}
