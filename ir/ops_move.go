package ir

import "birfuzz/ir/num"

// moveRows are the instructions that carry bits from one place to another.
func moveRows() []Spec {
	copyDoc := "dst ← src, element by element: the same bits for one dtype, else a cast through float32."
	return []Spec{
		{Name: "Load", JSON: "Load", Doc: "DRAM to SBUF. " + copyDoc, Engines: dmaEngines(),
			Outs: []OperandSpec{dma("dst", InSB, "N")}, Ins: []OperandSpec{dma("src", InDRAM, "N")},
			Params: []ParamID{PCanReadUninit}, Flow: FlowMove, Eval: evalCopy, Weight: 30},
		{Name: "Save", JSON: "Save", Doc: "SBUF to DRAM. " + copyDoc, Engines: dmaEngines(),
			Outs: []OperandSpec{dma("dst", InDRAM, "N")}, Ins: []OperandSpec{dma("src", InSB, "N")},
			Params: []ParamID{PCanReadUninit}, Flow: FlowMove, Eval: evalCopy, Weight: 30},
		{Name: "DMACopy", JSON: "DMACopy", When: []Param{is(PCopyMode, 0)}, Doc: "Any of DRAM and SBUF to any. " + copyDoc, Engines: dmaEngines(),
			Outs: []OperandSpec{dma("dst", InSB|InDRAM, "N")}, Ins: []OperandSpec{dma("src", InSB|InDRAM, "N")},
			Params: []ParamID{PCanReadUninit}, Flow: FlowMove, Eval: evalCopy, Weight: 15},
		{Name: "DMATranspose", JSON: "DMACopy", When: []Param{is(PCopyMode, 1)},
			Doc: "dst[j,i] ← src[i,j]: outermost pair against the rest, both sides of two sizes.", Engines: dmaEngines(),
			Outs: []OperandSpec{dma("dst", InSB|InDRAM, "BA")}, Ins: []OperandSpec{dma("src", InSB|InDRAM, "AB")},
			Params: []ParamID{PTransposeOp, PCanReadUninit}, Flow: FlowMove, Legal: legalDMATranspose, Eval: evalTranspose, Weight: 6},
		{Name: "TensorCopy", JSON: "TensorCopy", Doc: copyDoc, Engines: scalarCopy(), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", anyType)}, Ins: []OperandSpec{tile("src", "PF", anyType)},
			Params: []ParamID{PCanReadUninit}, Flow: FlowMove, Eval: evalCopy, Weight: 20},
		{Name: "GenericCopy", JSON: "GenericCopy", Doc: copyDoc, Engines: scalarCopy(), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", anyType)}, Ins: []OperandSpec{tile("src", "PF", anyType)},
			Params: []ParamID{PCanReadUninit}, Flow: FlowMove, Eval: evalCopy, Weight: 5},
		{Name: "Memset", JSON: "Memset", Doc: "Every element of dst becomes `constant`, the bits of one element.", Engines: on(DVE, Pool), Lanewise: true,
			Outs:   []OperandSpec{tile("dst", "PF", anyType)},
			Params: []ParamID{PMemsetMode, PConstant}, Legal: legalMemset, Eval: evalMemset, Weight: 15},
		{Name: "Iota", JSON: "Iota", Doc: "base + row·channel_multiplier + Σ step·i in wrapping int32, then cast; row counts from the access's first row.",
			Engines: on(Pool), Lanewise: true,
			Outs:   []OperandSpec{sbTile("dst", "PF", arith)},
			Params: []ParamID{PBase, PPattern, PChannelMultiplier}, Legal: legalPattern, Eval: evalIota, Weight: 6},
	}
}

