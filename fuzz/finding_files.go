package fuzz

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"birfuzz/ir/birjson"
	"birfuzz/passes"
)

// Write files the finding under dir in a folder named by class, pass and signature. Files appear whole or not at all:
//
//	finding.bir            the story as comments, and the program before the pass
//	finding.bir.json       the program in the other form
//	finding.io.json        its inputs
//	finding.json           what -json says of the finding: schedule, versions and options among it
//	reproduce.sh           a test for whoever owns the pass: status 1 while it is broken, 0 when it is mended
//	finding_test.bir.txt   of our own passes, a text test as passes/testdata has them
func (f *Finding) Write(dir string) error {
	folder := filepath.Join(dir, fileName(fmt.Sprintf("%s-%s-%s", f.Class, f.Pass, f.Signature)))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	f.Reproducer = folder
	if err := f.writeTo(folder); err != nil {
		f.Reproducer = ""
		return err
	}
	return nil
}

func (f *Finding) writeTo(folder string) error {
	var bir, io strings.Builder
	if err := birjson.Write(&bir, f.before); err != nil {
		return err
	}
	if err := birjson.WriteIO(&io, &birjson.IO{Source: f.Program, Licence: "Apache-2.0", Inputs: inputsOf(f.before, f.inputs)}); err != nil {
		return err
	}
	for _, part := range []struct{ name, text string }{
		{"finding.bir", f.Text()}, {"finding.bir.json", bir.String()}, {"finding.io.json", io.String()}, {"reproduce.sh", f.script()},
		{"finding_test.bir.txt", f.textTest()},
	} {
		if part.text == "" {
			continue
		}
		path := filepath.Join(folder, part.name)
		if err := WriteFile(path, part.text); err != nil {
			return err
		}
		if strings.HasSuffix(path, ".sh") {
			if err := os.Chmod(path, 0o755); err != nil {
				return err
			}
		}
	}
	return f.writeMeta(folder)
}

// writeMeta writes finding.json: what -json says of the finding.
func (f *Finding) writeMeta(folder string) error {
	meta, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(folder, "finding.json"), string(meta)+"\n")
}

// script returns a shell script that shows the finding again. It stays in the folder from which it is called: a pass that is a command with a
// relative path needs that.
func (f *Finding) script() string {
	return fmt.Sprintf(`#!/bin/sh
# %s by %s: status 1 while the pass breaks the program beside this script, 0 once it is mended.
# Call it from where the passes are found. BIRFUZZ names the birfuzz to ask.
exec "${BIRFUZZ:-birfuzz}" check %s "$(dirname "$0")/finding.bir" "$@"
`, f.Class, f.Pass, f.arguments())
}

// textTest returns a text test of the pass: it must do all that it does without the rewrite that is to blame, and nothing else. Empty where
// the pass is not ours, or is not right without it either.
func (f *Finding) textTest() string {
	if f.refused == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "; %s broke this program once (%s). Put this file among the text tests of the pass, as NAME.bir, to keep it mended.\n", f.Rule, f.Class)
	fmt.Fprintf(&b, "; run: %s\n", f.Run)
	o := passes.Unlimited()
	o.Refuse = f.refused
	was := f.before.String()
	want := was
	passes.Run(f.before.Clone(), []passes.Pass{*f.pass}, o, func(s *passes.Step) bool {
		for _, n := range s.Tally {
			if n.Fired > 0 {
				fmt.Fprintf(&b, "; fires: %s %d\n", n.Rule.Name, n.Fired)
			}
		}
		want = s.After.String()
		return true
	})
	if want == was {
		want = "unchanged\n"
	}
	b.WriteString(was + "; want:\n")
	for line := range strings.Lines(want) {
		b.WriteString(strings.TrimRight("; "+line, " \n") + "\n")
	}
	return b.String()
}

// fileName keeps letters, digits, dot, dash and underscore.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
			return r
		}
		return '_'
	}, s)
}
