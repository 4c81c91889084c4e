package main

import (
	"fmt"
	"os"
)

// probeOut finds out whether the folder of -out can be written to, before hours are spent on what is to go there. It leaves nothing behind.
func (f *flags) probeOut() error {
	if f.out == "" {
		return nil
	}
	_, err := os.Stat(f.out)
	fresh := os.IsNotExist(err)
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	tmp, err := os.CreateTemp(f.out, ".part-*")
	if err != nil {
		return fmt.Errorf("-out: cannot write to the folder: %w", err)
	}
	tmp.Close()
	os.Remove(tmp.Name())
	if fresh {
		os.Remove(f.out) // fails, as it should, if somebody put something there meanwhile
	}
	return nil
}
