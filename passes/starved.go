package passes

// Starved tells why a rule of a pass never fires at a level with this freedom, "" if it may: an earlier pass of the level has taken all that it
// may rewrite, whatever the program, or a knob keeps it from being asked. A campaign over generated programs is no proof against such a rule,
// and none is wanted.
func Starved(level, pass, rule string, f Freedom) string {
	for _, l := range levels {
		if l.name != level {
			continue
		}
		for _, s := range l.starved {
			if s.pass == pass && s.rule == rule && f&s.fed == 0 {
				return s.why
			}
		}
	}
	return ""
}

// starvedRule is a rule of a pass that a level's list leaves nothing to do, unless one of some freedoms is taken.
type starvedRule struct {
	pass, rule string
	fed        Freedom
	why        string
}
