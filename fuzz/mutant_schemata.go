package fuzz

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// plantedVariable is the environment variable that says, by its number, which mutant a shared build plants.
const plantedVariable = "BIRFUZZ_MUTANT"

// schemata returns files with which one build holds many mutants (mutation testing calls that mutant schemata): each function that a mutant
// changes gets, before its own body, that of the mutant, for when the environment names its number. Mutants that change anything but the
// bodies of functions are left out. number are those of the mutants, from 1.
func schemata(root string, ms []*Mutant) (files map[string]string, number map[*Mutant]int, err error) {
	inserts, sources := map[string][]insert{}, map[string]string{}
	number = map[*Mutant]int{}
	for _, m := range ms {
		source, ok := sources[m.Source]
		if !ok {
			if source, err = readSmall(filepath.Join(root, filepath.FromSlash(m.Source))); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", m.Path, err)
			}
			sources[m.Source] = source
		}
		edited, err := m.Apply(source)
		if err != nil {
			return nil, nil, err
		}
		more, ok := bodies(source, edited, len(number)+1)
		if !ok {
			continue
		}
		number[m] = len(number) + 1
		inserts[m.Source] = append(inserts[m.Source], more...)
	}
	files = map[string]string{}
	for name, in := range inserts {
		source := sources[name]
		files[name] = inserted(source, in)
		files[path.Join(path.Dir(name), "planted_mutant.go")] = "package " + packageOf(source) + selector
	}
	return files, number, nil
}

// selector is, behind its package clause, the file of a package that knows which mutant is planted.
const selector = `

import (
	"os"
	"strconv"
)

var plantedMutant, _ = strconv.Atoi(os.Getenv("` + plantedVariable + `"))
`

// insert is text that goes into a source at an offset.
type insert struct {
	at   int
	text string
}

// inserted returns the source with texts put in.
func inserted(source string, in []insert) string {
	slices.SortStableFunc(in, func(a, b insert) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	next := 0
	for _, i := range in {
		b.WriteString(source[next:i.at])
		b.WriteString(i.text)
		next = i.at
	}
	b.WriteString(source[next:])
	return b.String()
}

// bodies returns what to insert in the source for the functions whose bodies differ in the edited one; ok is false if anything else differs.
// A body becomes that of a function literal, so that its labels and its results stay its own.
func bodies(source, edited string, number int) (in []insert, ok bool) {
	was, is := declarations(source), declarations(edited)
	if len(was) != len(is) {
		return nil, false
	}
	for i := range was {
		if was[i].text == is[i].text {
			continue
		}
		if was[i].head == "" || was[i].head != is[i].head {
			return nil, false
		}
		call := fmt.Sprintf("func()%s {%s\n}()", is[i].results, is[i].body)
		if is[i].results == "" {
			call += "\nreturn"
		} else {
			call = "return " + call
		}
		in = append(in, insert{was[i].at, fmt.Sprintf("\nif plantedMutant == %d {\n%s\n}\n", number, call)})
	}
	return in, len(in) > 0
}

// declaration is one declaration of a source as text. That of a function with a body has the other fields.
type declaration struct {
	text, head    string // all of it; up to the body
	results, body string // what follows the parameters, and what is between the braces
	at            int    // offset of the body's first byte
}

// declarations returns those of a source in order, none if it is no Go.
func declarations(source string) []declaration {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	var out []declaration
	for _, d := range file.Decls {
		from := offset(d.Pos())
		one := declaration{text: source[from:offset(d.End())]}
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			brace := offset(f.Body.Lbrace)
			one.head, one.at, one.body = source[from:brace], brace+1, source[brace+1:offset(f.Body.Rbrace)]
			if r := f.Type.Results; r != nil {
				one.results = " " + source[offset(r.Pos()):offset(r.End())]
			}
		}
		out = append(out, one)
	}
	return out
}

// packageOf returns the name in the package clause.
func packageOf(source string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return file.Name.Name
}
