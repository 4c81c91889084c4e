package fuzz

import (
	"context"
	"testing"
)

// BenchmarkValidation is the cost of one program that is drawn, verified twice and run once, on one core.
func BenchmarkValidation(b *testing.B) {
	v := Validation{Seed: 1, Workers: 1, Count: b.N}.Run(context.Background())
	if !v.OK() {
		b.Error(v.Complaints[0])
	}
	b.ReportMetric(float64(v.Programs)/v.Seconds, "programs/s")
}
