package fuzz

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes a file so that a reader never sees half of it. What is there already and is no file but a device or a pipe is written to, not
// replaced.
func WriteFile(path, text string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil: // a new one
	case info.IsDir():
		return fmt.Errorf("%s is a folder, want a file", path)
	case !info.Mode().IsRegular():
		return os.WriteFile(path, []byte(text), 0o644)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err // the name it tells is of the file that takes the place of the other
		}
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.WriteString(text)
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := os.Chmod(tmp.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
