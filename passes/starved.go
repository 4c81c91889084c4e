package passes

// Starved tells why a rule of a pass never fires at a level, "" if it may: an earlier pass of the level has taken all that it may
// rewrite, whatever the program. A campaign over generated programs is no proof against such a rule, and none is wanted.
func Starved(level, pass, rule string) string {
	for _, l := range levels {
		if l.name != level {
			continue
		}
		for _, s := range l.starved {
			if s.pass == pass && s.rule == rule {
				return s.why
			}
		}
	}
	return ""
}

// starvedRule is a rule of a pass that a level leaves nothing to do.
type starvedRule struct{ pass, rule, why string }
