//go:build unix

package passes

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the command the leader of a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends every process of the group that p leads or led. The number of a group stays taken while one of its processes lives; of
// one that has just emptied, no other process can have got it in the instant since.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) } //nolint:errcheck // ESRCH: all gone already
