package main

import (
	"cmp"
	"fmt"
	"os"
)

// probeFolders finds out whether the folders of -out and -corpus can be written to, before hours are spent on what is to go there.
func (f *flags) probeFolders() error {
	return cmp.Or(probeFolder("-out", f.out), probeFolder("-corpus", f.corpus))
}

// probeFolder does so for the folder of one flag, which need not exist. It leaves nothing behind.
func probeFolder(flag, dir string) error {
	if dir == "" {
		return nil
	}
	_, err := os.Stat(dir)
	fresh := os.IsNotExist(err)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	tmp, err := os.CreateTemp(dir, ".part-*")
	if err != nil {
		return fmt.Errorf("%s: cannot write to the folder: %w", flag, err)
	}
	tmp.Close()
	os.Remove(tmp.Name())
	if fresh {
		os.Remove(dir) // fails, as it should, if somebody put something there meanwhile
	}
	return nil
}
