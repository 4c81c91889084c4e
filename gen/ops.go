package gen

import (
	"fmt"
	"maps"

	"birfuzz/ir"
)

// rowSet returns what programs may consist of.
func (c *Config) rowSet() *rowSet {
	if c.rows == nil {
		return rows
	}
	return c.rows
}

// Only leaves the programs the named instructions of the op table alone, and what no program can do without: loads and stores that move data
// between DRAM and SB, and an instruction that does nothing. What Without kept out stays out. Features whose instructions are not among them come to nothing. The error
// names an instruction that the table does not have.
func (c *Config) Only(names []string) error {
	kept, err := named(names)
	if err != nil {
		return err
	}
	without := map[*ir.Spec]bool{}
	maps.Copy(without, c.rowSet().without)
	for s := range ir.Ops {
		if !kept[s] && !vital(s) {
			without[s] = true
		}
	}
	c.rows = classify(without)
	return nil
}

// Without keeps the named instructions of the op table out of all programs. The error names an instruction that the table does not have, or
// that no program can do without: one is needed that loads, one that stores, and one that does nothing.
func (c *Config) Without(names []string) error {
	without, err := named(names)
	if err != nil {
		return err
	}
	maps.Copy(without, c.rowSet().without)
	k := classify(without)
	for arch := range ir.NumArch {
		if c.Arch[arch] > 0 && (!k.moves(ir.InDRAM, ir.InSB, arch) || !k.moves(ir.InSB, ir.InDRAM, arch)) {
			return fmt.Errorf("nothing is left that moves data between DRAM and SB on %v", arch)
		}
	}
	if len(k.idle) == 0 {
		return fmt.Errorf("nothing is left that does nothing, for programs in which nothing else fits")
	}
	c.rows = k
	return nil
}

// named returns the rows of the names.
func named(names []string) (map[*ir.Spec]bool, error) {
	list := map[*ir.Spec]bool{}
	for _, n := range names {
		s, ok := ir.OpNamed(n)
		if !ok {
			return nil, fmt.Errorf("no instruction %q in the op table", n)
		}
		list[s] = true
	}
	return list, nil
}

// vital tells whether the row is one of those without which there are no programs.
func vital(s *ir.Spec) bool {
	one := new(rowSet)
	one.add(s)
	return len(one.idle) > 0 || len(one.move) > 0 && s.Ins[0].Mem&ir.InDRAM|s.Outs[0].Mem&ir.InDRAM != 0
}

// moves tells whether a row moves rectangles from one memory to another on a generation.
func (k *rowSet) moves(from, to ir.MemSet, arch ir.Arch) bool {
	for _, s := range k.move {
		if s.Ins[0].Mem&from != 0 && s.Outs[0].Mem&to != 0 && s.Engines[arch] != 0 && !s.Lanewise {
			return true
		}
	}
	return false
}
