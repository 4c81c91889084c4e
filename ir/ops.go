package ir

import "birfuzz/ir/num"

// Type classes of operands.
var (
	floats  = DTypesOf(num.Float32, num.Float32r, num.BFloat16, num.Float16, num.Float8e3, num.Float8e4, num.Float8e5, num.Float8e4m3fn)
	ints    = DTypesOf(num.Int8, num.Int16, num.Int32, num.UInt8, num.UInt16, num.UInt32)
	longs   = DTypesOf(num.Int64, num.UInt64)
	arith   = floats | ints
	anyType = arith | longs
	f32     = DTypesOf(num.Float32)
	peTypes = floats
	indices = DTypesOf(num.Int32, num.UInt32)
	word32  = DTypesOf(num.Int32, num.UInt32)
	preds   = DTypesOf(num.UInt8, num.UInt16, num.UInt32) // nki-isa.md §3.16
	cached  = arith &^ DTypesOf(num.Int32, num.UInt32)    // nki-isa.md §3.13
)

// Operand builders; the shape letters are those of OperandSpec.Shape.
func tile(name, shape string, types DTypeSet) OperandSpec {
	return OperandSpec{Name: name, Mem: OnChip, Shape: shape, Types: types}
}

func sbTile(name, shape string, types DTypeSet) OperandSpec {
	return OperandSpec{Name: name, Mem: InSB, Shape: shape, Types: types}
}

func column(name string, types DTypeSet) OperandSpec {
	return OperandSpec{Name: name, Role: Scalar, Mem: OnChip, Shape: "P1", Types: types}
}

func dma(name string, mem MemSet, shape string) OperandSpec {
	return OperandSpec{Name: name, Mem: mem, Shape: shape, Types: anyType}
}

func rowIndex(name string) OperandSpec {
	return OperandSpec{Name: name, Role: Index, Mem: InSB, Shape: "P1", Types: indices, Domain: Domain{Kind: RowNumber}}
}

func tableOf(name string, mem MemSet) OperandSpec {
	return OperandSpec{Name: name, Role: Table, Mem: mem, Shape: "*F", Types: arith | longs}
}

func same(letter byte, s OperandSpec) OperandSpec { s.Same = letter; return s }
func opt(s OperandSpec) OperandSpec               { s.Opt = true; return s }
func dom(d Domain, s OperandSpec) OperandSpec     { s.Domain = d; return s }

// on gives the same engines on every generation.
func on(es ...Engine) [NumArch]EngineSet {
	s := Engines(es...)
	return [NumArch]EngineSet{Gen3: s, Sunda: s, CoreV4: s}
}

// from3 gives engines of Gen3 and CoreV4 only; from4 of CoreV4 only.
func from3(es ...Engine) [NumArch]EngineSet {
	s := Engines(es...)
	return [NumArch]EngineSet{Gen3: s, CoreV4: s}
}

func from4(es ...Engine) [NumArch]EngineSet { return [NumArch]EngineSet{CoreV4: Engines(es...)} }

// scalarCopy: the Activation engine copies from Gen3 on (nki-isa.md §3.15).
func scalarCopy() [NumArch]EngineSet {
	s := on(DVE, Pool, Activation)
	s[Sunda] = Engines(DVE, Pool)
	return s
}

// dmaEngines issue DMA: any engine's queue may (walrus.md §8.1, "generic/queue ops any").
func dmaEngines() [NumArch]EngineSet { return on(SP, Activation, Pool, DVE, PE, DMA) }

// anyEngine lists every engine, ALL included, for synchronisation.
func anyEngine() [NumArch]EngineSet { return on(Pool, Activation, PE, DMA, DVE, SP, ALL) }

// anyEngineFrom3 lists the same from Gen3 on: what several cores of a module do together (nki-isa.md §3.32, walrus.md §8.3).
func anyEngineFrom3() [NumArch]EngineSet {
	s := anyEngine()
	s[Sunda] = 0
	return s
}

// is is a When entry.
func is(id ParamID, v int64) Param { return Param{ID: id, I: v} }

// opTable is THE op table. The order is that of bir-json.md.
var opTable = buildTable(concat(moveRows(), aluRows(), reduceRows(), activationRows(), matmulRows(), selectRows(), shuffleRows(), searchRows(), indirectRows(), scalarRows(), syncRows()))

func concat(groups ...[]Spec) []Spec {
	var all []Spec
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

func buildTable(rows []Spec) []Spec {
	for i := range rows {
		rows[i].Op = Op(i)
	}
	return rows
}

// Spec returns the row of the op.
func (o Op) Spec() *Spec { return &opTable[o] }

// String returns the row's name.
func (o Op) String() string { return opTable[o].Name }

// Ops yields every row of the table.
func Ops(yield func(*Spec) bool) {
	for i := range opTable {
		if !yield(&opTable[i]) {
			return
		}
	}
}

// NumOps returns the number of rows.
func NumOps() int { return len(opTable) }

// OpNamed returns the row of that name.
func OpNamed(name string) (*Spec, bool) {
	for i := range opTable {
		if opTable[i].Name == name {
			return &opTable[i], true
		}
	}
	return nil, false
}

// RowsOf returns the rows that a bir.json opcode names; the caller tells them apart by their When settings.
func RowsOf(opcode string) []*Spec {
	var out []*Spec
	for i := range opTable {
		if opTable[i].JSON == opcode {
			out = append(out, &opTable[i])
		}
	}
	return out
}
