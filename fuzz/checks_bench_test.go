package fuzz

import (
	"testing"
	"time"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// BenchmarkChecks prints what each check costs on the programs of the bench through the O2 passes, in µs a program: the time with all checks less
// the time without that one, each the shortest of a few, as what else the machine does is more than a check takes. A check that looks at runs
// costs little: the runs are made for all.
func BenchmarkChecks(b *testing.B) {
	ps, err := passes.Pipeline("O2")
	if err != nil {
		b.Fatal(err)
	}
	names := []string{"all"}
	testers := []*Tester{NewTester(ps, oracle.Options{})}
	for _, c := range oracle.Checks() {
		one, _ := oracle.CheckNamed(c.Name)
		names = append(names, c.Name)
		testers = append(testers, NewTester(ps, oracle.Options{Checks: oracle.AllChecks &^ one}))
	}
	cases := benchCases(200)
	spent := make([]time.Duration, len(testers))
	for i := 0; b.Loop(); i++ {
		for k := range testers {
			k = (k + i) % len(testers) // none is always the first to meet a program
			best := time.Hour
			for range 5 {
				start := time.Now()
				if r := testers[k].Test(cases[i%len(cases)]); r.Failed {
					b.Fatalf("program %d without %s: %+v", i, names[k], r.Verdict)
				}
				best = min(best, time.Since(start))
			}
			spent[k] += best
		}
	}
	n := float64(b.N)
	for k := range testers[1:] {
		b.ReportMetric((spent[0]-spent[k+1]).Seconds()*1e6/n, names[k+1]+"-µs")
	}
	b.ReportMetric(n/spent[0].Seconds(), "programs/s")
	b.ReportMetric(0, "ns/op")
}