// aluRows are the element-wise arithmetic of DVE and Pool.
func aluRows() []Spec {
	chain := []ParamID{POp0, PReverse0, POp1, PReverse1}
	const chainDoc = "Pool has add, mult and rsqrt; Activation has mult and add, in that order, from Gen3 on, and all on numbers from CoreV4 on."
	return []Spec{
		{Name: "TensorTensor", JSON: "TensorTensor", Doc: "x op y. Exact 32-bit integers on Pool for add, subtract, mult; float32 else; bit operations on raw bits. Bits, divide and mod are DVE's alone, pow is Pool's.",
			Engines: on(DVE, Pool), Narrow: tensorTensorEngines, Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith)}, Ins: []OperandSpec{tile("x", "PF", arith), tile("y", "PF", arith)},
			Params: []ParamID{POp, PAcc}, Flow: FlowElem, Legal: legalTensorTensor, DomainOf: domainTensorTensor, Eval: evalTensorTensor, Weight: 40},
		{Name: "TensorScalar", JSON: "TensorScalar", Doc: "op1(op0(x, const0), const1); reverse swaps that op's operands. " + chainDoc, Engines: on(DVE, Pool, Activation), Narrow: chainEngines, Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith)}, Ins: []OperandSpec{tile("x", "PF", arith)},
			Params: []ParamID{POp0, PConst0, PReverse0, POp1, PConst1, PReverse1}, Flow: FlowElem, Legal: legalTensorScalar, DomainOf: domainChain, Eval: evalTensorScalar, Weight: 20},
		{Name: "TensorScalarPtr", JSON: "TensorScalarPtr", When: []Param{is(PIsScalarTensorTensor, 0), is(PIsTensorTensorScan, 0)},
			Doc: "op1(op0(x, s0), s1) with scalars from a column or immediates. " + chainDoc, Engines: on(DVE, Pool, Activation), Narrow: chainEngines, Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith)}, Ins: []OperandSpec{tile("x", "PF", arith), column("s0", arith), opt(column("s1", arith))},
			Params: append(chain[:4:4], PAcc), Flow: FlowElem, Legal: legalChain, DomainOf: domainChain, Eval: evalTensorScalarPtr, Weight: 15},
		{Name: "ScalarTensorTensor", JSON: "TensorScalarPtr", When: []Param{is(PIsScalarTensorTensor, 1), is(PIsTensorTensorScan, 0)},
			Doc: "(x op0 s0) op1 y.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith)}, Ins: []OperandSpec{tile("x", "PF", arith), column("s0", arith), tile("y", "PF", arith)},
			Params: append(chain[:4:4], PAcc), Flow: FlowElem, Legal: legalScalarTensorTensor, DomainOf: domainChain, Eval: evalScalarTensorTensor, Weight: 8},
		{Name: "TensorTensorScan", JSON: "TensorScalarPtr", When: []Param{is(PIsScalarTensorTensor, 0), is(PIsTensorTensorScan, 1)},
			Doc: "r starts as s0; r = (x op0 r) op1 y along the row, kept in float32; every r is written.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith)}, Ins: []OperandSpec{tile("x", "PF", arith), column("s0", arith), tile("y", "PF", arith)},
			Params: append(chain[:4:4], PAcc), Flow: FlowScan, Legal: legalScan, DomainOf: domainScan, Eval: evalScan, Weight: 5},
		{Name: "Reciprocal", JSON: "Reciprocal", Doc: "1/x.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith)}, Ins: []OperandSpec{dom(Domain{NonZero, 1.0 / (1 << 20), 1 << 20}, tile("x", "PF", arith))},
			Flow: FlowElem, Eval: evalReciprocal, Weight: 5},
		{Name: "TensorScalarCacheReduce", JSON: "TensorScalarCache", When: []Param{is(PCacheMode, 0)},
			Doc: "r = r op1 (x op0 s0) along the row, from the identity of op1; the last r is written.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "P1", cached)}, Ins: []OperandSpec{tile("x", "PF", cached), column("s0", cached)},
			Params: append(chain[:4:4], PAcc), Flow: FlowFold, Legal: legalCache, DomainOf: domainScan, Eval: evalCacheReduce, Weight: 4},
		{Name: "TensorScalarCacheCumulative", JSON: "TensorScalarCache", When: []Param{is(PCacheMode, 1)},
			Doc: "r = r op1 (x op0 s0) along the row, from the identity of op1; every r is written.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", cached)}, Ins: []OperandSpec{tile("x", "PF", cached), column("s0", cached)},
			Params: append(chain[:4:4], PAcc), Flow: FlowScan, Legal: legalCache, DomainOf: domainScan, Eval: evalCacheCumulative, Weight: 4},
	}
}

