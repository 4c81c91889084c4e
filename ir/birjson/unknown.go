package birjson

import (
	"encoding/json"
	"slices"
)

// keep records an unknown member of an object, for the Extra of what the object belongs to.
func (d *doc) keep(v value) { d.unknown = append(d.unknown, v.pos) }

// extra returns, as canonical JSON, the unknown members at v and inside it that were recorded since mark; nil when there are none.
func (d *doc) extra(v value, mark int) json.RawMessage {
	if len(d.unknown) == mark || d.err != nil {
		return nil
	}
	found := slices.Clone(d.unknown[mark:])
	d.unknown = d.unknown[:mark]
	slices.Sort(found)
	p := &printer{compact: true}
	d.unknownIn(p, v, found)
	return p.buf
}

// unknownIn prints the unknown members in an object or list, each under the path at which it stands: list elements before it are null.
func (d *doc) unknownIn(p *printer, v value, found []uint32) {
	p.open(d.data[v.pos], nil)
	nulls := 0
	for _, m := range d.itemsByKey(v) {
		i, exact := slices.BinarySearch(found, m.val.pos)
		inside := exact || d.isContainer(m.val) && i < len(found) && found[i] < d.end(m.val)
		if !inside && m.key == nil {
			nulls++
			continue
		}
		if !inside {
			continue
		}
		for ; nulls > 0; nulls-- {
			p.item()
			p.buf = append(p.buf, "null"...)
		}
		if m.key == nil {
			p.item()
		} else {
			p.key(string(m.key), true)
		}
		if exact {
			p.raw(d, m.val)
		} else {
			d.unknownIn(p, m.val, found)
		}
	}
	p.close()
}

// itemsByKey returns the members of an object by ascending key, or the elements of a list in order, without keys.
func (d *doc) itemsByKey(v value) []member {
	if d.data[v.pos] == '{' {
		return d.members(v)
	}
	var out []member
	for it := d.list(v); it.next(); {
		out = append(out, member{val: it.val})
	}
	return out
}
