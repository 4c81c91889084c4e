package passes

import (
	"bytes"
	"encoding/json"

	"birfuzz/ir"
)

var ruleDeadLocation = &Rule{
	Name: "dce.dead-location",
	Doc: "Deletes a location that no instruction touches, with its set when it was the last one, and its entry in the tensor map. What the host, other cores or the run-time may touch stays, " +
		"and so does a location with aliases: others may be one storage only through it, or lie at its address.",
}

// deadLocations is remove_dead_memlocs. At level 0 it takes only what this execution left without a reader and a writer, as the sweep of
// the documents does.
func (d *dce) deadLocations(all bool) {
	touched, lost := make([]bool, d.aliases.Len()), make([]bool, d.aliases.Len())
	for id, in := range d.insts {
		for i := range in.Args {
			if l := in.Args[i].Loc; l != nil {
				touched[l.ID] = touched[l.ID] || !d.gone[id]
				lost[l.ID] = true
			}
		}
	}
	for _, f := range d.ctx.Program().Cores {
		dead := map[*ir.Loc]bool{}
		for l := range f.Locs {
			if !touched[l.ID] && (all || lost[l.ID]) && d.deadLocation(l) {
				dead[l] = true
				d.ctx.Logf("remove_dead_memlocs: removed %s", l.Name)
			}
		}
		d.ctx.Edit().DeleteLocs(f, dead)
	}
}

// deadLocation asks for the deletion of a location that nobody touches.
func (d *dce) deadLocation(l *ir.Loc) bool {
	why := ""
	switch {
	case keptLoc(l):
		why = "location that must stay"
	case !d.aliases.Alone(l):
		why = "aliases"
	case d.targets[l.Name]:
		why = "target of another core"
	default:
		return d.ctx.AllowLoc(ruleDeadLocation, l)
	}
	d.ctx.Refuse(ruleDeadLocation, nil, why)
	return false
}

// remoteTargets returns the names of which the program's remote_local_targets speak. Strings are compared, not their spelling in JSON, which
// may escape what it likes.
func remoteTargets(p *ir.Program) map[string]bool {
	names := map[string]bool{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			if len(l.RemoteLocalTarget) == 0 {
				continue
			}
			words := json.NewDecoder(bytes.NewReader(l.RemoteLocalTarget))
			for t, err := words.Token(); err == nil; t, err = words.Token() {
				if name, ok := t.(string); ok {
					names[name] = true
				}
			}
		}
	}
	return names
}
