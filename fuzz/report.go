package fuzz

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"birfuzz/oracle"
	"birfuzz/passes"
)

// Report is what a campaign or a check found: the object that -json prints. Fields may be added, never renamed.
type Report struct {
	Programs int         `json:"programs"`
	Seconds  float64     `json:"seconds"`
	Rate     float64     `json:"programs_per_second"`
	Verdicts Verdicts    `json:"verdicts"`
	Void     int         `json:"void"`
	Findings []*Finding  `json:"findings"`
	Rules    []RuleCount `json:"rules"`

	Unjudged  []string `json:"unjudged,omitempty"`  // the first few void and unknown cases, and why
	Unordered int      `json:"unordered,omitempty"` // steps of which nobody looked whether edges order them: too large, or they did not before
	Schedule  string   `json:"schedule,omitempty"`  // the order in which steps were run too, if one was asked for
	Scheduled int      `json:"scheduled,omitempty"` // how many were; the facts of the others leave it no room
	Stuck     int      `json:"stuck,omitempty"`     // cases on which a pass of ours did not end; at the third the campaign ends
	Exhausted bool     `json:"exhausted,omitempty"` // it did
	Unrun     []string `json:"unrun,omitempty"`     // levels that were left out for that

	Known   []*Finding `json:"known,omitempty"`   // findings that a file of known ones silences
	Expired []string   `json:"expired,omitempty"` // its entries that silence no more

	Broken    int  `json:"broken,omitempty"`    // cases on which birfuzz itself broke down, which says nothing about the passes
	Resumable bool `json:"resumable,omitempty"` // the campaign ended before it had made all programs; -resume goes on with it

	Corpus *FeedCount `json:"corpus,omitempty"` // what a corpus gave to the campaign, and got from it
	index  map[string]int
	united []*Finding // filed findings that are counted with others now
}

// Verdicts counts the cases by verdict; void cases are counted apart.
type Verdicts struct {
	Same      int `json:"same"`
	Different int `json:"different"`
	Undefined int `json:"undefined"`
	Unknown   int `json:"unknown"`
}

// RuleCount says how often a rule of a pass was considered, fired and refused.
type RuleCount struct {
	Pass       string         `json:"pass"`
	Rule       string         `json:"rule"`
	Considered int            `json:"considered"`
	Fired      int            `json:"fired"`
	Refused    int            `json:"refused"`
	Reasons    map[string]int `json:"reasons,omitempty"` // of refusals
	Starved    string         `json:"starved,omitempty"` // why none of the levels leaves it anything (passes.Starved)
}

// NewReport returns an empty report that lists every rule of the pipeline, so that a rule that never fires shows. level is the pipeline's name,
// "" of a list of the user's own, of which f may be drawn anew.
func NewReport(level string, ps []passes.Pass, f passes.Freedom) *Report {
	r := &Report{Findings: []*Finding{}, Rules: []RuleCount{}, index: map[string]int{}}
	for i := range ps {
		for _, rule := range ps[i].Rules {
			r.rule(ps[i].Name, rule.Name).Starved = passes.Starved(level, ps[i].Name, rule.Name, f)
		}
	}
	return r
}

func (r *Report) rule(pass, rule string) *RuleCount {
	k := pass + "\x00" + rule
	i, ok := r.index[k]
	if !ok {
		i = len(r.Rules)
		r.index[k] = i
		r.Rules = append(r.Rules, RuleCount{Pass: pass, Rule: rule})
	}
	return &r.Rules[i]
}

// maxUnjudged is how many void and unknown cases a report lists.
const maxUnjudged = 10

// count adds the result of one case.
func (r *Report) count(c Case, res Result) {
	r.Programs++
	r.Unordered += res.Judged.Unordered
	r.Scheduled += res.Judged.Scheduled
	if res.stuck() {
		r.Stuck++
	}
	if k := res.Verdict.Kind; k == oracle.Void || k == oracle.Unknown {
		r.unjudged(fmt.Sprintf("%s: %s: %s", c.Name, k, res.Verdict.Why))
	}
	switch res.Verdict.Kind {
	case oracle.Same:
		r.Verdicts.Same++
	case oracle.Different:
		r.Verdicts.Different++
	case oracle.Undefined:
		r.Verdicts.Undefined++
	case oracle.Unknown:
		r.Verdicts.Unknown++
	default:
		r.Void++
	}
	for _, t := range res.Tally {
		for i := range t.Rules {
			r.rule(t.Pass.Name, t.Rules[i].Rule.Name).add(countOf(&t.Rules[i]))
		}
	}
}

// unjudged lists a case and why nobody knows of it, if it is one of the first.
func (r *Report) unjudged(why string) {
	if len(r.Unjudged) < maxUnjudged {
		r.Unjudged = append(r.Unjudged, why)
	}
}

func countOf(c *passes.Count) RuleCount {
	out := RuleCount{Considered: c.Considered, Fired: c.Fired, Refused: c.Refused}
	for _, w := range c.Why {
		if out.Reasons == nil {
			out.Reasons = map[string]int{}
		}
		out.Reasons[w.Why] += w.N
	}
	return out
}

// recount brings the files of findings up to date that more programs showed after they were written, or that others stand for now.
func (r *Report) recount() error {
	for _, f := range append(slices.Clip(r.Findings), r.united...) {
		if (f.Duplicates > 0 || f.United != "") && f.Reproducer != "" {
			if err := f.writeMeta(f.Reproducer); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish sets the figures that need the whole time.
func (r *Report) finish(seconds float64) {
	r.Seconds = seconds
	if r.Seconds > 0 {
		r.Rate = float64(r.Programs) / r.Seconds
	}
}

// WriteJSON prints the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// Merge adds the counts and findings of another level's report.
func (r *Report) Merge(o *Report) {
	r.Programs += o.Programs
	r.Void += o.Void
	r.Verdicts.Same += o.Verdicts.Same
	r.Verdicts.Different += o.Verdicts.Different
	r.Verdicts.Undefined += o.Verdicts.Undefined
	r.Verdicts.Unknown += o.Verdicts.Unknown
	r.Findings = append(r.Findings, o.Findings...)
	r.Known = append(r.Known, o.Known...)
	r.Unordered += o.Unordered
	r.Scheduled += o.Scheduled
	r.Stuck += o.Stuck
	r.Broken += o.Broken
	r.Exhausted = r.Exhausted || o.Exhausted
	for _, why := range o.Unjudged {
		r.unjudged(why)
	}
	for _, c := range o.Rules {
		known := len(r.Rules)
		mine := r.rule(c.Pass, c.Rule)
		if mine.add(c); len(r.Rules) > known || c.Starved == "" { // starved is what no level leaves anything
			mine.Starved = c.Starved
		}
	}
	r.finish(r.Seconds + o.Seconds)
}

// restore makes the report that of an earlier run over the same passes, as its JSON tells of it.
func (r *Report) restore(o *Report) {
	index, rules := r.index, r.Rules
	*r = *o
	r.index, r.Rules = index, rules
	for _, c := range o.Rules {
		r.rule(c.Pass, c.Rule).add(c)
	}
}

func (c *RuleCount) add(o RuleCount) {
	c.Considered += o.Considered
	c.Fired += o.Fired
	c.Refused += o.Refused
	for why, n := range o.Reasons {
		if c.Reasons == nil {
			c.Reasons = map[string]int{}
		}
		c.Reasons[why] += n
	}
}
