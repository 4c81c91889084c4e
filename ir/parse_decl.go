package ir

import (
	"encoding/json"
	"math"
	"slices"

	"birfuzz/ir/num"
)

// maxLocBytes bounds one location: sums of offsets in it stay far from overflow.
const maxLocBytes = 1 << 48

// aliasRef is an alias whose location may be declared further down.
type aliasRef struct {
	of   *Loc
	i    int
	name token
}

// qualifies tells whether the current token is a keyword in front of a name: another name follows. Blocks and instructions begin with
// a name and a colon, so that the first token of a line tells declarations apart.
func (p *parser) qualifies() bool {
	if p.tok.kind != identToken {
		return false
	}
	k := p.peek().kind
	return k == identToken || k == stringToken
}

// declaration reads `kind space memory name: type properties` or `kind space set name: type properties { … }`.
func (p *parser) declaration() {
	start := p.tok
	s := &Set{Class: defaultClass}
	mem, many, kinds := MemType(NumMemTypes), false, 0
	for p.qualifies() {
		kind, isKind := kindWords.find(p.tok.text)
		m, isMem := memWords.find(p.tok.text)
		switch {
		case p.tok.text == "set":
			many = true
		case p.tok.text == "shared":
			s.Space = Shared
		case isKind && kinds == 0 && mem == NumMemTypes:
			s.Kind = TensorKind(kind)
			kinds++
		case isMem && mem == NumMemTypes:
			mem = MemType(m)
		default:
			p.want(oneOf(slices.Concat(kindWords, memWords[SB:])) + ", shared, set, or an instruction `name: …`")
		}
		p.next()
	}
	name := p.name("the name of a location")
	s.PartDim = defaultPartDim(s.Kind)
	if mem == NumMemTypes {
		mem = defaultMem(s.Kind)
	}
	p.setType(s, mem, name)
	p.pay(512)
	p.fn.f.Sets = append(p.fn.f.Sets, s)
	if many && mem != defaultMem(s.Kind) {
		p.fail(start.pos, quote(memWords[mem]), "the memory in front of each location of the set")
	}
	if many {
		p.setBody(s, name)
		return
	}
	l := &Loc{Name: name.text, Set: s, Type: mem}
	s.Name = name.text + "_set"
	s.Locs = []*Loc{l}
	p.declare(l, name)
	p.properties(s, l, name)
	p.declareSet(s, name)
}

// setType reads `: type`; a register needs none.
func (p *parser) setType(s *Set, mem MemType, name token) {
	if mem == REG && !p.at(":") {
		r := newRegister(name.text)
		s.DType, s.Shape = r.DType, r.Shape
		return
	}
	p.expect(":")
	s.DType, s.Shape = p.tensorType()
}

// tensorType reads `dtype[dim,dim,…]`.
func (p *parser) tensorType() (DType, []int64) {
	d := p.dtype()
	var shape []int64
	p.list("[", "]", false, func() { shape = append(shape, p.natural()) })
	p.pay(int64(8 * len(shape)))
	return d, shape
}

// dtype reads the short or the bir.json name of a type.
func (p *parser) dtype() DType {
	if d, ok := num.ParseDType(p.tok.text); ok && p.tok.kind == identToken {
		p.next()
		return d
	}
	return DType(p.word("a type: ", dtypeWords))
}

func (p *parser) declareSet(s *Set, at token) {
	if p.fn.sets[s.Name] {
		p.fail(at.pos, quote(s.Name), "a name that no other set has")
	}
	p.fn.sets[s.Name] = true
}

func (p *parser) declare(l *Loc, at token) {
	if p.fn.locs[l.Name] != nil {
		p.twice(at, "location")
	}
	p.fn.locs[l.Name] = l
}

// setBody reads the locations of a set.
func (p *parser) setBody(s *Set, name token) {
	s.Name = name.text
	p.declareSet(s, name)
	p.properties(s, nil, name)
	p.expect("{")
	p.skipLines()
	for !p.atEnd("}") {
		mem := MemType(p.word("a memory: ", memWords))
		at := p.name("the name of a location")
		l := &Loc{Name: at.text, Set: s, Type: mem}
		p.pay(256)
		p.declare(l, at)
		s.Locs = append(s.Locs, l)
		p.expect(":")
		p.dims(l)
		p.properties(nil, l, at)
		p.endLine()
	}
	p.expect("}")
}

// dims reads `rows x bytes`.
func (p *parser) dims(l *Loc) {
	at := p.tok
	l.Rows = p.natural()
	l.RowBytes = p.times(p.natural)
	p.checkSize(l, at)
}

