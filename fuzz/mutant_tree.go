package fuzz

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// moduleName is what the go.mod that marks the source tree calls the module, modulePath its first line.
const (
	moduleName = "birfuzz"
	modulePath = "module " + moduleName
)

// mutantFolder holds the .mutant files of a source tree.
const mutantFolder = "fuzz/mutants"

// SourceTree returns the module root at or above dir, in which mutants are planted.
func SourceTree(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := abs; ; at = filepath.Dir(at) {
		text, err := os.ReadFile(filepath.Join(at, "go.mod"))
		if first, _, _ := strings.Cut(string(text), "\n"); err == nil && strings.TrimSpace(first) == modulePath {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("no source tree of birfuzz: want a go.mod with %q in %s or above it", modulePath, abs)
		}
	}
}

// ReadMutants reads the mutants of a source tree whose names match (nil: all), by name, and checks that each fits: its edits, its rules and
// its classes. The first that does not is the error.
func ReadMutants(root string, match *regexp.Regexp) ([]*Mutant, error) {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(mutantFolder), "*"+mutantEnding))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var ms []*Mutant
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), mutantEnding); match != nil && !match.MatchString(name) {
			continue
		}
		m, err := readMutant(root, file)
		if err != nil {
			return nil, err
		}
		ms = append(ms, m)
	}
	switch {
	case len(files) == 0:
		return nil, fmt.Errorf("no mutants: want *%s files in %s", mutantEnding, filepath.Join(root, mutantFolder))
	case len(ms) == 0:
		return nil, fmt.Errorf("no mutant of %d has a name that matches %q", len(files), match)
	}
	return ms, nil
}

// readMutant reads one file and checks it against the tree. Messages name the file from the root on.
func readMutant(root, file string) (*Mutant, error) {
	name, err := filepath.Rel(root, file)
	if err != nil {
		return nil, err
	}
	text, err := readSmall(file)
	if err != nil {
		return nil, err
	}
	m, err := ParseMutant(filepath.ToSlash(name), text)
	if err != nil {
		return nil, err
	}
	if err := m.checkNames(); err != nil {
		return nil, err
	}
	_, err = m.edited(root)
	return m, err
}

// maxMutantFile bounds a .mutant file and a Go source, in bytes.
const maxMutantFile = 1 << 20

func readSmall(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxMutantFile+1))
	if err == nil && len(text) > maxMutantFile {
		err = fmt.Errorf("%s: more than %d bytes", file, maxMutantFile)
	}
	return string(text), err
}

// edited returns the mutant's source as it is built.
func (m *Mutant) edited(root string) (string, error) {
	source, err := readSmall(filepath.Join(root, filepath.FromSlash(m.Source)))
	if err != nil {
		return "", fmt.Errorf("%s: %w", m.Path, err)
	}
	return m.Apply(source)
}
