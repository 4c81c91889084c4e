package birjson

import (
	"cmp"
	"encoding/json"
	"slices"
)

// keep records an unknown member of an object, for the Extra of what the object belongs to.
func (d *doc) keep(v value) { d.unknown = append(d.unknown, v) }

// extra returns, as canonical JSON, the unknown members at v and inside it that were recorded since mark; nil when there are none.
func (d *doc) extra(v value, mark int) json.RawMessage {
	if len(d.unknown) == mark || d.err != nil {
		return nil
	}
	u := unknowns{d: d, found: d.unknown[mark:]}
	d.unknown = d.unknown[:mark]
	slices.SortFunc(u.found, func(a, b value) int { return cmp.Compare(a.pos, b.pos) })
	size := 0
	for _, f := range u.found {
		size += int(d.end(f) - f.pos)
	}
	u.p = printer{compact: true, buf: make([]byte, 0, 2*size)}
	if d.data[v.pos] == '{' {
		u.object(v)
	}
	return u.p.buf
}

// unknowns prints the unknown members of a value, and nothing else of it but the path to them.
type unknowns struct {
	d     *doc
	p     printer
	found []value // by position
}

// holds tells whether v is an unknown member, and whether it has one inside.
func (u *unknowns) holds(v value) (is, has bool) {
	i, is := slices.BinarySearchFunc(u.found, v.pos, func(f value, pos uint32) int { return cmp.Compare(f.pos, pos) })
	return is, !is && u.d.isContainer(v) && i < len(u.found) && u.found[i].pos < u.d.end(v)
}

func (u *unknowns) object(v value) {
	u.p.open('{', nil)
	for _, m := range u.d.members(v) {
		is, has := u.holds(m.val)
		if is || has {
			u.p.memberKey(string(m.key))
			u.value(m.val, is)
		}
	}
	u.p.close()
}

// list prints null for elements without unknown members that stand before one with such.
func (u *unknowns) list(v value) {
	u.p.open('[', nil)
	printed := 0
	for it := u.d.list(v); it.next(); {
		if _, has := u.holds(it.val); !has {
			continue
		}
		for ; printed < it.index; printed++ {
			u.p.item()
			u.p.buf = append(u.p.buf, "null"...)
		}
		u.p.item()
		u.value(it.val, false)
		printed++
	}
	u.p.close()
}

func (u *unknowns) value(v value, unknown bool) {
	switch {
	case unknown:
		u.p.raw(u.d, v)
	case u.d.data[v.pos] == '{':
		u.object(v)
	default:
		u.list(v)
	}
}
