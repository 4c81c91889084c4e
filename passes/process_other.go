//go:build !unix

package passes

import (
	"os"
	"os/exec"
)

// ownGroup does nothing: there are no process groups here.
func ownGroup(*exec.Cmd) {}

// killGroup ends the process alone.
func killGroup(p *os.Process) { p.Kill() } //nolint:errcheck // gone already
