package fuzz

import (
	"context"
	"strings"
	"testing"
	"time"

	"birfuzz/ir/birtest"
	"birfuzz/passes"
)

// today is the day of the tests of known findings.
var today = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func TestKnownErrors(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"nonsense", `k.txt:1: got "nonsense", want KEY=VALUE first, with the keys signature, class, pass, rule`},
		{"# fine\n\nclass=value 2027-01-31", "k.txt:3: class=value: want a reason behind the day"},
		{"class=value", "k.txt:1: class=value: want the last day behind it, as 2027-01-31, and a reason"},
		{"class=value 2027-13-31 why", `k.txt:1: class=value: got the day "2027-13-31", want one as 2027-01-31`},
		{"class=value because 2027-01-31", `k.txt:1: class=value: got the day "because", want one as 2027-01-31`},
		{"colour=red 2027-01-31 why", `k.txt:1: got the key "colour", want one of signature, class, pass, rule`},
		{"class= 2027-01-31 why", "k.txt:1: class: want a value"},
		{"class=value class=race 2027-01-31 why", "k.txt:1: class stands twice"},
		{"# fine\nclass=vlaue 2027-01-31 why", `k.txt:2: class: got "vlaue", want one of illegal, limits, deadlock, race, schedule, fences, accumulation, ` +
			"undefined, value, publish, provenance, contract, steady, crash, hang, garbage"},
		{"pass=[ 2027-01-31 why", `k.txt:1: pass: got "[", want a name, or a pattern with *, ? and [a-z]`},
		{"pass=a 2027-01-31 why\npass=a 2027-02-28 again", "k.txt:2: a second entry for pass=a: the first is k.txt:1"},
	} {
		if _, err := ParseKnown("k.txt", x.text, today); err == nil || err.Error() != x.want {
			t.Errorf("%q: got %v, want %s", x.text, err, x.want)
		}
	}
}

// TestKnownMatches: an entry silences findings of which all its keys say so, to the end of its last day, by the signature only when the
// finding is small.
func TestKnownMatches(t *testing.T) {
	f := &Finding{Class: "value", Pass: "vendor", Rule: "vendor.output", Signature: "00ff"}
	for _, x := range []struct {
		entry string
		found bool
	}{
		{"class=value 2027-01-31 why", true},
		{"class=race 2027-01-31 why", false},
		{"class=value pass=vend* rule=*.output 2027-01-31 why", true},
		{"class=value pass=vend 2027-01-31 why", false},
		{"signature=00ff 2027-01-31 why", true},
		{"signature=00fe class=value 2027-01-31 why", false},
		{"class=value 2026-12-01 why", true},
		{"class=value 2026-11-30 why", false},
	} {
		k, err := ParseKnown("k.txt", x.entry, today)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.match(f, true) != nil; got != x.found {
			t.Errorf("%s: silences %v, want %v", x.entry, got, x.found)
		}
		if strings.HasPrefix(x.entry, "signature") && k.match(f, false) != nil {
			t.Errorf("%s: silences what has not been made small", x.entry)
		}
		if got := len(k.Expired()); (got > 0) != strings.Contains(x.entry, "11-30") {
			t.Errorf("%s: %d expired", x.entry, got)
		}
	}
}

// TestKnownInCampaign: what is silenced is counted, is no finding, and leaves no folder; an entry that has expired silences nothing and is named.
func TestKnownInCampaign(t *testing.T) {
	if birtest.Quick() {
		t.Skip("shrinks again and again")
	}
	run := func(entry string) *Report {
		k, err := ParseKnown("k.txt", entry, today)
		if err != nil {
			t.Fatal(err)
		}
		c := plantedCampaign("swap")
		c.Known, c.Out = k, t.TempDir()
		r, err := c.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	open := run("pass=nobody 2027-01-31 why")
	if len(open.Findings) == 0 || len(open.Known) > 0 {
		t.Fatalf("%d findings, %d known, want some and none", len(open.Findings), len(open.Known))
	}
	programs := 0
	for _, f := range open.Findings {
		programs += 1 + f.Duplicates
	}
	closed := run("pass=planted 2027-01-31 the ticket")
	if len(closed.Findings) != 0 || len(closed.Known) == 0 || closed.Known[0].Reproducer != "" {
		t.Fatalf("%d findings, %d known, want none and some", len(closed.Findings), len(closed.Known))
	}
	silenced := 0
	for _, f := range closed.Known {
		if silenced += 1 + f.Duplicates; f.Known.Reason != "the ticket" {
			t.Errorf("reason %q", f.Known.Reason)
		}
	}
	if silenced != programs || closed.Verdicts != open.Verdicts {
		t.Errorf("%d programs silenced, want %d; %+v, want %+v", silenced, programs, closed.Verdicts, open.Verdicts)
	}
	bySignature := run("signature=" + open.Findings[0].Signature + " 2027-01-31 why")
	if len(bySignature.Findings) != len(open.Findings)-1 || len(bySignature.Known) != 1 {
		t.Errorf("%d findings, %d known by signature, want %d and 1", len(bySignature.Findings), len(bySignature.Known), len(open.Findings)-1)
	}
	expired := run("pass=planted 2026-11-30 why")
	if len(expired.Findings) != len(open.Findings) || len(expired.Expired) != 1 {
		t.Errorf("%d findings, %d expired, want %d and 1", len(expired.Findings), len(expired.Expired), len(open.Findings))
	}
}

// TestKnownStrangers: who names what no pass is called is told, by line; what may be meant for another command's passes is no error.
func TestKnownStrangers(t *testing.T) {
	k, err := ParseKnown("k.txt", "pass=plantd 2027-01-31 why\npass=plan* rule=planted.* 2027-01-31 why\nrule=planted.swop 2027-01-31 why\nclass=[vr]a* 2027-01-31 why\n", today)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(k.Strangers([]passes.Pass{planted("swap")}), "\n")
	if want := "k.txt:1: no pass is called plantd\nk.txt:3: no rule is called planted.swop"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
