package bircheck

// generation is what a NeuronCore has (semantics §1, nki-isa.md §6).
type generation struct {
	partition int64 // bytes of an SBUF partition
	e4m3fn    bool  // float8_e4m3fn is native
	wideBank  bool  // a matmul may write across PSUM banks
}

var generations = map[string]generation{
	"sunda":   {partition: 192 << 10},
	"gen3":    {partition: 224 << 10},
	"core_v4": {partition: 256 << 10, e4m3fn: true, wideBank: true},
}

const (
	partitions = 128
	bankBytes  = 2048
	banks      = 8
	semaphores = 256
	virtual    = 1 << 17 // semaphores of a program with the fact Virtual [ours]
	maxBytes   = int64(1) << 40
	maxElems   = int64(1) << 31
	maxValue   = float64(1 << 48) // of expressions
	maxInt     = int64(1)<<31 - 1
)

// widths is the bytes of each element type.
var widths = map[string]int64{
	"float32": 4, "float32r": 4, "bfloat16": 2, "float16": 2, "float8e3": 1, "float8e4": 1, "float8e5": 1, "float8_e4m3fn": 1,
	"int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
}

// integer tells whether a type is one of the integers.
func integer(dtype string) bool { return dtype[0] == 'i' || dtype[0] == 'u' }
