package fuzz

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// wrongPassFor returns the test binary as an external pass with the bug.
func wrongPassFor(t *testing.T, bug string, timeout time.Duration) passes.Pass {
	t.Helper()
	t.Setenv(wrongPass, bug)
	p, err := passes.External("wrong", "'"+os.Args[0]+"'", passes.ExternalOptions{Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wrongServer is wrongPassFor as one process for many programs.
func wrongServer(t *testing.T, bug string) passes.Pass {
	t.Helper()
	t.Setenv(wrongPass, bug)
	p, err := passes.Server("wrong", "'"+os.Args[0]+"' "+serve, passes.ExternalOptions{Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Command.Close)
	return p
}

// TestWrongPasses: each bug is found within 2,000 programs, with the right pass and a right class, and what was written fails again.
func TestWrongPasses(t *testing.T) {
	cases := []struct {
		bug     string
		classes []string
	}{
		{"drop-semaphore", []string{"fences"}},
		{"swap", []string{"undefined", "value", "provenance", "accumulation"}},
		{"cross-barrier", []string{"fences"}},
		{"constant", []string{"value", "provenance"}},
		{"accumulate", []string{"accumulation"}},
		{"past-end", []string{"illegal"}},
		{"hang", []string{"hang"}},
		{"flood", []string{"garbage"}},
	}
	for _, c := range cases {
		t.Run(c.bug, func(t *testing.T) {
			if birtest.Quick() {
				t.Skip("starts hundreds of processes")
			}
			timeout := 10 * time.Second
			if c.bug == "hang" {
				timeout = 400 * time.Millisecond
			}
			wrong := wrongPassFor(t, c.bug, timeout)
			f := firstFinding(t, wrong, 2000)
			if f.Pass != "wrong" {
				t.Errorf("pass %s blamed, want wrong", f.Pass)
			}
			if !slices.Contains(c.classes, f.Class) {
				t.Errorf("class %s, want one of %v\n%s", f.Class, c.classes, f.Detail)
			}
			replay(t, f, wrong)
		})
	}
}

// firstFinding runs a campaign over a real pipeline with the pass at its end until something is found.
func firstFinding(t *testing.T, wrong passes.Pass, programs int) *Finding {
	t.Helper()
	ps, err := passes.Pipeline("O2")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	c := &Campaign{Seed: 1, Count: programs, Level: "O2", Passes: append(ps, wrong), Out: t.TempDir(), Found: func(*Finding) { stop() }}
	r, err := c.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) == 0 {
		t.Fatalf("nothing found in %d programs", r.Programs)
	}
	return r.Findings[0]
}

// replay reads the written finding back and sees the pass fail again in the same class.
func replay(t *testing.T, f *Finding, wrong passes.Pass) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(f.Reproducer, "finding.bir"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := ir.Parse("finding.bir", string(src))
	if err != nil {
		t.Fatalf("the finding does not parse: %v\n%s", err, src)
	}
	file, err := os.Open(filepath.Join(f.Reproducer, "finding.io.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	io, err := birjson.ReadIO(file, "finding.io.json")
	if err != nil {
		t.Fatal(err)
	}
	again := NewTester([]passes.Pass{wrong}, oracle.Options{}).Test(Case{Program: p, Inputs: []Input{{Values: io.Inputs}}})
	if !again.Failed || again.Verdict.Class != f.Class {
		t.Errorf("replay: failed %v, class %q, want class %q\n%s", again.Failed, again.Verdict.Class, f.Class, src)
	}
}
