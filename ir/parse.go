package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits of the parser, for input that means harm. What the text of a real module reaches stays far below them.
const (
	maxSource  = 64 << 20  // bytes of text
	maxObjects = 256 << 20 // bytes of the program, roughly
	maxNest    = 64        // loops in loops, floordiv in mod
	maxTerms   = 256       // terms of one expression
)

// Parse reads the text form of a program and numbers it. It is the inverse of WriteTo. It looks no further than the form: names resolve
// and stand once, but whether the program is legal is Verify's business. An error reads `file:line:col: got …, want …`.
//
// The form, by example; all but a function's name and body may be absent:
//
//	module gen3 facts(Deps) core=0 version=2 attributes({}) extra({})   ; comments end with the line
//	func sg0000 attrs(need_unroll) {
//	  input  x: f32[128,64]                        ; kind, space and memory, name, type; dims follow from the type
//	  sb     t: f32[128,64] at base 0 addr 512 pinned
//	  shared s: bf16[4,16] dims=2x64 set=big class=Weight part=none alias(must x)
//	  reg    r0
//	  set w: f32[256,8] {                          ; a set of several locations
//	    sb w0: 128x32
//	    dram w1: 128x32
//	  }
//	Block1:
//	  I-0: t = Load x @SP queue=q0                 ; a whole location, row by row
//	  I-1: t[:, 0:8]:bf16 = TensorTensor t[0:128, 8:16], t[64x128, 1x8 at 56] op=add @DVE
//	  I-2: $r0 = RegisterAlu $r0, 5 op=mult
//	  L0: for i = 0..8 step 2 parallel {           ; blocks, or instructions of the block Body0
//	    I-3: t[0:32, :] = Load x[0:32, : at 64*i] @SP if(i < 4) order(0, 2*i) after(I-0, anti I-2, I-3[1])
//	    I-4: NoOp @SP wait(3>=1) update(4+=1) cycles(10, 20) source=I-9 iter(i, 3)
//	  }
//	}
//	data c: f32[2,2] = [1, 2, 3, 4]                ; of constants; also base64("…")
//
// An access is slices `[rows, columns]`, counted in elements of its type, or pairs `[step x num, …]`, outermost first; `at` adds an offset
// in elements. Without brackets it is the whole location, row by row. Its type is the set's unless `:type` follows. $ marks a register.
// Expressions are sums of integers, N*axis, N*floordiv(e, n), N*mod(e, n) and N*shardid(n). Names that are not plain, or are one of for,
// nan, inf and _, stand in quotes.
func Parse(file, src string) (*Program, error) {
	p := &parser{scanner: scanner{file: file, src: src}}
	if len(src) > maxSource {
		return nil, fmt.Errorf("%s:1:1: got %d bytes, want at most %d", file, len(src), maxSource)
	}
	p.next()
	prog := p.program()
	if p.err != nil {
		return nil, p.err
	}
	prog.Number()
	return prog, nil
}

// parser builds a program by recursive descent with one token of look-ahead and, where a name may be a keyword, one more.
type parser struct {
	scanner
	paid int64 // bytes of objects built
	fn   *scope
}

// pay counts n bytes of program; what would grow beyond reason is refused.
func (p *parser) pay(n int64) {
	if p.paid += n; p.paid > maxObjects {
		p.fail(p.tok.pos, "a program that takes too much memory", fmt.Sprintf("one of at most %d MiB", maxObjects>>20))
	}
}

func (p *parser) at(mark string) bool { return p.tok.kind == markToken && p.tok.text == mark }

func (p *parser) atWord(word string) bool { return p.tok.kind == identToken && p.tok.text == word }

// atEnd tells whether a list or body can have no further member.
func (p *parser) atEnd(mark string) bool { return p.tok.kind == eofToken || p.at(mark) }

func (p *parser) accept(mark string) bool {
	ok := p.at(mark)
	if ok {
		p.next()
	}
	return ok
}

func (p *parser) acceptWord(word string) bool {
	ok := p.atWord(word)
	if ok {
		p.next()
	}
	return ok
}

func (p *parser) expect(mark string) {
	if !p.accept(mark) {
		p.want(strconv.Quote(mark))
	}
}

// open enters brackets, in which lines do not end; expr says that '-' is an operator there.
func (p *parser) open(mark string, expr bool) {
	if !p.at(mark) {
		p.want(strconv.Quote(mark))
		return
	}
	p.nest++
	if expr || p.expr > 0 {
		p.expr++
	}
	p.next()
}

