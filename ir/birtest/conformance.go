// Package birtest is what tests of other packages run on: the conformance cases of bir.json.
package birtest

import (
	"archive/zip"
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"
)

// The archives are made by "go test ./ir/birtest -run TestArchives -update DIR"; their origin and licence stand beside them.
//
//go:embed testdata/conformance/*.zip
var archives embed.FS

const folder = "testdata/conformance"

// The suffixes of a case's two files.
const (
	programSuffix = ".bir.json"
	dataSuffix    = ".io.json"
)

// Case is one conformance case: a program, and the inputs and expected outputs that go with it.
type Case struct {
	Group string // the archive: "instructions" or "programs"
	Name  string // unique in its group: "Activation-1"
	BIR   []byte // bir.json
	IO    []byte // io.json
}

// File returns the name to give a reader of BIR, for its errors.
func (c *Case) File() string { return path.Join(c.Group, c.Name+programSuffix) }

// Groups returns the names of the archives, sorted.
func Groups() []string {
	found, err := fs.Glob(archives, folder+"/*.zip")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for i, f := range found {
		found[i] = strings.TrimSuffix(path.Base(f), ".zip")
	}
	return found
}

// Conformance yields the cases of the given groups, all of them where none is given, group by group and sorted by name. A case is
// decompressed when it is its turn: stopping early is cheap. The archives are part of the binary; should one be damaged, the last pair
// holds the error.
func Conformance(groups ...string) iter.Seq2[Case, error] {
	if len(groups) == 0 {
		groups = Groups()
	}
	return func(yield func(Case, error) bool) {
		for _, g := range groups {
			if !group(g, yield) {
				return
			}
		}
	}
}

// group yields the cases of one archive; false: stop.
func group(name string, yield func(Case, error) bool) bool {
	data, err := archives.ReadFile(path.Join(folder, name+".zip"))
	if err != nil {
		yield(Case{}, fmt.Errorf("no conformance group %q, want one of %s", name, strings.Join(Groups(), ", ")))
		return false
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		yield(Case{}, fmt.Errorf("conformance group %q: %w", name, err))
		return false
	}
	for _, f := range z.File {
		base, ok := strings.CutSuffix(f.Name, programSuffix)
		if !ok {
			continue
		}
		c := Case{Group: name, Name: base}
		if c.BIR, err = member(z, f.Name); err == nil {
			c.IO, err = member(z, base+dataSuffix)
		}
		if err != nil {
			yield(Case{}, fmt.Errorf("conformance group %q: %w", name, err))
			return false
		}
		if !yield(c, nil) {
			return false
		}
	}
	return true
}

// member returns one file of an archive.
func member(z *zip.Reader, name string) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}
