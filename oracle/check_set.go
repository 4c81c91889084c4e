package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// CheckSet is a set of checks, one bit each in the order of Checks.
type CheckSet uint32

// AllChecks holds every check.
const AllChecks CheckSet = 1<<len(checks) - 1

// has tells whether check i is in the set.
func (s CheckSet) has(i int) bool { return s>>i&1 != 0 }

// Has tells whether the check of that name is in the set.
func (s CheckSet) Has(name string) bool {
	one, ok := CheckNamed(name)
	return ok && s&one != 0
}

// CheckNamed returns the set that holds the check of that name.
func CheckNamed(name string) (CheckSet, bool) {
	i := slices.IndexFunc(checks[:], func(c Check) bool { return c.Name == name })
	return 1 << max(i, 0), i >= 0
}

// ParseChecks reads a list of checks: `a,b` is those alone, `-a,-b` all but those. In a mixed list each name adds to, or takes from, what
// stands before it. The error of an unknown name lists those that there are.
func ParseChecks(text string) (CheckSet, error) {
	var set CheckSet
	if strings.HasPrefix(strings.TrimSpace(text), "-") {
		set = AllChecks
	}
	for word := range strings.SplitSeq(text, ",") {
		name, without := strings.CutPrefix(strings.TrimSpace(word), "-")
		one, ok := CheckNamed(name)
		switch {
		case !ok:
			return 0, fmt.Errorf("no check %q; the checks are %s", name, strings.Join(AllChecks.names(), ", "))
		case without:
			set &^= one
		default:
			set |= one
		}
	}
	if set == 0 {
		return 0, errors.New("no check is left")
	}
	return set, nil
}

// names lists the checks of the set in the order of Checks.
func (s CheckSet) names() []string {
	var names []string
	for i := range checks {
		if s.has(i) {
			names = append(names, checks[i].Name)
		}
	}
	return names
}

// String returns the set as ParseChecks takes it, the shorter way; empty where it holds all checks, as 0 does (Options.Checks).
func (s CheckSet) String() string {
	if s == 0 {
		return ""
	}
	in, out := s.names(), (AllChecks &^ s).names()
	if len(out) == 0 {
		return ""
	}
	if len(in) <= len(out) {
		return strings.Join(in, ",")
	}
	return "-" + strings.Join(out, ",-")
}
