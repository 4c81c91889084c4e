package fuzz

// FolderCount says what a corpus holds, and what a command did to it: the object that `birfuzz corpus -json` prints for each folder.
type FolderCount struct {
	Dir      string         `json:"dir"`
	Programs int            `json:"programs"`
	Insts    int            `json:"instructions"`
	Unusable int            `json:"unusable"` // files that were left out
	Findings int            `json:"findings"` // programs that a pass breaks
	Void     int            `json:"void"`     // programs that have no meaning
	Features map[string]int `json:"features"` // by kind
	Added    int            `json:"added"`
	Removed  int            `json:"removed"`
}

// Count returns what the corpus holds. r is the report of the campaign that measured it; nil: none did.
func (c *Corpus) Count(r *Report) FolderCount {
	n := FolderCount{Dir: c.dir, Programs: len(c.entries), Unusable: len(c.Bad), Features: c.covered.byKind()}
	for _, e := range c.entries {
		n.Insts += e.Insts
	}
	if r != nil {
		n.Findings, n.Void = r.Verdicts.Different+r.Verdicts.Undefined, r.Void
	}
	return n
}

// byKind counts features by the name of their kind.
func (c Covered) byKind() map[string]int {
	out := map[string]int{}
	for k, n := range c.Kinds() {
		out[FeatureKind(k).String()] = n
	}
	return out
}

// FeedCount says what a campaign that was fed from a corpus did.
type FeedCount struct {
	Dir      string         `json:"dir"`
	Programs int            `json:"programs"` // in the corpus at the end
	Added    int            `json:"added"`    // of these, by this campaign
	Unusable int            `json:"unusable"` // files that were left out
	Features map[string]int `json:"features"` // by kind: what all programs of the corpus and of the campaign showed
	Replayed int            `json:"replayed"` // cases by origin
	Fresh    int            `json:"fresh"`
	Varied   int            `json:"varied"`
	Spliced  int            `json:"spliced"`
	Void     int            `json:"void"`    // varied and spliced cases that have no meaning
	Tried    int            `json:"tried"`   // changes and joins made for them
	Refused  int            `json:"refused"` // of these, those that were no legal program and were taken back
}

// After returns the counts of a campaign that came after another one on the same corpus, with those of that one; nil: there was none.
func (n FeedCount) After(o *FeedCount) *FeedCount {
	if o != nil {
		n.Added += o.Added
		n.Replayed += o.Replayed
		n.Fresh += o.Fresh
		n.Varied += o.Varied
		n.Spliced += o.Spliced
		n.Void += o.Void
		n.Tried += o.Tried
		n.Refused += o.Refused
	}
	return &n
}
