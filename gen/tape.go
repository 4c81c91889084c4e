package gen

// tape is what a stream of bytes adds to a Rand: the highest byte of each number comes from it, so the bytes decide which way a draw goes, and
// the stream of the seed decides the rest, and everything behind the last byte. All forks read on where the last one stopped.
type tape struct {
	data []byte
	at   int
}

// FromBytes returns a Rand that is driven by data, whatever it holds, even nothing: an engine that mutates bytes mutates what is drawn. Few
// other bytes are few other draws, as far as what comes behind them allows. Rand keeps data.
func FromBytes(data []byte) *Rand {
	r := New(0)
	r.tape = &tape{data: data}
	return r
}

// over returns x with its highest byte from the tape, x itself behind its end.
func (t *tape) over(x uint64) uint64 {
	if t.at >= len(t.data) {
		return x
	}
	b := t.data[t.at]
	t.at++
	return uint64(b)<<56 | x>>8
}
