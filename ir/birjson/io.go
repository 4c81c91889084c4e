package birjson

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"birfuzz/ir"
)

// IO is what stands beside a program in io.json: its inputs and what it should give, by location.
type IO struct {
	Source, Licence string
	Inputs          ir.Values
	Expect          map[string]Expect
	Extra           json.RawMessage // unknown keys, one JSON object, kept for the writer
}

// Expect is an expected output: equal where both tolerances are 0, else |got − want| ≤ ATol + RTol·|want|.
type Expect struct {
	ir.Tensor
	RTol, ATol float64
}

// ReadIO reads one io.json; file names it in errors, which are those of Read. The data of every tensor is as long as its dtype and shape say.
func ReadIO(r io.Reader, file string) (*IO, error) {
	d, err := open(r, file, MaxBytes)
	if err != nil {
		return nil, err
	}
	out := d.io(d.root())
	if err := d.result(); err != nil {
		return nil, err
	}
	return out, nil
}

func (d *doc) io(v value) *IO {
	out := &IO{}
	for it := d.object(v); it.next(); {
		switch string(it.key) {
		case "source":
			out.Source = string(d.text(it.val, "a string"))
		case "licence":
			out.Licence = string(d.text(it.val, "a string"))
		case "inputs":
			out.Inputs = ir.Values{}
			for in := d.object(it.val); in.next(); {
				out.Inputs[string(in.key)] = d.tensor(in.val)
			}
		case "expect":
			out.Expect = map[string]Expect{}
			for e := d.object(it.val); e.next(); {
				out.Expect[string(e.key)] = d.expect(e.val)
			}
		default:
			d.keep(it.val)
		}
	}
	out.Extra = d.extra(v, 0)
	return out
}

// tensor reads {"dtype", "shape", "data"}.
func (d *doc) tensor(v value) ir.Tensor {
	e := d.tensorWith(v, func(_ *Expect, m member) { d.keep(m.val) })
	return e.Tensor
}

// expect reads a tensor with its tolerances.
func (d *doc) expect(v value) Expect {
	return d.tensorWith(v, func(e *Expect, m member) {
		switch string(m.key) {
		case "rtol":
			e.RTol = d.tolerance(m.val)
		case "atol":
			e.ATol = d.tolerance(m.val)
		default:
			d.keep(m.val)
		}
	})
}

func (d *doc) tensorWith(v value, other func(*Expect, member)) (e Expect) {
	var dtype, shape, data value
	for it := d.object(v); it.next(); {
		switch string(it.key) {
		case "dtype":
			dtype = it.val
		case "shape":
			shape = it.val
		case "data":
			data = it.val
		default:
			other(&e, member{it.key, it.val})
		}
	}
	if !d.require(v, dtype, "dtype") || !d.require(v, shape, "shape") || !d.require(v, data, "data") {
		return e
	}
	e.DType = d.dtype(dtype)
	e.Shape = d.ints(shape, 0, maxSize)
	factors := append(slices.Clone(e.Shape), int64(e.DType.Size()))
	if !fits(factors...) {
		d.fail(shape, "more than %d bytes", int64(maxSize))
		return e
	}
	e.Data = d.base64(data)
	if want := product(factors); d.err == nil && int64(len(e.Data)) != want {
		d.fail(data, "got %d bytes, want %d", len(e.Data), want)
	}
	return e
}

func (d *doc) base64(v value) []byte {
	text := d.text(v, "base64")
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Strict().Decode(out, text)
	if err != nil {
		d.mismatch(v, fmt.Sprintf("base64 (%v)", err))
	}
	return out[:n]
}

// tolerance reads a number ≥ 0.
func (d *doc) tolerance(v value) float64 {
	f := d.float(v)
	if !(f >= 0 && f <= math.MaxFloat64) {
		d.mismatch(v, "a number, 0 or more")
	}
	return f
}

func product(factors []int64) int64 {
	n := int64(1)
	for _, f := range factors {
		n *= f
	}
	return n
}

// WriteIO writes io.json in the same canonical form as Write. It fails where w does, and if Extra is not a JSON object.
func WriteIO(w io.Writer, x *IO) error {
	p := &printer{}
	p.io(x)
	if p.err != nil {
		return fmt.Errorf("write io.json: %w", p.err)
	}
	_, err := w.Write(append(p.buf, '\n'))
	return err
}

func (p *printer) io(x *IO) {
	p.note = p.noteOf(x.Extra)
	p.object()
	if p.key("expect", len(x.Expect) > 0) {
		p.table()
		for _, name := range slices.Sorted(maps.Keys(x.Expect)) {
			p.key(name, true)
			p.tensor(x.Expect[name])
		}
		p.close()
	}
	if p.key("inputs", len(x.Inputs) > 0) {
		p.values(x.Inputs)
	}
	p.text("licence", x.Licence)
	p.text("source", x.Source)
	p.close()
}

// text prints a member whose default is "".
func (p *printer) text(key, s string) {
	if p.key(key, s != "") {
		p.str(s)
	}
}

// values prints tensors by location.
func (p *printer) values(vs ir.Values) {
	p.table()
	for _, name := range slices.Sorted(maps.Keys(vs)) {
		p.key(name, true)
		p.tensor(Expect{Tensor: vs[name]})
	}
	p.close()
}

// tensor prints a tensor; one without tolerances has none to print.
func (p *printer) tensor(e Expect) {
	p.object()
	p.tolerance("atol", e.ATol)
	p.key("data", true)
	p.buf = append(base64.StdEncoding.AppendEncode(append(p.buf, '"'), e.Data), '"')
	p.key("dtype", true)
	p.str(e.DType.String())
	p.tolerance("rtol", e.RTol)
	p.key("shape", true)
	p.ints(e.Shape)
	p.close()
}

func (p *printer) tolerance(key string, f float64) {
	if p.key(key, f != 0) {
		p.float(f)
	}
}