func (p *parser) shut(mark string) {
	if !p.at(mark) {
		p.want(strconv.Quote(mark))
		return
	}
	p.nest--
	p.expr = max(p.expr-1, 0)
	p.next()
}

// list reads the members of brackets, separated by commas.
func (p *parser) list(from, to string, expr bool, member func()) {
	p.open(from, expr)
	for more := !p.atEnd(to); more && p.err == nil; more = p.accept(",") {
		member()
	}
	p.shut(to)
}

// endLine leaves a line that must be over. A closing brace ends a line too.
func (p *parser) endLine() {
	if p.tok.kind != lineToken && !p.atEnd("}") {
		p.want("the end of the line")
	}
	p.skipLines()
}

func (p *parser) skipLines() {
	for p.tok.kind == lineToken {
		p.next()
	}
}

// isName tells whether the current token is a name, plain or quoted.
func (p *parser) isName() bool { return p.tok.kind == identToken || p.tok.kind == stringToken }

func (p *parser) name(what string) token {
	t := p.tok
	if !p.isName() {
		p.want(what)
		return token{}
	}
	p.next()
	return t
}

// word reads one of the words and returns its index. The error is only then put together: words are read all the time.
func (p *parser) word(what string, words names) int {
	if p.tok.kind == identToken {
		if i, ok := words.find(p.tok.text); ok {
			p.next()
			return i
		}
	}
	p.want(what + oneOf(words))
	return 0
}

// oneOf words a choice for an error; "?" is none.
func oneOf(words []string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "?" })
	return "one of " + strings.Join(words, ", ")
}

// twice fails on a name that is taken.
func (p *parser) twice(t token, what string) {
	p.fail(t.pos, quote(t.text), "a name that no other "+what+" has")
}

func (p *parser) program() *Program {
	prog := &Program{Version: defaultVersion, CoreID: NoCore}
	p.skipLines()
	if p.acceptWord("module") {
		p.module(prog)
	}
	for p.tok.kind != eofToken {
		switch {
		case p.acceptWord("func"):
			p.function(prog)
		case p.acceptWord("data"):
			p.data(prog)
		default:
			p.want(`"func" or "data"`)
		}
		p.endLine()
	}
	return prog
}

// module reads the header's clauses.
func (p *parser) module(prog *Program) {
	for p.tok.kind == identToken {
		if a, ok := ParseArch(p.tok.text); ok {
			prog.Arch = a
			p.next()
			continue
		}
		p.moduleClause(prog)
	}
	p.endLine()
}

func (p *parser) moduleClause(prog *Program) {
	switch p.tok.text {
	case "facts":
		p.next()
		p.list("(", ")", false, func() {
			prog.Facts |= 1 << p.word("a fact: ", factNames)
		})
	case "core":
		prog.CoreID = int(p.setting())
	case "version":
		prog.Version = int(p.setting())
	case "attributes":
		p.next()
		prog.Attrs = p.raw()
	case "extra":
		p.next()
		prog.Extra = p.raw()
	default:
		p.want(oneOf(archNames) + ", facts, core, version, attributes, extra")
	}
}

// setting reads the integer of `key=N`.
func (p *parser) setting() int64 {
	p.next()
	p.expect("=")
	return p.integer()
}

// scope is what names mean in one function.
type scope struct {
	f      *Func
	sets   map[string]bool
	locs   map[string]*Loc
	blocks map[string]bool
	insts  map[string]*Inst
	axes   []*Loop // of the loops that are open, outermost first
	alias  []aliasRef
	edges  []edgeRef
}

// function reads from the function's name on.
func (p *parser) function(prog *Program) {
	t := p.name("the name of a function")
	f := &Func{Name: t.text}
	if slices.ContainsFunc(prog.Cores, func(g *Func) bool { return g.Name == f.Name }) {
		p.twice(t, "function")
	}
	prog.Cores = append(prog.Cores, f)
	p.fn = &scope{f: f, sets: map[string]bool{}, locs: map[string]*Loc{}, blocks: map[string]bool{}, insts: map[string]*Inst{}}
	for p.tok.kind == identToken {
		switch p.tok.text {
		case "attrs":
			p.next()
			p.list("(", ")", false, func() { f.Attrs = append(f.Attrs, p.name("an attribute").text) })
		case "extra":
			p.next()
			f.Extra = p.raw()
		default:
			p.want(`attrs, extra or "{"`)
		}
	}
	p.expect("{")
	p.skipLines()
	for p.qualifies() {
		p.declaration()
		p.endLine()
	}
	p.aliases()
	f.Blocks = p.blocks(defaultBlock)
	p.expect("}")
	p.resolve()
}
