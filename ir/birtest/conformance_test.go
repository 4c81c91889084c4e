package birtest

import (
	"archive/zip"
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.String("update", "", "folder that holds the unpacked groups instructions/ and programs/: pack it into testdata/conformance")

// TestArchives packs the groups anew when it is told to. It always checks that an archive is a function of its files alone: sorted names,
// fixed times. (Its bytes depend on the release of the compressor too, so they are not compared.)
func TestArchives(t *testing.T) {
	for _, g := range Groups() {
		archive := filepath.Join(filepath.FromSlash(folder), g+".zip")
		readme := filepath.Join(filepath.FromSlash(folder), g+".md")
		if *update != "" {
			if err := packFolder(archive, readme, filepath.Join(*update, g)); err != nil {
				t.Fatal(err)
			}
		}
		z, err := zip.OpenReader(archive)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for i, f := range z.File {
			if i > 0 && f.Name <= z.File[i-1].Name {
				t.Errorf("%s: %s comes after %s", archive, f.Name, z.File[i-1].Name)
			}
			if !f.Modified.Equal(packed) {
				t.Errorf("%s: %s bears the time %v, want %v", archive, f.Name, f.Modified, packed)
			}
		}
		inside, err := member(&z.Reader, "README.md")
		if err != nil {
			t.Fatal(err)
		}
		if beside := mustRead(t, readme); !bytes.Equal(inside, beside) {
			t.Errorf("the README.md in %s is not %s", archive, readme)
		}
	}
}

func TestPackIsDeterministic(t *testing.T) {
	files := map[string][]byte{}
	for i := range 50 {
		files[fmt.Sprint("file", i)] = []byte(fmt.Sprint("text ", i))
	}
	a, errA := pack(files)
	b, errB := pack(maps.Clone(files))
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("two archives of the same files differ (%v, %v)", errA, errB)
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestConformance(t *testing.T) {
	want := map[string]int{"instructions": 433, "programs": 129}
	got := map[string]int{}
	last := ""
	for c, err := range Conformance() {
		if err != nil {
			t.Fatal(err)
		}
		if name := c.File(); name <= last {
			t.Errorf("%s comes after %s", name, last)
		}
		last = c.File()
		if !bytes.Contains(c.BIR, []byte(`"functions"`)) || !bytes.Contains(c.IO, []byte(`"expect"`)) {
			t.Errorf("%s holds no program or no data", last)
		}
		got[c.Group]++
	}
	for g, n := range want {
		if got[g] != n {
			t.Errorf("%d cases in %s, want %d", got[g], g, n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("groups %v, want %v", got, want)
	}
}

func TestConformanceStops(t *testing.T) {
	n := 0
	for range Conformance("programs") {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d cases before the break, want 3", n)
	}
}

func TestUnknownGroup(t *testing.T) {
	for _, err := range Conformance("nonesuch") {
		const want = `no conformance group "nonesuch", want one of instructions, programs`
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// BenchmarkConformance is the price of unpacking every case.
func BenchmarkConformance(b *testing.B) {
	size := 0
	for b.Loop() {
		for c, err := range Conformance() {
			if err != nil {
				b.Fatal(err)
			}
			size += len(c.BIR) + len(c.IO)
		}
	}
	b.SetBytes(int64(size / b.N))
}
