package ir

// Tensor is data of one location: little-endian elements, row-major.
type Tensor struct {
	DType DType
	Shape []int64
	Data  []byte
}

// Values maps memory-location names to data: the inputs of a run, its outputs, or what a case expects.
type Values map[string]Tensor
