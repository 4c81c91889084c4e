package ir

func keeps(*Inst) WriteMode { return Keeps }

func adds(*Inst) WriteMode { return Adds }

// matmulWrites: without start the member's sum is added to what stands in PSUM.
func matmulWrites(in *Inst) WriteMode {
	if in.Flag(PStart) {
		return Overwrites
	}
	return Adds
}

// shuffleWrites: a mask entry of 255 keeps the lane.
func shuffleWrites(in *Inst) WriteMode {
	for _, m := range in.List(PMask) {
		if m == 255 {
			return Keeps
		}
	}
	return Overwrites
}
