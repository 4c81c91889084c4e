// Package bircmp compares programs as objects, for tests.
package bircmp

import (
	"bytes"
	"reflect"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"birfuzz/ir"
)

// Differences returns where two programs differ as objects, field by field, empty where they do not: what a form or a clone must bring back,
// which is more than what their texts show. References count by the name that they lead to. Lists that are nil and lists without elements are
// equal; the numbers that a program is stamped with (ID) are no part of it.
func Differences(want, got *ir.Program) string {
	return cmp.Diff(want, got,
		cmp.Comparer(func(a, b []byte) bool { return bytes.Equal(a, b) }),
		cmp.FilterPath(func(p cmp.Path) bool { return !isBytes(p) }, cmpopts.EquateEmpty()),
		cmpopts.EquateNaNs(),
		cmp.FilterPath(isField("ID", reflect.TypeFor[int32]()), cmp.Ignore()),
		reference("On", func(in *ir.Inst) string { return in.Name }),
		reference("Loc", func(l *ir.Loc) string { return l.Name }),
		reference("Set", func(s *ir.Set) string { return s.Name }),
		cmp.Transformer("expression", func(a ir.Affine) expression { return expression(a) }),
		reference("Axis", func(l *ir.Loop) string { return l.Axis }),
	)
}

// expression is an expression without its method Equal, which asks for the same loops.
type expression ir.Affine

// reference lets fields of that name and type count by the name of what they point to. Without it the graph would be walked anew along every
// edge.
func reference[T any](field string, name func(*T) string) cmp.Option {
	return cmp.FilterPath(isField(field, reflect.TypeFor[*T]()), cmp.Transformer("name", func(to *T) string {
		if to == nil {
			return ""
		}
		return name(to)
	}))
}

func isField(name string, of reflect.Type) func(cmp.Path) bool {
	return func(p cmp.Path) bool {
		field, ok := p.Last().(cmp.StructField)
		return ok && field.Name() == name && field.Type() == of
	}
}

// isBytes tells whether a path leads to a list of bytes: data, or the text of unknown keys.
func isBytes(p cmp.Path) bool {
	t := p.Last().Type()
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}
