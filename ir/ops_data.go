package ir

import "birfuzz/ir/num"

// selectRows choose between values by a mask or a position.
func selectRows() []Spec {
	return []Spec{
		{Name: "Select", JSON: "Select", Doc: "pred ? on_true : on_false; pred is 0 or 1, anything else gives poison.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith)},
			Ins:  []OperandSpec{dom(Domain{Kind: ZeroOne}, tile("pred", "PF", arith)), tile("on_true", "PF", arith), tile("on_false", "PF", arith)},
			Flow: FlowMove, Legal: legalSelect, Eval: evalSelect, Weight: 6},
		{Name: "CopyPredicated", JSON: "CopyPredicated", Doc: "dst ← src where pred ≠ 0 (reverse_pred: = 0); dst keeps its value elsewhere.", Engines: on(DVE), Lanewise: true,
			Outs:   []OperandSpec{same('T', tile("dst", "PF", anyType))},
			Ins:    []OperandSpec{tile("pred", "PF", preds), same('T', tile("src", "PF", anyType))},
			Params: []ParamID{PReversePred, PAcc, PCanReadUninit}, Writes: keeps, Flow: FlowMove, Legal: legalCopyPredicated, Eval: evalCopyPredicated, Weight: 8},
		{Name: "TensorScalarAffineSelect", JSON: "TensorScalarAffineSelect",
			Doc:     "(base + row·channel_multiplier + Σ step·i) compare_op 0 ? x : fill_value.",
			Engines: on(Pool), Lanewise: true,
			Outs: []OperandSpec{sbTile("dst", "PF", arith)}, Ins: []OperandSpec{sbTile("x", "PF", arith)},
			Params: []ParamID{PBase, PPattern, PChannelMultiplier, PCompareOp, PFillValue}, Flow: FlowMove, Legal: legalPattern, Eval: evalAffineSelect, Weight: 5},
		{Name: "RangeSelect", JSON: "RangeSelect", Doc: "Keeps x where both comparisons of its position (base + i) with the lane's bounds hold, else fill_value.",
			Engines: from3(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", floats)}, Ins: []OperandSpec{tile("x", "PF", floats), column("bound0", f32), column("bound1", f32)},
			Params: []ParamID{PBase, PCompareOp0, PCompareOp1, PFillValue, PReduceCmd}, Flow: FlowMove, Legal: legalRangeSelect, Eval: evalRangeSelect, Weight: 4},
	}
}

// shuffleRows permute elements of a tile.
func shuffleRows() []Spec {
	return []Spec{
		{Name: "StreamTranspose", JSON: "StreamTranspose", Doc: "Transposes each 32×32 block where it stands; both sizes are multiples of 32.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{same('T', tile("dst", "PF", anyType))}, Ins: []OperandSpec{same('T', tile("x", "PF", anyType))},
			Flow: FlowMove, Legal: legalStreamTranspose, Eval: evalStreamTranspose, Weight: 4},
		{Name: "StreamShuffle", JSON: "StreamShuffle", Doc: "Within each group of 32 lanes, lane r ← lane mask[r]; 255 keeps dst. All is read before anything is written.",
			Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{same('T', tile("dst", "PF", anyType))}, Ins: []OperandSpec{same('T', tile("x", "QF", anyType))},
			Params: []ParamID{PMask}, Writes: shuffleWrites, Flow: FlowMove, Legal: legalStreamShuffle, Eval: evalStreamShuffle, Weight: 4},
	}
}

// searchRows look for the largest values of a row.
func searchRows() []Spec {
	return []Spec{
		{Name: "Max", JSON: "Max", Doc: "The 8 largest of each row, descending.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "P8", arith)}, Ins: []OperandSpec{tile("x", "PF", arith)},
			Flow: FlowRow, Legal: legalMax8, Eval: evalMax, Weight: 4},
		{Name: "MaxIndex", JSON: "MaxIndex", Doc: "Position of each of the 8 values in its row; equal values take successive positions; absent is all ones.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "P8", DTypesOf(num.UInt16, num.UInt32))}, Ins: []OperandSpec{tile("x", "PF", arith), tile("max8", "P8", arith)},
			Flow: FlowRow, Legal: legalMax8, Eval: evalMaxIndex, Weight: 3},
		{Name: "MatchReplace", JSON: "MatchReplace", Doc: "For each of the 8 values the first occurrence not yet taken becomes imm_value.", Engines: on(DVE), Lanewise: true,
			Outs: []OperandSpec{tile("dst", "PF", arith)}, Ins: []OperandSpec{tile("x", "PF", arith), tile("vals8", "P8", arith)},
			Params: []ParamID{PImmValue}, Flow: FlowRow, Legal: legalMax8, Eval: evalMatchReplace, Weight: 3},
	}
}

// indirectRows move rows that an index column picks.
func indirectRows() []Spec {
	return []Spec{
		{Name: "IndirectLoad", JSON: "IndirectLoad", Doc: "Lane r ← row index[r] of the table; −1 skips the lane.", Engines: on(Pool, DMA, SP),
			Outs: []OperandSpec{dma("dst", InSB, "PF")}, Ins: []OperandSpec{tableOf("table", InDRAM), rowIndex("index")},
			Params: []ParamID{PCanReadUninit}, Writes: keeps, Flow: FlowMove, Eval: evalGather, Weight: 5},
		{Name: "IndirectSave", JSON: "IndirectSave", Doc: "Row index[r] of the table ← lane r, lanes in order; −1 skips the lane.", Engines: on(Pool, DMA, SP),
			Outs: []OperandSpec{tableOf("table", InDRAM)}, Ins: []OperandSpec{dma("src", InSB, "PF"), rowIndex("index")},
			Params: []ParamID{POp}, Writes: keeps, Flow: FlowMove, Legal: legalPlainScatter, Eval: evalScatter, Weight: 5},
		{Name: "IndirectSaveAccumulate", JSON: "IndirectSaveAccumulate", Doc: "Row index[r] of the table += lane r, lanes in order; each addition rounds to the table's dtype.",
			Engines: on(Pool, DMA, SP),
			Outs:    []OperandSpec{tableOf("table", InDRAM)}, Ins: []OperandSpec{dma("src", InSB, "PF"), rowIndex("index")},
			Params: []ParamID{PScatterOp}, Writes: adds, Flow: FlowRow, Legal: legalAddScatter, Eval: evalScatterAdd, Weight: 4},
	}
}

// scalarRows work on registers.
func scalarRows() []Spec {
	reg := OperandSpec{Name: "dst", Role: Register, Mem: InReg, Shape: "11", Types: word32}
	src := func(name string) OperandSpec {
		return OperandSpec{Name: name, Role: RegOrImm, Mem: InReg, Shape: "11", Types: word32}
	}
	cell := func(name string) OperandSpec {
		return OperandSpec{Name: name, Mem: InSB | InDRAM, Shape: "11", Types: word32}
	}
	in := reg
	in.Name = "src"
	return []Spec{
		{Name: "RegisterMove", JSON: "RegisterMove", Doc: "dst ← src, a 32-bit integer.", Engines: anyEngine(),
			Outs: []OperandSpec{reg}, Ins: []OperandSpec{src("src")}, Flow: FlowMove, Legal: legalRegisterMove, Eval: evalRegisterMove, Weight: 2},
		{Name: "RegisterAlu", JSON: "RegisterAlu", Doc: "dst ← x op y in wrapping 32-bit integers.", Engines: anyEngine(),
			Outs: []OperandSpec{reg}, Ins: []OperandSpec{src("x"), src("y")}, Params: []ParamID{PRegOp}, Flow: FlowElem, Legal: legalRegisterAlu, Eval: evalRegisterAlu, Weight: 2},
		{Name: "TensorLoad", JSON: "TensorLoad", Doc: "register ← one int32 element of memory.", Engines: anyEngine(),
			Outs: []OperandSpec{reg}, Ins: []OperandSpec{cell("src")}, Flow: FlowMove, Eval: evalRegisterMove, Weight: 2},
		{Name: "TensorSave", JSON: "TensorSave", Doc: "one int32 element of memory ← register.", Engines: anyEngine(),
			Outs: []OperandSpec{cell("dst")}, Ins: []OperandSpec{in}, Flow: FlowMove, Eval: evalRegisterMove, Weight: 2},
	}
}

// syncRows order the engines and the cores; they touch no data.
func syncRows() []Spec {
	fence := func(name, doc string) Spec {
		return Spec{Name: name, JSON: name, Doc: doc, Engines: anyEngine(), Effect: FenceLocal, Weight: 2}
	}
	loop := Spec{Name: "Loop", JSON: "Loop", Doc: "Runs its blocks once for each value of its axis, upwards.", Engines: anyEngine(), Effect: Control}
	halt := fence("Halt", "Ends the core's program.")
	halt.Effect, halt.Ends = FenceCores, true
	barrier := fence("CoreBarrier", "All of `cores` meet here; what they wrote before is seen by all after.")
	barrier.Engines, barrier.Effect, barrier.Params = anyEngineFrom3(), FenceCores, []ParamID{PBarrierID, PCores}
	reset := fence("GroupResetSemaphores", "Every semaphore of the core becomes 0.")
	reset.Resets = true
	noop := fence("NoOp", "Nothing; may carry waits and updates.")
	noop.Effect = Pure
	collective := Spec{Name: "CollectiveCompute", JSON: "CollectiveCompute", Doc: "Exchange between the cores of the module; float32 reduction in core order.",
		Engines: anyEngineFrom3(), Effect: FenceCores,
		Outs: []OperandSpec{same('T', dma("dst", InDRAM, "*"))}, Ins: []OperandSpec{same('T', dma("src", InDRAM, "*"))},
		Params: []ParamID{PCollectiveOp, PCollectiveKind, PReplicaGroups, PSrcTargetPairs}, Flow: FlowCores, Legal: legalCollective, Weight: 2}
	return []Spec{
		loop,
		fence("EventSemaphore", "Waits for semaphores, then updates others."),
		fence("AllEngineBarrier", "All engines of the core meet here."),
		fence("Drain", "Waits until the engine's earlier work is complete."),
		halt,
		reset,
		barrier,
		noop,
		collective,
	}
}