func (p *parser) checkSize(l *Loc, at token) {
	if n, ok := product(l.Rows, []int64{l.RowBytes}); !ok || n > maxLocBytes {
		p.fail(at.pos, "a location that is too large", "at most 2^48 bytes")
	}
}

// properties reads what follows the type: those of the set where s is not nil, of the location where l is not nil.
func (p *parser) properties(s *Set, l *Loc, at token) {
	sized := l == nil || s == nil
	for p.tok.kind == identToken {
		switch {
		case s != nil && p.setProperty(s, l):
		case l != nil && p.atWord("dims"):
			p.next()
			p.expect("=")
			p.dims(l)
			sized = true
		case l != nil && p.locProperty(l):
		default:
			p.want("a property of the declaration: dims=, set=, class=, part=, at, unplaced, pinned, alias(…), extra(…), …")
		}
	}
	if sized || p.err != nil {
		return
	}
	rows, rowBytes, ok := naturalDims(l.Type, s.Shape, s.DType)
	l.Rows, l.RowBytes = rows, rowBytes
	if p.checkSize(l, at); !ok {
		p.fail(at.pos, "a shape that overflows", "at most 2^48 bytes")
	}
}

// setProperty reads one property of a set. The name of a set with one location follows from that location's.
func (p *parser) setProperty(s *Set, l *Loc) bool {
	switch {
	case l != nil && p.atWord("set"):
		p.next()
		p.expect("=")
		s.Name = p.name("the name of a set").text
	case p.atWord("class"):
		p.next()
		p.expect("=")
		s.Class = p.name("a tensor class").text
	case p.atWord("part"):
		p.next()
		p.expect("=")
		s.PartDim = NoPartDim
		if !p.acceptWord("none") {
			s.PartDim = int(p.between(0, math.MaxInt32))
		}
	case p.atWord("set_extra"):
		p.next()
		s.Extra = p.raw()
	default:
		return false
	}
	return true
}

func (p *parser) locProperty(l *Loc) bool {
	if flag := l.flag(p.tok.text); flag != nil {
		*flag = true
		p.next()
		return true
	}
	switch p.tok.text {
	case "at", "unplaced":
		l.Allocated = p.tok.text == "at"
		p.next()
		p.placement(l)
	case "alias":
		p.next()
		p.list("(", ")", false, func() { p.alias(l) })
	case "remote_local_target":
		p.next()
		l.RemoteLocalTarget = p.json()
	case "extra":
		p.next()
		l.Extra = p.raw()
	default:
		return false
	}
	return true
}

// locFlags are the words of a location's flags, in print order.
var locFlags = []string{"pinned", "written_by_another_core", "user_allocated", "runtime_reserved"}

// flag returns the flag of that word, nil if there is none.
func (l *Loc) flag(word string) *bool {
	switch word {
	case "pinned":
		return &l.Pinned
	case "written_by_another_core":
		return &l.WrittenByAnotherCore
	case "user_allocated":
		return &l.UserAllocated
	case "runtime_reserved":
		return &l.RuntimeReserved
	default:
		return nil
	}
}

// placement reads any of `base N`, `bank N`, `addr N`.
func (p *parser) placement(l *Loc) {
	for n := 0; ; n++ {
		var to *int64
		switch {
		case p.atWord("base"):
			to = &l.Base
		case p.atWord("bank"):
			to = &l.Bank
		case p.atWord("addr"):
			to = &l.Addr
		case n == 0:
			p.want("base, bank or addr with a number")
			return
		default:
			return
		}
		p.next()
		*to = p.integer()
	}
}

func (p *parser) alias(l *Loc) {
	kind := MustAlias
	if p.qualifies() {
		kind = AliasKind(p.word("a kind of alias: ", aliasWords))
	}
	name := p.name("the name of a location")
	p.pay(64)
	p.fn.alias = append(p.fn.alias, aliasRef{l, len(l.Alias), name})
	l.Alias = append(l.Alias, Alias{Kind: kind})
}

// aliases resolves the names once all declarations are known.
func (p *parser) aliases() {
	for _, r := range p.fn.alias {
		if r.of.Alias[r.i].Loc = p.fn.locs[r.name.text]; r.of.Alias[r.i].Loc == nil {
			p.fail(r.name.pos, quote(r.name.text), "the name of a location of this function")
			return
		}
	}
}

// raw reads `({…})`: one JSON object.
func (p *parser) raw() json.RawMessage {
	at := p.tok
	v := p.json()
	if p.err == nil && v[0] != '{' {
		p.fail(at.pos+1, quote(string(v)), "one JSON object in parentheses")
	}
	return v
}
