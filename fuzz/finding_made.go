package fuzz

import (
	"runtime"
	"runtime/debug"
)

// Made says by what a finding was made. The JSON keys are never renamed.
type Made struct {
	Birfuzz  string   `json:"birfuzz"`           // version, and the commit where the build knows it
	Go       string   `json:"go"`                // release
	Platform string   `json:"platform"`          // GOOS/GOARCH
	Options  []string `json:"options,omitempty"` // the command line
}

func made(options []string) *Made {
	return &Made{Birfuzz: Version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Options: options}
}

// shortCommit is how many digits of a commit people need.
const shortCommit = 12

// Version returns which birfuzz this is, as its build knows it: the version of the module, the commit, and whether files were changed since.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += " " + s.Value[:min(len(s.Value), shortCommit)]
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " with changes"
		}
	}
	return text
}
