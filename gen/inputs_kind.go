package gen

// kindNames are the names of the kinds of inputs.
var kindNames = [NumInputKinds]string{Exact: "exact", Ordinary: "ordinary", Edge: "edge"}

// String returns the name of the kind, in lower case.
func (k InputKind) String() string { return kindNames[k] }
