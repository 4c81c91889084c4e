package bircheck

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// The structs of this file are bir.json as bir-json.md describes it, key by key. A pointer is a key whose default is not the zero value, or
// whose absence is told from it.

type module struct {
	Version    *int64     `json:"version"`
	Arch       *string    `json:"arch"`
	Attributes moduleAttr `json:"attributes"`
	Functions  []function `json:"functions"`
	Ours       moduleOurs `json:"x_birfuzz"`
}

type moduleAttr struct {
	Core *int64 `json:"neuron_core_id"`
}

type moduleOurs struct {
	Facts []string            `json:"facts"`
	Const map[string]constant `json:"const"`
}

// constant is the data of a Const location; Data is base64 in the text.
type constant struct {
	DType string  `json:"dtype"`
	Shape []int64 `json:"shape"`
	Data  []byte  `json:"data"`
}

type function struct {
	Name        string   `json:"name"`
	Attributes  []string `json:"attributes"`
	Allocations []*set   `json:"allocations"`
	Blocks      []block  `json:"blocks"`
}

type block struct {
	Name         string  `json:"name"`
	Instructions []*inst `json:"instructions"`
}

type set struct {
	Skind     *string     `json:"Skind"`
	Name      string      `json:"name"`
	Kind      string      `json:"kind"`
	AddrSpace *string     `json:"addr_space"`
	DType     string      `json:"dtype"`
	Shape     []int64     `json:"tensor_shape"`
	Partition *int64      `json:"partition_dim"`
	Locations []*location `json:"memorylocations"`
}

type location struct {
	Skind     *string `json:"Skind"`
	Name      string  `json:"name"`
	Type      string  `json:"type"`
	Dims      []int64 `json:"dims"`
	Allocated bool    `json:"allocated"`
	Addr      int64   `json:"addr"`
	Base      int64   `json:"base"`
	Bank      int64   `json:"bank"`
	Alias     []alias `json:"alias"`

	set    *set
	broken bool      // its numbers may not be computed with
	family *location // one of those it is one storage with by alias; itself where it stands for them
}

// alias is [set, location, kind].
type alias struct {
	set, location string
	kind          int64
}

// UnmarshalJSON reads the three parts.
func (a *alias) UnmarshalJSON(text []byte) error {
	return parts(text, &a.set, &a.location, &a.kind)
}

// parts reads a list of as many values as there are destinations.
func parts(text []byte, to ...any) error {
	list := make([]any, len(to))
	copy(list, to)
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	if len(list) != len(to) {
		return &json.UnmarshalTypeError{Value: fmt.Sprintf("list of %d", len(list)), Type: reflect.ArrayOf(len(to), reflect.TypeFor[any]())}
	}
	return nil
}

type operand struct {
	Kind    string    `json:"kind"`
	DType   string    `json:"dtype"`
	Loc     *string   `json:"memref"`
	Set     *string   `json:"memsetref"`
	Offset  int64     `json:"offset"`
	Addrs   []expr    `json:"addrs"`
	Pattern [][]int64 `json:"ap"`
	Value   number    `json:"value"`
	Reg     *string   `json:"regref"`
}

// expr is every kind of affine expression, and a term of one (Idx, Coeff).
type expr struct {
	Kind  string `json:"kind"`
	Terms []expr `json:"terms"`
	C     int64  `json:"c"`
	Idx   *expr  `json:"idx"`
	Coeff int64  `json:"coeff"`
	Axis  string `json:"axis"`
	Numer *expr  `json:"numer"`
	Denom int64  `json:"denom"`
	Var   *expr  `json:"var"`
	Scale int64  `json:"scale"`
	UB    int64  `json:"ub"`
}

// number is a float that JSON may have to spell as a string.
type number float64

// UnmarshalJSON reads a number, "nan", "inf" or "-inf".
func (n *number) UnmarshalJSON(text []byte) error {
	f, err := floatOf(text)
	*n = number(f)
	return err
}

type inst struct {
	Name       string      `json:"name"`
	Opcode     string      `json:"opcode"`
	Engine     *string     `json:"engine"`
	Outs       []operand   `json:"outs"`
	Ins        []operand   `json:"ins"`
	Index      []operand   `json:"indirection_ins"`
	Deps       []edge      `json:"dependencies"`
	Carried    []carried   `json:"loop_carried_dependencies"`
	Queue      string      `json:"queue"`
	Order      []expr      `json:"order"`
	Predicates []predicate `json:"predicates"`
	Start      int64       `json:"scheduled_start"`
	End        int64       `json:"scheduled_end"`
	Sync       syncInfo    `json:"sync_info"`
	Axis       *loopAxis   `json:"LoopAxis"`
	Blocks     []block     `json:"blocks"`
	NoReorder  bool        `json:"no_reorder"`
	Parallel   bool        `json:"isParallel"`
	Unroll     bool        `json:"unroll"`
	Ours       instOurs    `json:"x_birfuzz"`
	settings

	nest []*loopAxis // the loops around it, outermost first
}

type instOurs struct {
	Source *string `json:"source"`
	Iter   []expr  `json:"iter"`
}

type loopAxis struct {
	Name   string `json:"name"`
	LB     int64  `json:"lb"`
	UB     int64  `json:"ub"`
	Stride *int64 `json:"stride"`

	value int64 // while values are tried
}

type predicate struct {
	Expr *expr  `json:"expr"`
	Cmp  string `json:"cmp"`
}

type syncInfo struct {
	Wait   []wait   `json:"on_wait"`
	Update []update `json:"on_update"`
}

type wait struct {
	ID    int64 `json:"id"`
	Value int64 `json:"wait_value"`
}

type update struct {
	ID    int64 `json:"id"`
	Value int64 `json:"update_value"`
}

// edge is a bare name, which is a Flow edge, or [name, kind].
type edge struct{ on, kind string }

// UnmarshalJSON reads either form.
func (e *edge) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		return parts(text, &e.on, &e.kind)
	}
	e.kind = "Flow"
	return json.Unmarshal(text, &e.on)
}

// carried is [name, kind, distances].
type carried struct {
	on, kind string
	distance []int64
}

// UnmarshalJSON reads the three parts.
func (e *carried) UnmarshalJSON(text []byte) error {
	return parts(text, &e.on, &e.kind, &e.distance)
}
