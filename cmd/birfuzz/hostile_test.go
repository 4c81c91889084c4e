//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"birfuzz/ir/birtest"
)

// What a hostile file may cost: resident memory in KiB, and time.
const (
	maxResident = 1 << 20
	maxTime     = 60 * time.Second
)

// hostile are files that ask for more than there is. They are written when the test runs: some are large.
var hostile = []struct {
	name   string
	large  bool // takes time, to write or to read: not in -short
	status int
	want   string // in what the command prints
	write  func(*bufio.Writer)
}{
	{"brackets.bir.json", true, exitUsage, "nested more than 512 deep", func(w *bufio.Writer) { repeat(w, "[", 10<<20) }},
	{"loops.bir.json", true, exitUsage, "nested more than 512 deep", func(w *bufio.Writer) {
		fmt.Fprint(w, `{"functions":[{"name":"f","blocks":[{"name":"b","instructions":[`)
		repeat(w, `{"opcode":"Loop","name":"L","LoopAxis":{"name":"i","lb":0,"ub":2,"stride":1},"blocks":[{"name":"b","instructions":[`, million)
		repeat(w, "]}]}", million)
		fmt.Fprint(w, `]}]}]}`)
	}},
	{"loops.bir", true, exitUsage, "want at most 64 loops", func(w *bufio.Writer) {
		fmt.Fprintln(w, "func f {")
		for i := range million {
			fmt.Fprintf(w, "L%d: for i%d = 0..2 {\n", i, i)
		}
		repeat(w, "}\n", million+1)
	}},
	{"shape.bir.json", false, exitUsage, "got 1152921504606846976, want an integer", func(w *bufio.Writer) { allocation(w, 1<<60, 4, 32) }},
	{"dims.bir.json", false, exitUsage, "more than 1099511627776 bytes", func(w *bufio.Writer) { allocation(w, 4, 1<<31-1, 1<<31-1) }},
	{"shape.bir", false, exitUsage, "shape.bir:2:9: ", func(w *bufio.Writer) {
		fmt.Fprintf(w, "func f {\n  input x: f32[%d,8]\n}\n", 1<<60)
	}},
	{"product.bir", false, exitUsage, "product.bir:2:", func(w *bufio.Writer) {
		fmt.Fprintf(w, "func f {\n  input x: f32[%d,%d,%d]\n}\n", 1<<31, 1<<31, 1<<31)
	}},
	{"trips.bir", true, exitClean, "limit of steps", func(w *bufio.Writer) {
		fmt.Fprintln(w, "func f {\n  sb t: f32[4,8]\n  output y: f32[4,8]")
		for i := range 7 {
			fmt.Fprintf(w, "L%d: for i%d = 0..1000000000 {\n", i, i)
		}
		fmt.Fprintln(w, "  I-0: t = Memset @DVE")
		repeat(w, "}\n", 7)
		fmt.Fprintln(w, "  I-1: y = Save t @SP\n}")
	}},
	{"dram.bir", false, exitUsage, "exceed the limit of", func(w *bufio.Writer) { copies(w, 20, 1<<20, 1<<18, "[0:4, 0:8]") }},
	{"inputs.bir", true, exitClean, "1 same", func(w *bufio.Writer) { copies(w, 15, 1<<10, 1<<11, "") }}, // nearly as large as is judged
	{"wide.bir", false, exitUsage, "more than fit into the limit", func(w *bufio.Writer) { copies(w, 1, 4000, 1<<12, "") }},
	{"many.bir", false, exitUsage, "the limit of", func(w *bufio.Writer) { copies(w, 2000, 1<<10, 1<<8, "") }},
	{"names.bir", true, exitUsage, "names.bir:", func(w *bufio.Writer) {
		fmt.Fprint(w, "func f {\n  sb ")
		repeat(w, "a", 50<<20)
		fmt.Fprint(w, ": f32[4,")
	}},
}

const million = 1_000_000

func repeat(w *bufio.Writer, s string, n int) {
	for range n {
		w.WriteString(s) //nolint:errcheck // Flush says it
	}
}

func allocation(w *bufio.Writer, shape, rows, rowBytes int64) {
	fmt.Fprintf(w, `{"functions":[{"name":"f","allocations":[{"Skind":"memory_location_set","name":"s","dtype":"float32","kind":"ExternalInput",`+
		`"tensor_shape":[%d,8],"memorylocations":[{"Skind":"memory_location","name":"x","type":"Input","dims":[%d,%d]}]}]}]}`, shape, rows, rowBytes)
}

// copies is a legal program: n inputs of rows×columns floats, a part of each copied to an output.
func copies(w *bufio.Writer, n, rows, columns int, part string) {
	fmt.Fprintln(w, "func f {")
	for i := range n {
		fmt.Fprintf(w, "  input x%d: f32[%d,%d]\n  output y%d: f32[%d,%d]\n", i, rows, columns, i, rows, columns)
	}
	for i := range n {
		fmt.Fprintf(w, "  I-%d: y%d%s = DMACopy x%d%s @SP\n", i, i, part, i, part)
	}
	fmt.Fprintln(w, "}")
}

// TestHostile: a file costs a bounded amount of time and memory, and a clear line says what is wrong with it.
func TestHostile(t *testing.T) {
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			if h.large && birtest.Quick() {
				t.Skip("takes seconds, and under the race detector minutes and far more memory")
			}
			path := filepath.Join(t.TempDir(), h.name)
			writeFile(t, path, h.write)
			ctx, stop := context.WithTimeout(t.Context(), maxTime)
			defer stop()
			cmd := exec.CommandContext(ctx, "birfuzz", "check", path)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			var ended *exec.ExitError
			if err != nil && !errors.As(err, &ended) {
				t.Fatal(err)
			}
			text := out.String()
			if len(text) > 4<<10 {
				text = text[:4<<10]
			}
			if got := cmd.ProcessState.ExitCode(); got != h.status || !strings.Contains(text, h.want) || strings.Contains(text, "goroutine ") {
				t.Errorf("status %d, want %d and …%s…\n%s", got, h.status, h.want, text)
			}
			resident := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
			t.Logf("%d MiB, %v", resident>>10, cmd.ProcessState.UserTime())
			if resident > maxResident {
				t.Errorf("%d MiB of memory, want at most %d", resident>>10, maxResident>>10)
			}
		})
	}
}

func writeFile(t *testing.T, path string, write func(*bufio.Writer)) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	write(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
}