// reduceRows fold rows.
func reduceRows() []Spec {
	return []Spec{
		{Name: "TensorReduce", JSON: "TensorReduce", Doc: "Folds the innermost pairs that axis names (X 1 … XYZW 4), left to right; then negates.", Engines: on(DVE, Pool), Narrow: reduceEngines, Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PG", arith)}, Ins: []OperandSpec{tile("x", "PF", arith)},
			Params: []ParamID{PReduceOp, PAxis, PNegate}, Flow: FlowFold, Legal: legalTensorReduce, DomainOf: domainReduce, Eval: evalTensorReduce, Weight: 15},
		{Name: "Pool", JSON: "Pool", Doc: "Folds the two innermost pairs: maximum, or float32 sum divided by the count.", Engines: on(DVE, Pool), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PG", arith)}, Ins: []OperandSpec{tile("x", "PF", arith)},
			Params: []ParamID{PPoolFunc}, Flow: FlowFold, Legal: legalPoolFold, Eval: evalPool, Weight: 4},
		{Name: "BNStats", JSON: "BNStats", Doc: "count, mean, variance·count of the even elements of a row, then of the odd ones.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "P6", arith)}, Ins: []OperandSpec{tile("x", "PF", arith)},
			Flow: FlowRow, Legal: legalBNStats, Eval: evalBNStats, Weight: 3},
		{Name: "BNStatsAggregate", JSON: "BNStatsAggregate", Doc: "mean and variance of the union of 3k statistics.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "P2", arith)}, Ins: []OperandSpec{tile("x", "PF", arith)},
			Flow: FlowRow, Legal: legalBNAggregate, Eval: evalBNAggregate, Weight: 0},
	}
}

// activationRows are the functions of the Activation engine and their DVE sibling.
func activationRows() []Spec {
	return []Spec{
		{Name: "Activation", JSON: "Activation", Doc: "func(x·scale + bias), two roundings; without bias nothing is added.", Engines: on(Activation), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith)}, Ins: []OperandSpec{tile("x", "PF", arith), opt(column("bias", arith&^DTypesOf(num.Float32r)))},
			Params: []ParamID{PFunc, PScale, PAcc, PCanReadUninit}, Flow: FlowElem, Legal: legalActivation, DomainOf: domainActivation, Eval: evalActivation, Weight: 20},
		{Name: "Exponential", JSON: "Exponential", Doc: "exp(x + bias), with the accumulator forms of acc.", Engines: from4(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith&^DTypesOf(num.UInt32))}, Ins: []OperandSpec{tile("x", "PF", arith), opt(column("bias", arith))},
			Params: []ParamID{PReduceCmd}, Flow: FlowElem, Eval: evalExponential, Weight: 4},
		{Name: "ReadActivationAccumulator", JSON: "ReadActivationAccumulator", Doc: "The accumulator of Activation, cast, one number a lane.", Engines: on(Activation), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "P1", arith)}, State: HiddenUse{Accumulator, true}, Eval: evalReadAcc, Weight: 3},
		{Name: "DveReadAccumulator", JSON: "DveReadAccumulator", Doc: "The accumulator of DVE, cast, one number a lane.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "P1", arith)}, State: HiddenUse{Accumulator, true}, Eval: evalReadAcc, Weight: 3},
	}
}

// matmulRows are the PE array.
func matmulRows() []Spec {
	return []Spec{
		{Name: "Matmult", JSON: "Matmult", When: []Param{is(PIsTranspose, 0)},
			Doc:     "out[m,n] = Σ_k stationary[k,m]·moving[k,n] in float32, ascending k from +0; start overwrites, otherwise the sum is added once to what stands there.",
			Engines: on(PE), Lanewise: true,
			Outs:   []OperandSpec{{Name: "out", Mem: InPSUM, Shape: "MN", Types: f32 | DTypesOf(num.BFloat16)}},
			Ins:    []OperandSpec{{Name: "moving", Mem: InSB, Shape: "KN", Types: peTypes}, {Name: "stationary", Mem: InSB, Shape: "KM", Types: peTypes}},
			Params: []ParamID{PStart, PStop, PZeroRegion}, Writes: matmulWrites, Flow: FlowMatmul, Legal: legalMatmul, Eval: evalMatmul, Weight: 25},
		{Name: "MatmultTranspose", JSON: "Matmult", When: []Param{is(PIsTranspose, 1)},
			Doc:     "out[m,n] = stationary[n,m]: the stationary operand is the data, moving the identity; from Gen3 on it moves bits.",
			Engines: on(PE), Lanewise: true,
			Outs:   []OperandSpec{same('T', OperandSpec{Name: "out", Mem: InPSUM, Shape: "MK", Types: peTypes})},
			Ins:    []OperandSpec{{Name: "moving", Mem: InSB, Shape: "KK", Types: peTypes}, same('T', OperandSpec{Name: "stationary", Mem: InSB, Shape: "KM", Types: peTypes})},
			Params: []ParamID{PStart, PStop, PZeroRegion}, Flow: FlowMove, Legal: legalMatmul, Eval: evalPETranspose, Weight: 4},
	}
}
