package birjson_test

import (
	"bytes"
	"io"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

// programs returns the text of the programs group: ordinary modules of 5 KB to 1 MB.
func programs(b *testing.B) (texts [][]byte, size int64) {
	b.Helper()
	for c, err := range birtest.Conformance("programs") {
		if err != nil {
			b.Fatal(err)
		}
		texts = append(texts, c.BIR)
		size += int64(len(c.BIR))
	}
	return texts, size
}

func BenchmarkRead(b *testing.B) {
	texts, size := programs(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range texts {
			read(b, "bench", t)
		}
	}
}

// BenchmarkReadCompact counts bytes of the compact form, as an external pass sends it.
func BenchmarkReadCompact(b *testing.B) {
	texts, _ := programs(b)
	size, insts := int64(0), 0
	for i, t := range texts {
		p := read(b, "bench", t)
		insts += p.NumInsts()
		short, err := birjson.Compact(p)
		if err != nil {
			b.Fatal(err)
		}
		texts[i] = short
		size += int64(len(short))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range texts {
			read(b, "bench", t)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(insts), "ns/inst")
}

func BenchmarkWrite(b *testing.B) {
	benchWrite(b, func(p *ir.Program) error { return birjson.Write(io.Discard, p) })
}
func BenchmarkCompact(b *testing.B) {
	benchWrite(b, func(p *ir.Program) error { _, err := birjson.Compact(p); return err })
}

func benchWrite(b *testing.B, f func(*ir.Program) error) {
	texts, _ := programs(b)
	var all []*ir.Program
	size, insts := int64(0), 0
	for _, t := range texts {
		p := read(b, "bench", t)
		all = append(all, p)
		insts += p.NumInsts()
		size += int64(len(write(b, p)))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range all {
			if err := f(p); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(insts), "ns/inst")
}

func BenchmarkReadIO(b *testing.B) {
	var texts [][]byte
	size := int64(0)
	for c, err := range birtest.Conformance("programs") {
		if err != nil {
			b.Fatal(err)
		}
		texts = append(texts, c.IO)
		size += int64(len(c.IO))
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, t := range texts {
			if _, err := birjson.ReadIO(bytes.NewReader(t), "bench"); err != nil {
				b.Fatal(err)
			}
		}
	}
}
