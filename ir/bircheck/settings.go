package bircheck

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// settings are the keys of an instruction that only some rows know, as they stand in the text.
type settings struct {
	Mode        json.RawMessage `json:"mode"`
	TransposeOp json.RawMessage `json:"transpose_op"`
	Constant    json.RawMessage `json:"constant"`
	Base        json.RawMessage `json:"base"`
	Pattern     json.RawMessage `json:"pattern"`
	Channel     json.RawMessage `json:"channel_multiplier"`
	Op          json.RawMessage `json:"op"`
	Op0         json.RawMessage `json:"op0"`
	Const0      json.RawMessage `json:"const0"`
	Reverse0    json.RawMessage `json:"reverse0"`
	Op1         json.RawMessage `json:"op1"`
	Const1      json.RawMessage `json:"const1"`
	Reverse1    json.RawMessage `json:"reverse1"`
	IsSTT       json.RawMessage `json:"is_scalar_tensor_tensor"`
	IsScan      json.RawMessage `json:"is_tensor_tensor_scan"`
	Axis        json.RawMessage `json:"axis"`
	Negate      json.RawMessage `json:"negate"`
	Func        json.RawMessage `json:"func"`
	Scale       json.RawMessage `json:"scale"`
	Acc         json.RawMessage `json:"acc"`
	ReduceCmd   json.RawMessage `json:"reduce_cmd"`
	AccCmd      json.RawMessage `json:"accumulator_cmd"`
	Start       json.RawMessage `json:"start_tensor_calc"`
	Stop        json.RawMessage `json:"stop_tensor_calc"`
	Flag        json.RawMessage `json:"accumulation_flag"`
	IsTranspose json.RawMessage `json:"is_transpose"`
	ZeroRegion  json.RawMessage `json:"psum_zero_region"`
	ReversePred json.RawMessage `json:"reverse_pred"`
	CompareOp   json.RawMessage `json:"compare_op"`
	CompareOp0  json.RawMessage `json:"compare_op0"`
	CompareOp1  json.RawMessage `json:"compare_op1"`
	FillValue   json.RawMessage `json:"fill_value"`
	Mask        json.RawMessage `json:"mask"`
	ImmValue    json.RawMessage `json:"imm_value"`
	ID          json.RawMessage `json:"id"`
	Cores       json.RawMessage `json:"cores"`
	Kind        json.RawMessage `json:"kind"`
	Groups      json.RawMessage `json:"replica_groups"`
	Pairs       json.RawMessage `json:"src_target_pairs"`
	CanReadPois json.RawMessage `json:"can_read_uninit"`
}

// settingKeys is the field of each key of settings.
var settingKeys = func() map[string]int {
	t := reflect.TypeFor[settings]()
	out := map[string]int{}
	for i := range t.NumField() {
		out[t.Field(i).Tag.Get("json")] = i
	}
	return out
}()

// raw returns the text of a setting, nil where it is absent.
func (s *settings) raw(key string) json.RawMessage {
	return reflect.ValueOf(s).Elem().Field(settingKeys[key]).Bytes()
}

// word returns a setting that is a word, or the default.
func (s *settings) word(key, def string) string {
	raw := s.raw(key)
	if raw == nil {
		return def
	}
	return unquote(raw)
}

// unquote returns the text of a JSON string, "" for anything else.
func unquote(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if strings.IndexByte(string(raw), '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	_ = json.Unmarshal(raw, &s) // the text was read once: a JSON string it is
	return s
}

// flag returns a setting that is a bool, or the default.
func (s *settings) flag(key string, def bool) bool {
	switch string(s.raw(key)) {
	case "true":
		return true
	case "false":
		return false
	}
	return def
}

// number returns a setting that is a number, or 0.
func (s *settings) number(key string) float64 {
	f, _ := floatOf(s.raw(key))
	return f
}

// lists returns a setting that is a list of lists, or nil.
func (s *settings) lists(key string) (out [][]int64) {
	if raw := s.raw(key); raw != nil {
		_ = json.Unmarshal(raw, &out) // checked by the kind of the setting
	}
	return out
}

// ints returns a setting that is a list, or nil.
func (s *settings) ints(key string) (out []int64) {
	if raw := s.raw(key); raw != nil {
		_ = json.Unmarshal(raw, &out) // checked by the kind of the setting
	}
	return out
}

// floatOf reads a number as bir.json spells it.
func floatOf(raw []byte) (float64, error) {
	switch string(raw) {
	case `"nan"`:
		return math.NaN(), nil
	case `"inf"`:
		return math.Inf(1), nil
	case `"-inf"`:
		return math.Inf(-1), nil
	}
	var f float64
	err := json.Unmarshal(raw, &f)
	if string(raw) == "null" {
		err = &json.UnmarshalTypeError{Value: "null", Type: reflect.TypeFor[float64]()}
	}
	return f, err
}

// settingRule says what a setting may be.
type settingRule struct {
	keys   []string // the spellings
	kind   string
	words  []string
	lo, hi int64
	len    int // of a list, 0: any
}

// check returns what is wrong with the text of a setting, "" if nothing is.
func (r *settingRule) check(raw json.RawMessage) string {
	switch r.kind {
	case "bool":
		if s := string(raw); s != "true" && s != "false" {
			return "want true or false"
		}
	case "number":
		if _, err := floatOf(raw); err != nil {
			return "want a number"
		}
	case "bits":
		if _, err := strconv.ParseUint(string(raw), 10, 64); err != nil {
			return "want the bits of an element as an unsigned number"
		}
	case "int":
		return r.checkInt(raw)
	case "word":
		if w := unquote(raw); !slices.Contains(r.words, w) {
			return "want one of " + strings.Join(r.words, ", ")
		}
	case "list":
		var l []int64
		return r.checkLists(raw, &l, func() [][]int64 { return [][]int64{l} }, r.len)
	case "pairs":
		var l [][]int64
		return r.checkLists(raw, &l, func() [][]int64 { return l }, 2)
	default: // lists
		var l [][]int64
		return r.checkLists(raw, &l, func() [][]int64 { return l }, 0)
	}
	return ""
}

func (r *settingRule) checkInt(raw json.RawMessage) string {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err != nil || n < r.lo || n > r.hi {
		return fmt.Sprintf("want an integer from %d to %d", r.lo, r.hi)
	}
	return ""
}

// checkLists reads raw into `into`; get then returns its lists, each of length n (0: any).
func (r *settingRule) checkLists(raw json.RawMessage, into any, get func() [][]int64, n int) string {
	if err := json.Unmarshal(raw, into); err != nil || string(raw) == "null" {
		return "want lists of integers"
	}
	for _, l := range get() {
		if n != 0 && len(l) != n {
			return fmt.Sprintf("want %d numbers, not %d", n, len(l))
		}
		for _, v := range l {
			if v < r.lo || v > r.hi {
				return fmt.Sprintf("want numbers from %d to %d", r.lo, r.hi)
			}
		}
	}
	return ""
}

// settings checks the settings that the row knows.
func (c *checker) settings(in *inst, row *row) bool {
	before := len(c.list)
	for i := range row.settings {
		s := &row.settings[i]
		said := ""
		for _, key := range s.keys {
			raw := in.raw(key)
			if raw == nil {
				continue
			}
			if bad := s.check(raw); bad != "" {
				c.add("setting", "%s %s, %s", key, raw, bad)
			} else if said != "" && said != string(raw) {
				c.add("setting", "%s %s beside another spelling that says %s", key, raw, said)
			}
			said = string(raw)
		}
	}
	return len(c.list) == before
}
