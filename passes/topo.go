package passes

// digraph says for n nodes which others must come before each, by number.
type digraph struct {
	first []int32 // by node: where its predecessors begin in preds; one more entry at the end
	preds []int32
}

// arc says that node of comes after node on.
type arc struct{ of, on int32 }

// newDigraph makes a graph of n nodes. The predecessors of a node keep the order in which their arcs are given.
func newDigraph(n int, arcs []arc) *digraph {
	g := &digraph{first: make([]int32, n+1), preds: make([]int32, len(arcs))}
	for _, a := range arcs {
		g.first[a.of+1]++
	}
	for i := range n {
		g.first[i+1] += g.first[i]
	}
	next := make([]int32, n)
	for _, a := range arcs {
		g.preds[g.first[a.of]+next[a.of]] = a.on
		next[a.of]++
	}
	return g
}

// The colours of a depth-first search.
const (
	white uint8 = iota // not seen
	grey               // on the way to it
	black              // done
)

// dfs is a three-colour depth-first search over predecessors. It keeps a stack of its own: a chain may be as long as a program.
type dfs struct {
	graph *digraph
	color []uint8 // by node
	at    []int32 // by node: predecessors looked at so far
	stack []int32
	back  int32 // a node that comes before itself; none if none was met
}

func newDFS(g *digraph) *dfs {
	n := len(g.first) - 1
	return &dfs{graph: g, color: make([]uint8, n), at: make([]int32, n), back: none}
}

// visit appends node to order behind all that must come before it, both unless they are there already.
func (s *dfs) visit(node int32, order []int32) []int32 {
	s.enter(node)
	for len(s.stack) > 0 {
		top := s.stack[len(s.stack)-1]
		if i := s.graph.first[top] + s.at[top]; i < s.graph.first[top+1] {
			s.at[top]++
			s.enter(s.graph.preds[i])
			continue
		}
		s.color[top] = black
		s.stack = s.stack[:len(s.stack)-1]
		order = append(order, top)
	}
	return order
}

func (s *dfs) enter(node int32) {
	switch s.color[node] {
	case white:
		s.color[node] = grey
		s.stack = append(s.stack, node)
	case grey:
		s.back = node
	}
}

// cycle returns a node that must come before itself; none if there is none.
func (g *digraph) cycle() int32 {
	s := newDFS(g)
	order := make([]int32, 0, len(s.color))
	for i := range s.color {
		order = s.visit(int32(i), order)
	}
	return s.back
}
