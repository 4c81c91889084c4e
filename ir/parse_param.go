package ir

import "math"

// param reads the value of a setting of the row.
func (p *parser) param(in *Inst, key token) {
	row := in.Spec()
	for _, id := range row.Params {
		if s := id.Spec(); s.named(key.text) {
			in.SetParam(p.value(id, s))
			return
		}
	}
	keys := []string{"queue", "source"}
	for _, id := range row.Params {
		keys = append(keys, id.Spec().Key)
	}
	p.fail(key.pos, quote(key.text), "a setting of "+row.Name+": "+oneOf(keys))
}

func (s *ParamSpec) named(key string) bool {
	if s.Key == key {
		return true
	}
	for _, a := range s.Aliases {
		if a == key {
			return true
		}
	}
	return false
}

func (p *parser) value(id ParamID, s *ParamSpec) Param {
	v := Param{ID: id}
	switch s.Kind {
	case BoolParam:
		v.I = int64(p.word("", boolWords))
	case IntParam:
		v.I = p.integer()
	case FloatParam:
		v.F = p.float()
	case EnumParam:
		v.I = int64(p.word("", s.Names))
	case ListParam:
		v.L = p.integers()
	default:
		v.LL = p.lists(s.Kind == PairsParam)
	}
	return v
}

// lists reads `[[1, 2], [3, 4]]`; of pairs each has two members.
func (p *parser) lists(pairs bool) [][]int64 {
	var out [][]int64
	p.list("[", "]", false, func() {
		at := p.tok
		l := p.integers()
		if pairs && len(l) != 2 {
			p.fail(at.pos, "a list that is no pair", "two numbers `[a, b]`")
		}
		p.pay(48)
		out = append(out, l)
	})
	return out
}

// integers reads `[1, 2]`.
func (p *parser) integers() []int64 {
	var out []int64
	p.list("[", "]", false, func() {
		p.pay(16)
		out = append(out, p.integer())
	})
	return out
}

// natural reads an integer that is not negative.
func (p *parser) natural() int64 { return p.between(0, math.MaxInt64) }
