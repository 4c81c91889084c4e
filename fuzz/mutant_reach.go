package fuzz

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/cover"
)

// reach says how often the campaigns of some levels went through each block of the mutated package.
type reach struct {
	levels []string
	blocks []map[string][]cover.ProfileBlock // by level, then by file from the module root
}

// reachPrograms is how many programs a level is measured by, unless the user asks for another number.
const reachPrograms = 400

// measure runs a campaign of each level without a mutant in a birfuzz that counts. A finding is an error: kills would prove nothing.
func (b *bench) measure(ctx context.Context, levels []string, programs int) (*reach, error) {
	p := executable{binary: filepath.Join(b.tmp, "counting")}
	covered := goCommand{target: commandPackage, verb: []string{"build", "-cover", "-covermode=count",
		"-coverpkg=./" + operatorPackage + "," + commandPackage}} // a program whose main package is not counted writes no counts
	if err := b.compile(ctx, covered, p.binary, nil); err != nil {
		return nil, fmt.Errorf("a birfuzz that counts %w", err)
	}
	r := &reach{levels: levels}
	for i, level := range levels {
		folder := filepath.Join(b.tmp, fmt.Sprint("counts", i))
		if err := os.Mkdir(folder, 0o700); err != nil {
			return nil, err
		}
		p.environment = []string{"GOCOVERDIR=" + folder}
		found, _, err := p.run(ctx, []string{"fuzz", "-json", "-seed", fmt.Sprint(b.hunt.Seed), "-count", fmt.Sprint(programs), "-level", level,
			"-out", filepath.Join(b.tmp, "found")})
		switch {
		case err != nil:
			return nil, fmt.Errorf("level %s without a mutant: %w", level, err)
		case len(found.Findings) > 0:
			return nil, fmt.Errorf("level %s without a mutant: pass %s breaks a program (%s); mend that first", level, found.Findings[0].Pass, found.Findings[0].Class)
		}
		blocks, err := b.profile(ctx, folder)
		if err != nil {
			return nil, err
		}
		r.blocks = append(r.blocks, blocks)
	}
	return r, nil
}

// profile reads what a counting run has left in a folder.
func (b *bench) profile(ctx context.Context, folder string) (map[string][]cover.ProfileBlock, error) {
	text := folder + ".txt"
	cmd := exec.CommandContext(ctx, b.goTool, "tool", "covdata", "textfmt", "-i", folder, "-o", text)
	cmd.Dir = b.hunt.Root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, errors.New(compilerLine(string(out), err))
	}
	profiles, err := cover.ParseProfiles(text)
	if err != nil {
		return nil, err
	}
	blocks := map[string][]cover.ProfileBlock{}
	for _, p := range profiles {
		blocks[strings.TrimPrefix(p.FileName, moduleName+"/")] = p.Blocks
	}
	return blocks, nil
}

// of returns the levels that go through a site, the busiest there first.
func (r *reach) of(s *operatorSite) []string {
	type visited struct {
		level string
		times int
	}
	var busy []visited
	for i, level := range r.levels {
		for _, b := range r.blocks[i][s.file] {
			if b.Count > 0 && !before(s.at.Line, s.at.Column, b.StartLine, b.StartCol) && before(s.at.Line, s.at.Column, b.EndLine, b.EndCol) {
				busy = append(busy, visited{level, b.Count})
				break
			}
		}
	}
	slices.SortStableFunc(busy, func(a, b visited) int { return b.times - a.times })
	var out []string
	for _, v := range busy {
		out = append(out, v.level)
	}
	return out
}

func before(line, column, line2, column2 int) bool {
	return line < line2 || line == line2 && column < column2
}
