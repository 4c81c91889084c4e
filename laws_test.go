// Package birfuzz holds no code: these are the tests of the architecture's laws, so that nobody has to remember them.
package birfuzz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"birfuzz/ir"
)

// source is one Go file of the module.
type source struct {
	path string // slash-separated, from the module root
	file *ast.File
	test bool
}

var fset = token.NewFileSet()

// sources parses every Go file of the module, testdata left out.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(p, ".go"):
			return nil
		}
		f, err := parser.ParseFile(fset, p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		out = append(out, source{filepath.ToSlash(p), f, strings.HasSuffix(p, "_test.go")})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("only %d Go files found: the walk is broken", len(out))
	}
	return out
}

// mayImport lists, for each folder, the folders of this module that its non-test files may import, itself apart.
var mayImport = map[string][]string{
	"ir/num":      {},
	"ir":          {"ir/num"},
	"ir/birjson":  {"ir", "ir/num"},
	"ir/bircmp":   {"ir"},
	"ir/bircheck": {}, // the second validator: what it shared with the first, both would get wrong
	"ir/birtest":  {"ir", "ir/num", "ir/birjson"},
	"gen":         {"ir", "ir/num"},
	"passes":      {"ir", "ir/num", "ir/birjson"},
	"oracle":      {"ir", "ir/num"},
	"fuzz":        {"ir", "ir/num", "ir/birjson", "ir/bircheck", "gen", "passes", "oracle"},
	"reports":     {"ir", "ir/num", "ir/birjson", "gen", "passes", "oracle", "fuzz"},
	"cmd/birfuzz": {"ir", "ir/num", "ir/birjson", "ir/birtest", "gen", "passes", "oracle", "fuzz", "reports"},
}

// TestImportLaw: the judge does not know the defendant, and the generator knows neither.
func TestImportLaw(t *testing.T) {
	for _, s := range sources(t) {
		dir := path.Dir(s.path)
		if s.test || dir == "." {
			continue
		}
		allowed, known := mayImport[parentOf(dir)]
		if !known {
			t.Errorf("%s: folder %s is not in the import law", s.path, dir)
			continue
		}
		for _, im := range s.file.Imports {
			name, _ := strconv.Unquote(im.Path.Value)
			sub, ours := strings.CutPrefix(name, "birfuzz/")
			if !ours || parentOf(sub) == parentOf(dir) {
				continue
			}
			if !contains(allowed, sub) {
				t.Errorf("%s imports %s: %s may import only %v", s.path, sub, dir, allowed)
			}
		}
	}
}

// parentOf maps a folder to the one whose rule holds for it: fuzz/targets/x is under the rule of fuzz.
func parentOf(dir string) string {
	if strings.HasPrefix(dir, "fuzz/") {
		return "fuzz"
	}
	return dir
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

const (
	maxFuncLines = 70
	maxFileLines = 500
)

// TestSizeLaw: short functions, one idea a file.
func TestSizeLaw(t *testing.T) {
	for _, s := range sources(t) {
		if n := fset.Position(s.file.End()).Line; n > maxFileLines {
			t.Errorf("%s has %d lines, at most %d allowed", s.path, n, maxFileLines)
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1; n > maxFuncLines {
				t.Errorf("%s: %s has %d lines, at most %d allowed", fset.Position(f.Pos()), f.Name.Name, n, maxFuncLines)
			}
		}
	}
}

// TestNoInit: no code runs before main that nobody called.
func TestNoInit(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: init function", fset.Position(f.Pos()))
			}
		}
	}
}

// TestNoOpcodeNames: whoever is not ir asks the table; a list of names goes stale. Names of rows may stand in tests.
func TestNoOpcodeNames(t *testing.T) {
	ops := map[string]bool{}
	for row := range ir.Ops {
		ops[row.Name], ops[row.JSON] = true, true
	}
	for _, s := range sources(t) {
		if s.test || strings.HasPrefix(s.path, "ir/") || strings.HasPrefix(s.path, "passes/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if v, _ := strconv.Unquote(lit.Value); ops[v] {
					t.Errorf("%s: opcode name %s", fset.Position(lit.Pos()), lit.Value)
				}
			}
			return true
		})
	}
}

// TestDocs: every exported thing says what it is.
func TestDocs(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, d := range s.file.Decls {
			for _, id := range undocumented(d) {
				t.Errorf("%s: %s has no doc comment", fset.Position(id.Pos()), id.Name)
			}
		}
	}
}

// undocumented returns the exported names of a declaration that no comment covers; the comment of a group covers its members.
func undocumented(d ast.Decl) []*ast.Ident {
	var out []*ast.Ident
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && receiverExported(d) {
			out = append(out, d.Name)
		}
	case *ast.GenDecl:
		for _, sp := range d.Specs {
			switch sp := sp.(type) {
			case *ast.TypeSpec:
				if sp.Name.IsExported() && d.Doc == nil && sp.Doc == nil {
					out = append(out, sp.Name)
				}
			case *ast.ValueSpec:
				for _, n := range sp.Names {
					if n.IsExported() && d.Doc == nil && sp.Doc == nil && sp.Comment == nil {
						out = append(out, n)
					}
				}
			}
		}
	}
	return out
}

// receiverExported tells whether a function is no method or a method of an exported type.
func receiverExported(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if g, ok := t.(*ast.IndexExpr); ok {
		t = g.X
	}
	id, ok := t.(*ast.Ident)
	return ok && id.IsExported()
}

// TestTopLevel: the house has these rooms and no others.
func TestTopLevel(t *testing.T) {
	rooms := map[string]bool{"gen": true, "ir": true, "passes": true, "oracle": true, "fuzz": true, "reports": true, "cmd": true,
		"findings": true, "out": true}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !rooms[e.Name()] {
			t.Errorf("top-level folder %s: code lives in gen, ir, passes, oracle, fuzz, reports, cmd", e.Name())
		}
	}
}
