package birjson_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

// hostile is large texts made to cost more than their length.
var hostile = []struct {
	name  string
	text  func(n int) string // of about n bytes
	legal bool
}{
	{"lists in one another", func(n int) string { return strings.Repeat("[", n) }, false},
	{"loops in one another", func(n int) string { return strings.Repeat(`{"blocks":[{"instructions":[`, n/28) }, false},
	{"empty lists", func(n int) string { return "[" + strings.Repeat("[],", n/3) + "[]]" }, false},
	{"empty instructions", func(n int) string { return wrap(`{"name":"b","instructions":[` + strings.Repeat("{},", n/3) + "{}]}") }, false},
	{"instructions of one name", func(n int) string {
		return wrap(`{"name":"b","instructions":[` + strings.Repeat(`{"name":"a","opcode":"Drain"},`, n/30) + "{}]}")
	}, false},
	{"numbers", func(n int) string {
		return `{"functions":[{"name":"f","allocations":[{"name":"s","kind":"Internal","dtype":"int8","tensor_shape":[` + strings.Repeat("1,", n/2) + `1]}]}]}`
	}, true},
	{"pattern", func(n int) string {
		return inst(`"opcode":"Iota","pattern":[` + strings.Repeat("[1,1],", n/6) + `[1,1]],` + outs)
	}, true},
	{"attributes", func(n int) string {
		return `{"functions":[{"name":"f","attributes":[` + strings.Repeat(`"a",`, n/4) + `"a"]}]}`
	}, true},
	{"unknown keys", func(n int) string { return keys(n, "a", "") }, true},
	{"unknown keys, unsorted", func(n int) string { return keys(n, "a", `,"Z":1`) }, true},
	{"unknown keys, one twice", func(n int) string { return keys(n, "a", `,"a0":1`) }, false},
	{"unknown lists", func(n int) string { return `{"z":[` + strings.Repeat("[],", n/3) + `[]]}` }, true},
	{"edges", func(n int) string {
		return wrap(`{"name":"b","instructions":[{"name":"a","opcode":"Drain"},{"name":"c","opcode":"Drain","dependencies":[` + strings.Repeat(`"a",`, n/4) + `"a"]}]}`)
	}, true},
	{"terms", func(n int) string {
		return inst(`"opcode":"Drain","order":[{"kind":"SumKind","terms":[` + strings.Repeat(`{"kind":"ShardIDKind","ub":9},`, n/30) + `{}]}]`)
	}, false},
	{"expressions", func(n int) string {
		return inst(`"opcode":"Drain","order":[` + strings.Repeat(`{"kind":"AffExprKind","c":1},`, n/29) + `{"kind":"AffExprKind"}]`)
	}, true},
	{"tensor of 2^40 bytes", func(int) string {
		return `{"functions":[{"name":"f"}],"x_birfuzz":{"const":{"a":{"dtype":"int8","shape":[1099511627776],"data":""}}}}`
	}, false},
	{"escapes", func(n int) string { return `{"z":"` + strings.Repeat(`\n`, n/2) + `"}` }, true},
}

const outs = `"outs":[{"kind":"register_access","dtype":"int32","regref":"r"}]`

func wrap(block string) string { return `{"functions":[{"name":"f","blocks":[` + block + `]}]}` }

func inst(body string) string { return wrap(`{"name":"b","instructions":[{"name":"a",` + body + `}]}`) }

// keys returns an object of about n bytes whose keys ascend, and then the last members.
func keys(n int, prefix, last string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"%s%d":1`, prefix, i)
	}
	return b.String() + last + "}"
}

func TestHostile(t *testing.T) {
	size := 2 << 20
	if birtest.Quick() {
		size = 1 << 19
	}
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			text := c.text(size)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := birjson.Read(strings.NewReader(text), "case.json")
			runtime.ReadMemStats(&after)
			if (err == nil) != c.legal {
				t.Errorf("got error %v", err)
			}
			if err != nil && len(err.Error()) > 300 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			// In all, not at one time. The dearest legal text is a list of small lists of numbers: 8 bytes for each number of two, and 24
			// for each list.
			const perByte, fixed = 20, 64 << 10 // fixed: slabs and tables of even the smallest text
			got := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d bytes of text, %.1f allocated for each: %v", len(text), float64(got)/float64(len(text)), err)
			if got > perByte*uint64(len(text))+fixed {
				t.Errorf("%d bytes allocated for %d of text, want at most %d for each", got, len(text), perByte)
			}
		})
	}
}
