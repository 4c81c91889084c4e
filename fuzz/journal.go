package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// JournalFile is the name of a campaign's journal in its folder of findings.
const JournalFile = "campaign.json"

// JournalEvery is how often a journal is written: what a crash of the machine costs.
const JournalEvery = time.Second

// Journal is what a campaign writes down of itself beside its findings, so that one that was cut off, by whatever, goes on where it was: with
// the counts so far, and the program behind the last one that is in them. It is written whole now and then; the file is never half of one.
type Journal struct {
	Birfuzz string            `json:"birfuzz"` // Version of who wrote it: another one may make other programs
	Options map[string]string `json:"options"` // what decides what the campaign does, by flag
	Levels  []*Stretch        `json:"levels"`

	path  string
	every time.Duration
	saved time.Time
}

// Stretch is the part of a journal that is about the campaign over one level. A nil one writes nothing down.
type Stretch struct {
	Level  string          `json:"level"`
	Report json.RawMessage `json:"report"` // of all programs that are done; as many are those it counts

	journal *Journal
	report  *Report // what the next writing is to hold; nil: Report, as it stands
}

// NewJournal returns the journal of a campaign with these options that begins anew, to be written into dir every so often.
func NewJournal(dir string, options map[string]string, every time.Duration) *Journal {
	return &Journal{Birfuzz: Version(), Options: options, path: filepath.Join(dir, JournalFile), every: every, saved: time.Now()}
}

// OpenJournal returns the journal that an earlier run with the same options left in dir. The error is fs.ErrNotExist where there is none, and
// says what is wrong with it where it cannot be gone on with.
func OpenJournal(dir string, options map[string]string, every time.Duration) (*Journal, error) {
	j := NewJournal(dir, options, every)
	text, err := os.ReadFile(j.path)
	if err != nil {
		return nil, err
	}
	was := Journal{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&was); err != nil {
		return nil, fmt.Errorf("%s is damaged, delete it to begin anew: %w", j.path, err)
	}
	if was.Birfuzz != j.Birfuzz {
		return nil, fmt.Errorf("%s was written by birfuzz %s, this is %s, which may make other programs: delete it to begin anew", j.path, was.Birfuzz, j.Birfuzz)
	}
	for _, name := range slices.Sorted(maps.Keys(union(was.Options, options))) {
		if had, has := was.Options[name], options[name]; had != has {
			return nil, fmt.Errorf("%s is of a campaign with %s, this one has %s: delete it to begin anew", j.path, spelt(name, had), spelt(name, has))
		}
	}
	if slices.Contains(was.Levels, nil) {
		return nil, fmt.Errorf("%s is damaged, delete it to begin anew: no level", j.path)
	}
	for _, s := range was.Levels {
		if _, err := s.Earlier(); err != nil {
			return nil, fmt.Errorf("%s is damaged, delete it to begin anew: level %s: %w", j.path, s.Level, err)
		}
		s.journal = j
	}
	j.Levels = was.Levels
	return j, nil
}

// SetAside renames the journal that an earlier campaign left in the folder, so that beginning anew does not end what could be gone on with. It
// returns its name now, "" where there was none.
func (j *Journal) SetAside() (string, error) {
	old := j.path + ".old"
	switch err := os.Rename(j.path, old); {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	}
	return old, nil
}

// Begin writes the journal down before anything is done: the first program may take long, and who is killed meanwhile goes on as well.
func (j *Journal) Begin() error { return j.save() }

func union(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, b)
	return out
}

func spelt(name, value string) string {
	if value == "" {
		return "no -" + name
	}
	return "-" + name + " " + value
}

// Level returns the stretch of the campaign over that level, with what the journal knows of it.
func (j *Journal) Level(name string) *Stretch {
	for _, s := range j.Levels {
		if s.Level == name {
			return s
		}
	}
	s := &Stretch{Level: name, journal: j}
	j.Levels = append(j.Levels, s)
	return s
}

// Earlier returns the report that the stretch holds; nil if it holds none.
func (s *Stretch) Earlier() (*Report, error) {
	if len(s.Report) == 0 || string(s.Report) == "null" {
		return nil, nil
	}
	r := &Report{}
	if err := json.Unmarshal(s.Report, r); err != nil {
		return nil, err
	}
	if r.Programs < 0 || slices.Contains(r.Findings, nil) || slices.Contains(r.Known, nil) {
		return nil, errors.New("no report of a campaign")
	}
	for _, f := range r.Known {
		if f.Known == nil {
			return nil, errors.New("a known finding without its entry")
		}
	}
	return r, nil
}

// hold remembers the report as it is, whatever is done to it before the next note.
func (s *Stretch) hold(r *Report) error {
	if s == nil {
		return nil
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.Report, s.report = text, nil
	return nil
}

// note says that all that r counts is done. It is written down if the last time is long ago, or at once.
func (s *Stretch) note(r *Report, atOnce bool) error {
	if s == nil {
		return nil
	}
	s.report = r
	if atOnce || time.Since(s.journal.saved) >= s.journal.every {
		return s.save()
	}
	return nil
}

// close writes down what is done.
func (s *Stretch) close() error {
	if s == nil {
		return nil
	}
	return s.save()
}

func (s *Stretch) save() error {
	if s.report != nil {
		if err := s.hold(s.report); err != nil {
			return err
		}
	}
	return s.journal.save()
}

func (j *Journal) save() error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(j.path), 0o777); err != nil {
		return err
	}
	j.saved = time.Now()
	if err := WriteFile(j.path, string(text)+"\n"); err != nil {
		return fmt.Errorf("cannot write down how far the campaign is: %w", err)
	}
	return nil
}

// Discard deletes the journal: nothing is left to be done. The folder goes with it if nothing else is in it.
func (j *Journal) Discard() {
	os.Remove(j.path)               //nolint:errcheck // there may be none
	os.Remove(filepath.Dir(j.path)) //nolint:errcheck // fails, as it should, where there are findings
}
