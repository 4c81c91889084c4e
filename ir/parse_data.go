package ir

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"birfuzz/ir/num"
)

// json reads one JSON value in parentheses and returns it without blanks.
func (p *parser) json() json.RawMessage {
	if !p.at("(") {
		p.want(`"(" and JSON`)
		return nil
	}
	var v json.RawMessage
	d := json.NewDecoder(strings.NewReader(p.src[p.off:]))
	if err := d.Decode(&v); err != nil {
		p.fail(p.off, err.Error(), "one JSON value in parentheses")
		return nil
	}
	p.pay(int64(len(v)))
	p.off += int(d.InputOffset())
	p.next()
	p.expect(")")
	return compact(v)
}

// compact returns the value without blanks; what is no JSON stays as it is.
func compact(v json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return v
	}
	return b.Bytes()
}

// data reads `name: type = [numbers]` or `= base64("…")`: what a constant holds.
func (p *parser) data(prog *Program) {
	name := p.name("the name of a location")
	p.expect(":")
	var t Tensor
	t.DType, t.Shape = p.tensorType()
	p.expect("=")
	if p.acceptWord("base64") {
		t.Data = p.base64()
	} else {
		t.Data = p.elements(t.DType)
	}
	if _, ok := prog.Consts[name.text]; ok {
		p.twice(name, "data")
	}
	if prog.Consts == nil {
		prog.Consts = Values{}
	}
	p.pay(256)
	prog.Consts[name.text] = t
}

// base64 reads the bytes in parentheses; the text may be broken into several lines.
func (p *parser) base64() []byte {
	end := strings.IndexByte(p.src[p.off:], ')')
	if !p.at("(") || end < 0 {
		p.want("base64 in parentheses")
		return nil
	}
	text := strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, p.src[p.off:p.off+end])
	p.pay(int64(end))
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		p.fail(p.off, err.Error(), "base64 in parentheses")
		return nil
	}
	p.off += end
	p.next()
	p.expect(")")
	return data
}

// elements reads `[1, 2, …]` as elements of d.
func (p *parser) elements(d DType) []byte {
	var out []byte
	size := d.Size()
	p.list("[", "]", false, func() {
		at := p.tok
		text := p.literal()
		bits, ok := elementBits(d, text)
		if !ok {
			p.fail(at.pos, quote(text), "a number of "+dtypeWords[d])
			return
		}
		n := len(out)
		out = append(out, make([]byte, size)...)
		num.Store(out[n:], d, bits)
	})
	return out
}

// literal reads a number as text.
func (p *parser) literal() string {
	sign := ""
	if p.accept("-") {
		sign = "-"
	}
	text := sign + p.tok.text
	if p.tok.kind != numberToken && p.tok.kind != identToken {
		p.want("a number")
	}
	p.next()
	return text
}

// elementBits returns the element of d that text stands for.
func elementBits(d DType, text string) (uint64, bool) {
	if d.IsFloat() {
		v, err := strconv.ParseFloat(text, 32)
		return num.Encode(d, float32(v)), err == nil
	}
	width := 8 * d.Size()
	if !d.IsSigned() {
		v, err := strconv.ParseUint(text, 10, width)
		return v, err == nil
	}
	v, err := strconv.ParseInt(text, 10, width)
	return uint64(v) & (math.MaxUint64 >> (64 - width)), err == nil
}

// elementText is the inverse of elementBits, but for NaNs, whose bits no text keeps.
func elementText(d DType, bits uint64) string {
	switch {
	case d.IsFloat():
		return floatText(float64(num.Decode(d, bits)), 32)
	case d.IsSigned():
		shift := 64 - 8*d.Size()
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	default:
		return strconv.FormatUint(bits, 10)
	}
}
