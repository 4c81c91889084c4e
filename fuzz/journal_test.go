package fuzz

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"birfuzz/ir/birtest"
	"birfuzz/passes"
)

// plantedCampaign finds a planted bug in some of its programs, more than once.
func plantedCampaign(bug string) *Campaign {
	return &Campaign{Seed: 4, Count: 14, Workers: 2, Passes: []passes.Pass{planted(bug)}}
}

// journaled gives a campaign a journal in dir, and what an earlier run left there.
func journaled(t *testing.T, c *Campaign, dir string) *Campaign {
	t.Helper()
	j, err := OpenJournal(dir, nil, 0)
	if errors.Is(err, fs.ErrNotExist) {
		j, err = NewJournal(dir, nil, 0), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	c.Out, c.Journal = dir, j.Level(c.Level)
	if c.Resume, err = c.Journal.Earlier(); err != nil {
		t.Fatal(err)
	}
	return c
}

// reportText returns the report as -json prints it, without the figures that time decides and where the folder is.
func reportText(t *testing.T, r *Report, dir string) string {
	t.Helper()
	r.Seconds, r.Rate = 0, 0
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), dir, "DIR")
}

// filesBelow returns the content of every file of a folder but the journal, whose reports hold times.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == JournalFile {
			return err
		}
		text, err := os.ReadFile(p)
		out[strings.TrimPrefix(p, dir)] = strings.ReplaceAll(string(text), dir, "DIR")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestResume: a campaign that was cut off anywhere, by an interrupt or without a word, and goes on from what stands in its folder, ends with
// the report and the files of one that nobody cut off.
func TestResume(t *testing.T) {
	if birtest.Quick() {
		t.Skip("shrinks again and again")
	}
	whole := t.TempDir()
	r, err := journaled(t, plantedCampaign("swap"), whole).Run(context.Background())
	if err != nil || len(r.Findings) == 0 || r.Findings[0].Duplicates == 0 {
		t.Fatalf("%v, %d findings, want one with duplicates", err, len(r.Findings))
	}
	want, files := reportText(t, r, whole), filesBelow(t, whole)
	for _, cut := range []int{1, 5, 9, 14} {
		dir := t.TempDir()
		ctx, stop := context.WithCancel(context.Background())
		c := journaled(t, plantedCampaign("swap"), dir)
		killed := t.TempDir()             // what is there after kill -9
		c.Merged = func(m Merged) error { // before the program is written down as done
			if m.Report.Programs == cut {
				stop()
				return os.CopyFS(filepath.Join(killed, "found"), os.DirFS(dir))
			}
			return nil
		}
		if cut == 1 { // there is nothing to copy yet
			c.Merged = func(Merged) error { stop(); return nil }
		}
		if _, err := c.Run(ctx); err != nil {
			t.Fatal(err)
		}
		stop()
		for _, from := range []string{dir, filepath.Join(killed, "found")} {
			again := journaled(t, plantedCampaign("swap"), from)
			if cut > 1 && (again.Resume == nil || again.Resume.Programs < cut-1) {
				t.Errorf("cut after %d: the journal holds %+v", cut, again.Resume)
			}
			r, err := again.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, reportText(t, r, from)); d != "" {
				t.Errorf("cut after %d: the report differs: %s", cut, d)
			}
			got := filesBelow(t, from)
			for name, text := range got {
				got[name] = strings.ReplaceAll(text, dir, "DIR")
			}
			if from == dir { // what was cut off in the making stands there too
				maps.DeleteFunc(got, func(name, _ string) bool { _, ok := files[name]; return !ok })
			}
			if d := cmp.Diff(files, got); d != "" {
				t.Errorf("cut after %d: the files differ: %s", cut, d)
			}
		}
	}
}

// TestJournalErrors: what cannot be gone on with is refused in one line that says why.
func TestJournalErrors(t *testing.T) {
	options := map[string]string{"seed": "2"}
	good := `{"birfuzz": "` + Version() + `", "options": {"seed": "2"}, "levels": [{"level": "O2", "report": {"programs": 7}}]}`
	for _, x := range []struct{ text, want string }{
		{good, ""},
		{"", "is damaged, delete it to begin anew: EOF"},
		{good[:len(good)-9], "is damaged, delete it to begin anew: unexpected EOF"},
		{strings.Replace(good, `"programs": 7`, `"programs": "many"`, 1), "is damaged, delete it to begin anew: level O2: json: "},
		{strings.Replace(good, `"programs": 7`, `"programs": -1`, 1), "is damaged, delete it to begin anew: level O2: no report"},
		{strings.Replace(good, `"programs": 7`, `"findings": [null]`, 1), "level O2: no report"},
		{strings.Replace(good, `"programs": 7`, `"known": [{}]`, 1), "level O2: a known finding without its entry"},
		{strings.Replace(good, `{"level": "O2", "report": {"programs": 7}}`, "null", 1), "is damaged, delete it to begin anew: no level"},
		{strings.Replace(good, "levels", "stairs", 1), `is damaged, delete it to begin anew: json: unknown field "stairs"`},
		{strings.Replace(good, Version(), "another", 1), "was written by birfuzz another, this is "},
		{strings.Replace(good, `"seed": "2"`, `"seed": "3"`, 1), "is of a campaign with -seed 3, this one has -seed 2: delete it to begin anew"},
		{strings.Replace(good, `"seed": "2"`, `"seed": "2", "checks": "value"`, 1), "is of a campaign with -checks value, this one has no -checks: delete it"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, JournalFile), []byte(x.text), 0o666); err != nil {
			t.Fatal(err)
		}
		j, err := OpenJournal(dir, options, 0)
		switch {
		case x.want == "" && err != nil:
			t.Errorf("%s: %v", x.text, err)
		case x.want == "":
			if r, err := j.Level("O2").Earlier(); err != nil || r.Programs != 7 {
				t.Errorf("%+v, %v, want 7 programs", r, err)
			}
		case err == nil || !strings.Contains(err.Error(), x.want) || !strings.HasPrefix(err.Error(), dir) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%s:\ngot  %v\nwant %s", x.text, err, x.want)
		}
	}
}

// TestNoRoomForJournal: a campaign whose journal cannot be written ends and says so; what stood there before is still there.
func TestNoRoomForJournal(t *testing.T) {
	dir := t.TempDir()
	c := journaled(t, plantedCampaign("swap"), dir)
	c.Merged = func(m Merged) error {
		if m.Report.Programs == 8 {
			c.Journal.journal.path = filepath.Join(dir, "gone", "gone", JournalFile)
			return os.WriteFile(filepath.Join(dir, "gone"), nil, 0o666)
		}
		return nil
	}
	r, err := c.Run(context.Background())
	if err == nil || !strings.Contains(err.Error(), "not a directory") || r.Programs != 8 {
		t.Errorf("%d programs, %v, want 8 and an error", r.Programs, err)
	}
	if again := journaled(t, plantedCampaign("swap"), dir); again.Resume == nil || again.Resume.Programs != 7 {
		t.Errorf("the journal holds %+v, want 7 programs", again.Resume)
	}
}
