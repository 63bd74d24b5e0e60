// Command archive packs a folder into a .tar.gz or .zip whose bytes depend on
// the folder's names, contents and execute bits only: names are sorted, owners
// and times are fixed.
//
//	archive FOLDER FILE
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: archive FOLDER FILE.tar.gz|FILE.zip")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "archive:", err)
		os.Exit(1)
	}
}

// epoch is the time that every packed file bears; zip knows none before 1980.
func epoch() time.Time { return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) }

// pack writes the archive of folder to file, replacing it.
func pack(folder, file string) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, out.Close()); err != nil {
			os.Remove(file)
		}
	}()
	if strings.HasSuffix(file, ".zip") {
		return packZip(folder, out)
	}
	if strings.HasSuffix(file, ".tar.gz") {
		return packTar(folder, out)
	}
	return fmt.Errorf("%s is neither a .tar.gz nor a .zip", file)
}

// each calls add for every regular file of the folder in sorted order, with
// its name in the archive and its mode, 0644 or 0755.
func each(folder string, add func(name string, mode fs.FileMode, data []byte) error) error {
	top := filepath.Base(folder)
	return fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", name)
		}
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 || strings.HasSuffix(name, ".exe") {
			mode = 0o755
		}
		return add(path.Join(top, name), mode, data)
	})
}

func packTar(folder string, out io.Writer) error {
	squeeze := gzip.NewWriter(out)
	w := tar.NewWriter(squeeze)
	err := each(folder, func(name string, mode fs.FileMode, data []byte) error {
		header := &tar.Header{Name: name, Mode: int64(mode), Size: int64(len(data)), ModTime: epoch(), Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if err := w.WriteHeader(header); err != nil {
			return err
		}
		_, err := w.Write(data)
		return err
	})
	return errors.Join(err, w.Close(), squeeze.Close())
}

func packZip(folder string, out io.Writer) error {
	w := zip.NewWriter(out)
	err := each(folder, func(name string, mode fs.FileMode, data []byte) error {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: epoch()}
		header.SetMode(mode)
		f, err := w.CreateHeader(header)
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		return err
	})
	return errors.Join(err, w.Close())
}
