package birtest

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// packed is the time that every file of an archive bears, so that equal files give equal archives. Zip knows no earlier one.
var packed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// packFolder packs the files of a folder, and puts the README.md among them beside the archive as readme: origin and licence must be readable
// without unpacking.
func packFolder(archive, readme, from string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(from, e.Name())); err != nil {
			return err
		}
	}
	data, err := pack(files)
	if err != nil {
		return err
	}
	return writeAll(map[string][]byte{archive: data, readme: files["README.md"]})
}

func writeAll(files map[string][]byte) error {
	for name, data := range files {
		if len(data) == 0 {
			return fmt.Errorf("nothing to write to %s", name)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pack returns a zip archive of the files, sorted by name.
func pack(files map[string][]byte) ([]byte, error) {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: packed})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}
