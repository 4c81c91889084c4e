package fuzz

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"birfuzz/ir"
)

// Corpus is a folder of programs that are worth keeping: each showed something that none before it did. The files are .bir, named by a hash of
// what they say, so that folders can be copied together; nothing else is kept in the folder. What the programs show is found out anew by running
// them, for the passes may have changed since.
type Corpus struct {
	Bad []error // what is wrong with files that were left out, one each; they stay where they are

	dir     string
	entries []*Entry
	names   map[string]bool // of the files, those that were left out among them
	covered Covered         // what all that was run showed
}

// Entry is a program of a corpus.
type Entry struct {
	Name     string // of its file in the folder
	Program  *ir.Program
	Insts    int
	Features []Feature // what it showed (Coverage), of all levels it was run at; nil before it was run
}

// corpusExt is how the names of a corpus's files end.
const corpusExt = ".bir"

// maxCorpusInsts bounds the instructions of a program that a campaign adds to a corpus: every program made from it is as large.
const maxCorpusInsts = 96

// OpenCorpus reads a folder, which need not exist yet, in the order of names. load reads and checks one file; what it refuses is left out. The
// error says why the folder cannot be read.
func OpenCorpus(dir string, load func(path string) (*ir.Program, error)) (*Corpus, error) {
	c := &Corpus{dir: dir, names: map[string]bool{}, covered: Covered{}}
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range files {
		if f.IsDir() || !strings.HasSuffix(f.Name(), corpusExt) {
			continue
		}
		c.names[f.Name()] = true
		p, err := load(filepath.Join(dir, f.Name()))
		if err != nil {
			c.Bad = append(c.Bad, err)
			continue
		}
		c.entries = append(c.entries, &Entry{Name: f.Name(), Program: p, Insts: p.NumInsts()})
	}
	return c, nil
}

// Entries returns the programs: those that were read in the order of their names, then those that were added.
func (c *Corpus) Entries() []*Entry { return c.entries }

// Add keeps a program, and writes its file, if it shows anything that nothing before it did. The program is copied.
func (c *Corpus) Add(p *ir.Program, features []Feature) error {
	if len(c.covered.newOf(features)) == 0 {
		return nil
	}
	text := p.String()
	sum := sha256.Sum256([]byte(text))
	e := &Entry{Name: hex.EncodeToString(sum[:8]) + corpusExt, Program: p.Clone(), Insts: p.NumInsts(), Features: features}
	if !c.names[e.Name] {
		if err := os.MkdirAll(c.dir, 0o777); err != nil {
			return err
		}
		if err := WriteFile(filepath.Join(c.dir, e.Name), text); err != nil {
			return err
		}
		c.names[e.Name] = true
		c.entries = append(c.entries, e)
	}
	c.covered.Add(features)
	return nil
}

// Remove deletes the files of entries.
func (c *Corpus) Remove(gone []*Entry) error {
	for _, e := range gone {
		if err := os.Remove(filepath.Join(c.dir, e.Name)); err != nil {
			return err
		}
		delete(c.names, e.Name)
	}
	c.entries = slices.DeleteFunc(c.entries, func(e *Entry) bool { return slices.Contains(gone, e) })
	return nil
}

// Case returns an entry as a case of a campaign with a seed.
func (c *Corpus) Case(e *Entry, seed uint64) Case {
	file := filepath.Join(c.dir, e.Name)
	return Case{Name: file, File: file, Program: e.Program, Inputs: Inputs(seed, e.Program)}
}

// Measure runs every entry through the passes of a campaign, once, and takes down what each shows. The report is that of the campaign, which has
// no other cases. Features of several levels add up.
func (c *Corpus) Measure(ctx context.Context, m *Campaign) (*Report, error) {
	m.Count = len(c.entries)
	m.Source = func(i int) Case { return c.Case(c.entries[i], m.Seed) }
	m.Merged = func(o Merged) error {
		e := c.entries[o.Index]
		e.Features = joined(e.Features, Coverage(&o.Case, &o.Result))
		c.covered.Add(e.Features)
		return nil
	}
	if m.Count == 0 {
		return NewReport(m.Level, m.Passes, m.Freedom), nil
	}
	return m.Run(ctx)
}

// joined returns the features of two sorted lists, sorted and without repeats.
func joined(x, y []Feature) []Feature {
	x = append(slices.Clip(x), y...)
	slices.Sort(x)
	return slices.Compact(x)
}

// Merge adds the programs of another corpus that show anything new, small ones first. Both must have been measured.
func (c *Corpus) Merge(from *Corpus) (added int, err error) {
	had := len(c.entries)
	for _, e := range bySize(from.entries) {
		if err := c.Add(e.Program, e.Features); err != nil {
			return len(c.entries) - had, err
		}
	}
	return len(c.entries) - had, nil
}

// bySize returns entries with those of few instructions first.
func bySize(list []*Entry) []*Entry {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y *Entry) int {
		return cmp.Or(cmp.Compare(x.Insts, y.Insts), cmp.Compare(x.Name, y.Name))
	})
	return list
}

// Cover parts the entries, which must have been measured, into a few that show all that all of them show, and the others. It takes the entry
// that shows most that is not shown yet, of equals the one of fewest instructions, again and again.
func (c *Corpus) Cover() (kept, gone []*Entry) {
	list := bySize(c.entries)
	most := make([]int, len(list)) // what each may still show: it was counted once, and since then can only have become less
	for i, e := range list {
		most[i] = len(e.Features)
	}
	shown, is := Covered{}, make([]bool, len(list))
	for len(list) > 0 {
		best := slices.Index(most, slices.Max(most))
		switch n := len(shown.newOf(list[best].Features)); {
		case most[best] == 0:
			for i, e := range list {
				if !is[i] {
					gone = append(gone, e)
				}
			}
			return kept, gone
		case n < most[best]:
			most[best] = n
		default:
			shown.Add(list[best].Features)
			kept, is[best], most[best] = append(kept, list[best]), true, 0
		}
	}
	return nil, nil
}
