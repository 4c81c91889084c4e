// Package gen draws random legal BIR programs, and inputs for programs of any origin.
//
// It knows no instruction by name: everything is drawn from the op table (ir.Ops) by role, shape letters, types, effect, flow, value domain
// and write mode, so a row added to the table is generated without a change here.
package gen

import "math/bits"

// Rand is the one source of randomness: a splitmix64 stream. Equal seeds give equal numbers on every machine. It is not safe for
// concurrent use; Fork gives every user a stream of its own.
type Rand struct {
	seed, state uint64
	tape        *tape // of FromBytes
}

// New returns the stream of a seed.
func New(seed uint64) *Rand {
	r := fromSeed(seed)
	return &r
}

func fromSeed(seed uint64) Rand { return Rand{seed: seed, state: mix(seed)} }

// Fork returns an independent stream that depends only on r's seed and the label, not on what was drawn from r: a feature that draws from a
// fork of its own shifts nobody else's numbers.
func (r *Rand) Fork(label string) *Rand {
	f := r.fork(label)
	return &f
}

func (r *Rand) fork(label string) Rand { return r.at(labelOf(label)) }

// label is what a label of Fork comes to, for who forks by one label again and again.
type label uint64

func labelOf(text string) label {
	h := uint64(0xcbf29ce484222325) // FNV-1a
	for i := 0; i < len(text); i++ {
		h = (h ^ uint64(text[i])) * 0x100000001b3
	}
	return label(mix(h))
}

// at is fork.
func (r *Rand) at(l label) Rand {
	f := fromSeed(mix(r.seed ^ uint64(l)))
	f.tape = r.tape
	return f
}

// split returns a stream that begins where the next number of r says.
func (r *Rand) split() Rand {
	f := fromSeed(r.Uint64())
	f.tape = r.tape
	return f
}

// mix is the finalizer of splitmix64, a bijection without fixed patterns.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Uint64 returns the next 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	if r.tape != nil {
		return r.tape.over(mix(r.state))
	}
	return mix(r.state)
}

// IntN returns a number in [0, n); n must be positive. Its bias of n/2^64 is of no account here.
func (r *Rand) IntN(n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Between returns a number in [lo, hi].
func (r *Rand) Between(lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// Float64 returns a number in [0, 1).
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// Bool returns true with probability p.
func (r *Rand) Bool(p float64) bool { return r.Float64() < p }

// Pick returns an index of weights with the odds they give. Their sum must be positive.
func (r *Rand) Pick(weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	k := r.IntN(sum)
	for i, w := range weights {
		if k -= w; k < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// one returns an element of a non-empty list.
func one[T any](r *Rand, list []T) T { return list[r.IntN(len(list))] }
