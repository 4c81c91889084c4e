package ir

import "strconv"

// hbmBytes is the DRAM of one device (nki-isa.md §6).
var hbmBytes = [NumArch]int64{Sunda: 32 << 30, Gen3: 96 << 30, CoreV4: 144 << 30}

// VerifyRoom returns where a program needs more memory than there is, whatever an allocator does: oom_checker's question. walrus.md names the
// pass and no more, so what counts before placement is ours, and only what cannot be argued with:
//
//   - SBUF and PSUM: the unplaced locations that one instruction names are there at the same time. Together they take no more bytes than the
//     memory has, and those of more than half its partitions, of which any two share a partition, stand side by side in one partition's bytes.
//     Locations of different instructions may follow each other at one place, or be spilled.
//   - DRAM: what the host gives and takes, and the constants, are there all the time, once for all cores; of what a program keeps for itself
//     the largest location of each core and the largest Shared one are counted, since the others may follow them at one place. What has
//     aliases, named by whichever side, is left out. All of it lies in the HBM of one device.
//
// Placed locations are left out: Verify holds each of them inside its memory, and those that overlap do so on purpose. The 16 KiB a
// partition that the vendor's compiler keeps for itself (walrus.md §6) are not subtracted: no page says when. The program must be numbered and
// legal (Verify).
func VerifyRoom(p *Program) Complaints {
	v := Verifier{prog: p, at: spot{arg: noArg}}
	v.place = v.where
	for _, f := range p.Cores {
		v.fn = f
		for b := range f.AllBlocks {
			for _, in := range b.Insts {
				v.at = spot{block: b, inst: in, arg: noArg}
				v.roomOf(in, SB, p.Arch.SBUFBytes())
				v.roomOf(in, PSUM, PSUMBanks*PSUMBankBytes)
			}
		}
	}
	v.fn, v.at = nil, spot{arg: noArg}
	v.roomInDRAM()
	return v.List
}

// roomOf checks that the unplaced locations of one memory that an instruction names fit into it together. row is the bytes of a partition.
func (v *Verifier) roomOf(in *Inst, t MemType, row int64) {
	var all, side int64
	for i := range in.Args {
		l := in.Args[i].Loc
		if l == nil || l.Type != t || l.Allocated || in.names(l, i) {
			continue
		}
		all += l.Bytes()
		if l.Rows > Partitions/2 {
			side += l.RowBytes
		}
	}
	switch {
	case side > row:
		v.Addf(RuleCapacity, "at most "+strconv.FormatInt(row, 10)+", a partition of "+t.String(),
			"%d bytes a partition in the locations of more than %d partitions that the instruction names", side, Partitions/2)
	case all > Partitions*row:
		v.Addf(RuleCapacity, "at most "+strconv.FormatInt(Partitions*row, 10)+", all of "+t.String(), "%d bytes in the locations that the instruction names", all)
	}
}

// names tells whether one of the first n operands names the location.
func (in *Inst) names(l *Loc, n int) bool {
	for i := range in.Args[:n] {
		if in.Args[i].Loc == l {
			return true
		}
	}
	return false
}

// roomInDRAM checks that what must be in DRAM at the same time fits into a device.
func (v *Verifier) roomInDRAM() {
	budget := hbmBytes[v.prog.Arch]
	families := NewFamilies(v.prog)
	host := map[string]bool{}
	var total, shared int64
	for _, f := range v.prog.Cores {
		var own int64
		for l := range f.Locs {
			switch {
			case !l.Type.IsDRAM() || l.Allocated || !families.Alone(l): // an alias may lie on another location
			case l.external():
				if !host[l.Name] && total <= budget { // enough is enough: no sum overflows
					host[l.Name] = true
					total += l.Bytes()
				}
			case l.Set.Space == Shared:
				shared = max(shared, l.Bytes())
			default:
				own = max(own, l.Bytes())
			}
		}
		if total <= budget {
			total += own
		}
	}
	if total += shared; total > budget {
		v.Addf(RuleCapacity, "at most "+strconv.FormatInt(budget, 10)+", the HBM of a device", "at least %d bytes of DRAM in use at the same time", total)
	}
}
