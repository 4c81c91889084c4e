package fuzz

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// operatorPackage is what the operators of mutation testing are applied to, from the module root.
const operatorPackage = "passes"

// operatorSite is one change that an operator makes at one place of a source.
type operatorSite struct {
	file     string // from the module root, with slashes
	at       token.Position
	operator string // as the literature names it: relational, boolean, arithmetic, off-by-one or deletion
	old, new string // what stands there and what comes in its place
	from, to int    // offsets of old
}

// String is the name of the mutant.
func (s *operatorSite) String() string {
	return fmt.Sprintf("%s:%d:%d", s.file, s.at.Line, s.at.Column)
}

// compare orders sites by their places.
func (s *operatorSite) compare(t *operatorSite) int {
	return cmp.Or(cmp.Compare(s.file, t.file), cmp.Compare(s.from, t.from))
}

// change says in a few words what the mutant does.
func (s *operatorSite) change() string {
	if s.operator == deletion {
		return "without " + firstWords(s.old)
	}
	return firstWords(s.old) + " → " + firstWords(s.new)
}

// firstWords returns the first line of a piece of code, cut where it gets long.
func firstWords(code string) string {
	const most = 40
	line, rest, _ := strings.Cut(code, "\n")
	if runes := []rune(line); len(runes) > most {
		line, rest = string(runes[:most]), "…"
	}
	if rest != "" {
		line += "…"
	}
	return line
}

// mutant returns the site as a mutant, whose edit is of whole lines.
func (s *operatorSite) mutant(source string) *Mutant {
	from := strings.LastIndexByte(source[:s.from], '\n') + 1
	to := len(source)
	if n := strings.IndexByte(source[s.to:], '\n'); n >= 0 {
		to = s.to + n
	}
	edit := MutantEdit{
		Place: s.at.Line,
		Old:   strings.Split(source[from:to], "\n"),
		New:   strings.Split(source[from:s.from]+s.new+source[s.to:to], "\n"),
	}
	return &Mutant{Name: s.String(), Path: s.file, Doc: s.change(), Source: s.file, Edits: []MutantEdit{edit}}
}

// operatorSites returns every change that the operators make in the package, by file and place. Each leaves Go code that has its types.
func operatorSites(root string) ([]operatorSite, map[string]string, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: root}, "./"+operatorPackage)
	switch {
	case err != nil:
		return nil, nil, err
	case len(loaded) != 1 || len(loaded[0].Errors) > 0:
		return nil, nil, fmt.Errorf("%s does not build: %v", filepath.Join(root, operatorPackage), loaded[0].Errors)
	}
	p, sources := loaded[0], map[string]string{}
	var sites []operatorSite
	for i, file := range p.Syntax {
		name := operatorPackage + "/" + filepath.Base(p.CompiledGoFiles[i])
		text, err := readSmall(p.CompiledGoFiles[i])
		if err != nil {
			return nil, nil, err
		}
		sources[name] = text
		o := operators{set: p.Fset, info: p.TypesInfo, file: name, text: text}
		sites = append(sites, o.in(file)...)
	}
	slices.SortStableFunc(sites, func(a, b operatorSite) int { return a.compare(&b) })
	return sites, sources, nil
}

// operators collects the sites of one file as ast.Walk goes through it.
type operators struct {
	set   *token.FileSet
	info  *types.Info
	file  string
	text  string
	sites []operatorSite
}

const deletion = "deletion"

// in returns the sites of a file, by place.
func (o *operators) in(file *ast.File) []operatorSite {
	ast.Walk(o, file)
	slices.SortStableFunc(o.sites, func(a, b operatorSite) int { return a.compare(&b) })
	return o.sites
}

// Visit makes operators an ast.Visitor. Declarations of constants and types are left alone, and so is what only words a message.
func (o *operators) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.GenDecl:
		if n.Tok != token.VAR {
			return nil
		}
	case *ast.CallExpr:
		if slices.Contains(wording, calledName(n)) {
			return nil
		}
	case *ast.BlockStmt:
		o.deletions(n.List)
	case *ast.CaseClause:
		o.deletions(n.Body)
	case *ast.IfStmt:
		o.add(n.Cond, "boolean", "!("+o.code(n.Cond)+")")
	case *ast.BinaryExpr:
		o.binary(n)
	case *ast.AssignStmt:
		if to, ok := assignSwap(n.Tok); ok && o.numeric(n.Lhs[0]) {
			o.token(n.TokPos, n.Tok, "arithmetic", to)
		}
	}
	return o
}

