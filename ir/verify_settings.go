package ir

import (
	"fmt"
	"strconv"
)

// settings checks the stored settings of an instruction against its row and their own descriptions.
func (v *Verifier) settings(in *Inst, spec *Spec) {
	for i := range in.Params {
		p := &in.Params[i]
		switch {
		case p.ID >= NumParams:
			v.Addf(RuleSetting, "a setting of the table", "setting %d", p.ID)
		case !spec.HasParam(p.ID):
			v.Addf(RuleSetting, "a setting of "+spec.Name, "%s", p.ID.Spec().Key)
		case i > 0 && p.ID <= in.Params[i-1].ID:
			v.Addf(RuleSetting, "settings in ascending order, each once", "%s out of order", p.ID.Spec().Key)
		case p.isDefault():
			v.Addf(RuleSetting, "only what differs from the default", "%s at its default", p.ID.Spec().Key)
		default:
			v.value(p, p.ID.Spec())
		}
	}
}

// value checks one setting by its type.
func (v *Verifier) value(p *Param, s *ParamSpec) {
	switch s.Kind {
	case BoolParam:
		v.within(s, p.I, 0, 1)
	case IntParam:
		v.within(s, p.I, s.Min, s.Max)
	case EnumParam:
		v.within(s, p.I, 0, int64(len(s.Names))-1)
	case ListParam:
		if s.Len != 0 && len(p.L) != s.Len {
			v.Addf(RuleSetting, strconv.Itoa(s.Len)+" numbers", "%s of %d", s.Key, len(p.L))
		}
		v.allWithin(s, p.L)
	case PairsParam, ListsParam:
		for _, l := range p.LL {
			if s.Kind == PairsParam && len(l) != 2 {
				v.Addf(RuleSetting, "pairs of two numbers", "%s with a list of %d", s.Key, len(l))
			}
			v.allWithin(s, l)
		}
	}
}

func (v *Verifier) within(s *ParamSpec, n, lo, hi int64) bool {
	if n >= lo && n <= hi {
		return true
	}
	v.Addf(RuleSetting, fmt.Sprintf("%d to %d", lo, hi), "%s %d", s.Key, n)
	return false
}

// allWithin complains about the first number that is out of range: a list is one setting.
func (v *Verifier) allWithin(s *ParamSpec, list []int64) {
	for _, n := range list {
		if !v.within(s, n, s.Min, s.Max) {
			return
		}
	}
}
