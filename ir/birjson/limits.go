package birjson

// Limits of what is read. They are far above any real module and keep a hostile one from costing more than its length.
const (
	MaxBytes = 256 << 20 // of one text
	MaxDepth = 512       // of objects and lists in one another; a loop takes four
	MaxLoops = 64        // in one another
)

const (
	maxSize  = 1 << 40   // bytes of a location or tensor, elements of an access, largest address or offset
	maxReach = 1 << 48   // largest magnitude that an expression or a part of it can take
	maxTerms = 256       // leaves of one expression
	maxInt   = 1<<31 - 1 // counts, ids and axis bounds
)

// fits tells whether the product of the factors, none negative, stays within maxSize.
func fits(factors ...int64) bool {
	n := int64(1)
	for _, f := range factors {
		if f == 0 {
			return true
		}
	}
	for _, f := range factors {
		if f > maxSize/n {
			return false
		}
		n *= f
	}
	return true
}