// wording names the functions whose arguments end up in messages and counts alone.
var wording = []string{"Logf", "Refuse", "Errorf", "panic"}

func calledName(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// binary swaps the operator of an expression, and shifts a number that it is made with by one.
func (o *operators) binary(n *ast.BinaryExpr) {
	if o.info.Types[n].Value != nil {
		return // a constant: its type may be too small for another
	}
	to, operator := binarySwap(n.Op)
	text := operator == "arithmetic" && !o.numeric(n)         // strings are added too
	zero := to == token.QUO && o.info.Types[n.Y].Value != nil // a constant divisor may be 0
	if operator != "" && !text && !zero {
		o.token(n.OpPos, n.Op, operator, to)
	}
	for _, x := range []ast.Expr{n.X, n.Y} {
		if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.INT && n.Op != token.SHL && n.Op != token.SHR {
			if v, err := strconv.ParseInt(lit.Value, 0, 64); err == nil {
				o.add(lit, "off-by-one", fmt.Sprint(v+1))
			}
		}
	}
}

// binarySwap returns what comes in an operator's place, and the name of the mutation operator; "" if nothing does.
func binarySwap(t token.Token) (token.Token, string) {
	switch t {
	case token.LSS:
		return token.LEQ, "relational"
	case token.LEQ:
		return token.LSS, "relational"
	case token.GTR:
		return token.GEQ, "relational"
	case token.GEQ:
		return token.GTR, "relational"
	case token.EQL:
		return token.NEQ, "relational"
	case token.NEQ:
		return token.EQL, "relational"
	case token.LAND:
		return token.LOR, "boolean"
	case token.LOR:
		return token.LAND, "boolean"
	case token.ADD:
		return token.SUB, "arithmetic"
	case token.SUB:
		return token.ADD, "arithmetic"
	case token.MUL:
		return token.QUO, "arithmetic"
	case token.QUO, token.REM:
		return token.MUL, "arithmetic"
	case token.AND:
		return token.OR, "arithmetic"
	case token.OR, token.AND_NOT:
		return token.AND, "arithmetic"
	}
	return t, ""
}

// assignSwap is binarySwap for assignments.
func assignSwap(t token.Token) (token.Token, bool) {
	switch t {
	case token.ADD_ASSIGN:
		return token.SUB_ASSIGN, true
	case token.SUB_ASSIGN:
		return token.ADD_ASSIGN, true
	case token.OR_ASSIGN:
		return token.AND_ASSIGN, true
	case token.AND_ASSIGN, token.AND_NOT_ASSIGN:
		return token.OR_ASSIGN, true
	}
	return t, false
}

// deletions takes the statements of a list away one by one. They stay behind a condition that never holds, so that what they use is still used.
func (o *operators) deletions(list []ast.Stmt) {
	for _, s := range list {
		if deletable(s) {
			o.add(s, deletion, "if false {\n"+o.code(s)+"\n}")
		}
	}
}

// deletable statements may be left out without any other having to change.
func deletable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return !ok || !slices.Contains(wording, calledName(call))
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE
	case *ast.IncDecStmt, *ast.RangeStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE
	case *ast.IfStmt:
		return s.Else == nil
	case *ast.ForStmt:
		return s.Cond != nil
	}
	return false
}

// numeric tells whether an expression is a number.
func (o *operators) numeric(e ast.Expr) bool {
	t := o.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func (o *operators) code(n ast.Node) string {
	return o.text[o.set.Position(n.Pos()).Offset:o.set.Position(n.End()).Offset]
}

func (o *operators) token(at token.Pos, old token.Token, operator string, to token.Token) {
	p := o.set.Position(at)
	o.sites = append(o.sites, operatorSite{o.file, p, operator, old.String(), to.String(), p.Offset, p.Offset + len(old.String())})
}

func (o *operators) add(n ast.Node, operator, text string) {
	p := o.set.Position(n.Pos())
	o.sites = append(o.sites, operatorSite{o.file, p, operator, o.code(n), text, p.Offset, o.set.Position(n.End()).Offset})
}
