package fuzz

import "context"

// Merged is a case that a campaign has counted.
type Merged struct {
	Index  int
	Case   Case
	Result Result
	Report *Report // the campaign's, with the case counted; whoever is shown it leaves it alone
}

// step merges one outcome. A finding that was cut off in the making is filed as it is, but not written down as done, and neither is what comes
// behind it: whoever resumes the campaign makes it again.
func (c *Campaign) step(ctx context.Context, r *Report, o outcome) error {
	if o.result.Failed && !c.cut {
		if err := c.Journal.hold(r); err != nil {
			return err
		}
	}
	m := Merged{o.index, o.c, o.result, r}
	if c.Feed != nil && !c.cut { // it counts on every case, in order; one that it cannot keep is not counted, and made again
		if err := c.Feed.Merged(&m); err != nil {
			return err
		}
	}
	if err := c.merge(ctx, r, o); err != nil {
		return err
	}
	c.cut = c.cut || o.result.Failed && ctx.Err() != nil
	if c.cut {
		return nil
	}
	if c.Merged != nil {
		if err := c.Merged(m); err != nil {
			return err
		}
	}
	return c.Journal.note(r, len(r.Findings) > 0 && o.result.Failed)
}

// merge counts one outcome, and files its finding if no other stands for the same cause. Whether one does, its rule tells or, if need be, what
// is left of the program when it is small.
func (c *Campaign) merge(ctx context.Context, r *Report, o outcome) error {
	r.count(o.c, o.result)
	if o.broke != "" {
		r.Broken++
	}
	if !o.result.Failed {
		return nil
	}
	if o.broke != "" {
		r.unjudged(o.c.Name + ": found, and no rewrite blamed: birfuzz itself broke down: " + o.broke)
	}
	f := newFinding(o.c, c.Level, c.Oracle, o.result, o.blame)
	f.Made = made(c.Options)
	if f.Known = c.Known.match(f, false); f.Known == nil && r.settled(f, c.NoShrink || o.result.stuck()) {
		return nil
	}
	if f.Known == nil {
		c.reduce(ctx, r, f, o)
		f.Known = c.Known.match(f, true)
	}
	if !r.add(f) || f.Known != nil {
		return nil
	}
	if c.Out != "" {
		if err := f.Write(c.Out); err != nil {
			return err
		}
	}
	if c.Found != nil {
		c.Found(f)
	}
	return nil
}

// reduce makes a finding small and confirms it. One that birfuzz itself breaks down on stays as it was found.
func (c *Campaign) reduce(ctx context.Context, r *Report, f *Finding, o outcome) {
	why := guarded(func() {
		Minimise(ctx, f, o.c, o.result, c.Oracle, c.NoShrink)
		if !o.result.stuck() {
			f.confirm(ctx, c.Oracle)
		}
	})
	if why != "" {
		if o.broke == "" {
			r.Broken++
		}
		r.unjudged(o.c.Name + ": found, and not made small: birfuzz itself broke down: " + why)
	}
}
