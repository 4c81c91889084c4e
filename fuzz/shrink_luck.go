package fuzz

// luck guesses what becomes of a reduction's next candidate by what became of the last ones, as a processor guesses which way a branch goes: a
// counter that stops at both ends, so that one answer out of line does not turn a guess that was right for long. A reduction that nothing is
// known of is expected to help. It is given up sooner than it is believed in again, for most candidates fail. Guesses only say where workers look
// ahead; what a shrink comes to does not depend on them.
type luck int8

// leastLuck and mostLuck are where the counter stops. From the least, three candidates that hold in a row change the guess.
const (
	leastLuck = -3
	mostLuck  = 1
)

func (l luck) guess() bool { return l >= 0 }

// sure tells whether the guess was right the last few times.
func (l luck) sure() bool { return l == leastLuck || l == mostLuck }

func (l *luck) saw(holds bool) {
	if holds {
		*l = min(*l+1, mostLuck)
	} else {
		*l = max(*l-1, leastLuck)
	}
}
