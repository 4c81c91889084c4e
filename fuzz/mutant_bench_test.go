package fuzz

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"birfuzz/ir/birtest"
)

// testBench is birfuzz with every mutant that may share a build, and a few that no file holds, built once for all tests that plant one.
type testBench struct {
	*bench
	mutants map[string]*Mutant // by name
}

// benchFolder is where testBench was built; TestMain removes it.
var benchFolder string

var openTestBench = sync.OnceValues(func() (*testBench, error) {
	root, err := SourceTree(".")
	if err != nil {
		return nil, err
	}
	ms, err := ReadMutants(root, nil)
	if err != nil {
		return nil, err
	}
	skipped, err := ParseMutant(skippedCheckName+mutantEnding, skippedCheck)
	if err != nil {
		return nil, err
	}
	ms = append(ms, skipped)
	b, err := newBench(&Hunt{Root: root, Seed: 1, Levels: []string{"O2"}})
	if err != nil {
		return nil, err
	}
	benchFolder = b.tmp
	t := &testBench{b, map[string]*Mutant{}}
	for _, m := range ms {
		t.mutants[m.Name] = m
	}
	files, number, err := schemata(root, ms)
	if err != nil {
		return nil, err
	}
	t.plantPairs(files, number)
	b.number, b.shared = number, executable{binary: filepath.Join(b.tmp, "shared")}
	return t, b.build(context.Background(), b.shared.binary, files)
})

// benchForTest returns the bench. Tests that do a part of their work only do not get it.
func benchForTest(t *testing.T) *testBench {
	t.Helper()
	if birtest.Quick() {
		t.Skip("builds the command")
	}
	b, err := openTestBench()
	if err != nil {
		t.Fatalf("one build with all mutants %v", err)
	}
	return b
}

// named returns the mutants of these names.
func (b *testBench) named(t *testing.T, names ...string) []*Mutant {
	t.Helper()
	var ms []*Mutant
	for _, name := range names {
		if b.mutants[name] == nil {
			t.Fatalf("no mutant %s", name)
		}
		ms = append(ms, b.mutants[name])
	}
	return ms
}

// pairNumber is by what the first two of together are planted, and so on.
const pairNumber = 1000

// plantPairs makes the mutants of together be planted by the number of their pair too.
func (b *testBench) plantPairs(files map[string]string, number map[*Mutant]int) {
	for i, pair := range together {
		for _, name := range pair {
			m := b.mutants[name]
			alone := fmt.Sprintf("plantedMutant == %d {", number[m])
			files[m.Source] = strings.ReplaceAll(files[m.Source], alone, fmt.Sprintf("plantedMutant == %d || ", pairNumber+i)+alone)
		}
	}
}

// removeTestBench removes what was built for tests.
func removeTestBench() {
	if benchFolder != "" {
		os.RemoveAll(benchFolder)
	}
}

// TestMutantsBuild: none of the mutants keeps the shared build from building, and most share it.
func TestMutantsBuild(t *testing.T) {
	b := benchForTest(t)
	if shared := len(b.number); shared < len(b.mutants)*9/10 {
		t.Errorf("%d of %d mutants share a build, want most", shared, len(b.mutants))
	}
	for _, pair := range together {
		for _, m := range b.named(t, pair[:]...) {
			if b.number[m] == 0 {
				t.Errorf("%s does not share the build, and cannot be planted with %s", m.Name, slices.DeleteFunc(pair[:], func(n string) bool { return n == m.Name }))
			}
		}
	}
}
