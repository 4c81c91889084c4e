package bircheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

// other is the first validator's answer about the same text: the reader's error, or what Verify says. Facts are those of the module.
func other(text []byte) error {
	p, err := birjson.Read(bytes.NewReader(text), "m")
	if err != nil {
		return err
	}
	if bad := ir.Verify(p, p.Facts); bad != nil {
		return fmt.Errorf("%v", bad[0])
	}
	return nil
}

// seeds yields texts of legal modules: the conformance cases and generated programs.
func seeds(t testing.TB, generated int) [][]byte {
	var out [][]byte
	for c, err := range birtest.Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c.BIR)
	}
	for i := range generated {
		r := gen.New(77).Fork(fmt.Sprint("case ", i))
		text, err := birjson.Compact(gen.Program(r.Fork("program"), gen.Swarm(r.Fork("swarm"))))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// TestGenerated: what the generator draws is legal to both.
func TestGenerated(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 60
	}
	for i, text := range seeds(t, n) {
		for _, bad := range Check(text) {
			t.Errorf("module %d: %s", i, bad)
			if err := other(text); err != nil {
				t.Logf("the first validator: %v", err)
			}
		}
	}
}

// vocabulary is words to put where another word stands.
var vocabulary = strings.Fields("PE Activation Pool DVE SP DMA ALL Unassigned float32 bfloat16 float8_e4m3fn int32 uint8 int64 uint16 SB PSUM DRAM REG " +
	"Input Output Internal ExternalInput ExternalOutput Const Local Shared bypass add subtract bitwise_and logical_shift_left logical_and is_gt abs pow mod " +
	"divide not_equal abs_max float8e4 float32r uint32 Reciprocal Flow Anti Transpose Cumulative X XYZ sunda gen3 core_v4 physical_ap symbolic_ap imm_value Idle Accumulate AllGather ReduceScatter Permute")

// wound makes one random change somewhere in a JSON value and returns it: at a leaf, any of them with equal chance, or in a list.
func wound(r *rand.Rand, v any) any {
	n := leaves(v)
	if n == 0 {
		return v
	}
	return at(r, v, r.IntN(n))
}

// leaves counts the numbers, words and flags of a value.
func leaves(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, w := range v {
			n += leaves(w)
		}
	case []any:
		for _, w := range v {
			n += leaves(w)
		}
	default:
		return 1
	}
	return n
}

// at changes the leaf of that number, or, now and then, something around it.
func at(r *rand.Rand, v any, leaf int) any {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if n := leaves(v[k]); leaf >= n {
				leaf -= n
			} else if r.IntN(30) == 0 {
				delete(v, k)
				return v
			} else if r.IntN(30) == 0 { // another key, which says nothing
				had := v[k]
				delete(v, k)
				v[strings.ToUpper(k)] = had
				return v
			} else {
				v[k] = at(r, v[k], leaf)
				return v
			}
		}
	case []any:
		for i := range v {
			if n := leaves(v[i]); leaf >= n {
				leaf -= n
			} else {
				return inList(r, v, i, leaf)
			}
		}
	case json.Number:
		return numberNear(r, v)
	case string:
		return vocabulary[r.IntN(len(vocabulary))]
	case bool:
		return !v
	}
	return v
}

func inList(r *rand.Rand, v []any, i, leaf int) any {
	switch r.IntN(24) {
	case 0:
		return slices.Delete(v, i, i+1)
	case 1:
		return slices.Insert(v, i, v[r.IntN(len(v))])
	case 2:
		k := r.IntN(len(v))
		v[i], v[k] = v[k], v[i]
		return v
	}
	v[i] = at(r, v[i], leaf)
	return v
}

func numberNear(r *rand.Rand, v json.Number) any {
	n, err := v.Int64()
	if err != nil {
		return json.Number("1.5")
	}
	return json.Number(fmt.Sprint([...]int64{0, 1, -1, 2, n + 1, n - 1, 2 * n, n / 2, n + 4, n - 4, n + 32, n - 32, 31, 32, 64, 96, 127, 128, 129, 512, 1 << 20, 3}[r.IntN(22)]))
}

// TestAgreement: wrong programs are wrong to both validators, and right ones right. Each case is a legal module with one to three random
// changes; a disagreement is a bug of one of the two, and the documents say of which.
func TestAgreement(t *testing.T) {
	rounds, made := 4, 200
	if testing.Short() {
		rounds, made = 1, 100
	}
	r := rand.New(rand.NewPCG(1, 2))
	legal, illegal, shown := 0, 0, map[string]int{}
	for _, text := range seeds(t, made) {
		for range rounds {
			d := json.NewDecoder(bytes.NewReader(text))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			for range 1 + r.IntN(3) {
				v = wound(r, v)
			}
			hurt, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			mine, theirs := Check(hurt), other(hurt)
			if (mine == nil) != (theirs == nil) {
				rule := "illegal to the first alone"
				if mine != nil {
					rule = mine[0].Rule
				}
				if shown[rule]++; shown[rule] <= 3 {
					t.Errorf("disagreement\n first: %v\n second: %v", theirs, mine)
				}
			}
			if theirs == nil {
				legal++
			} else {
				illegal++
			}
		}
	}
	t.Logf("%d legal, %d illegal; disagreements %v", legal, illegal, shown)
	if legal < 50 || illegal < 50 {
		t.Errorf("%d legal and %d illegal modules: the changes say nothing", legal, illegal)
	}
}
