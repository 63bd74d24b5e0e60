package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// folder makes handover_x with one program and one text, both touched now.
func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "handover_x")
	for name, mode := range map[string]os.FileMode{"bin/handover": 0o700, "README.md": 0o640} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text of "+name), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestArchivesAreReproducible(t *testing.T) {
	for _, kind := range []string{"tar.gz", "zip"} {
		var packed [2][]byte
		for i := range packed {
			dir := folder(t)
			later := time.Now().Add(time.Duration(i) * time.Hour)
			if err := os.Chtimes(filepath.Join(dir, "README.md"), later, later); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "a."+kind)
			if err := pack(dir, file); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			packed[i] = data
		}
		if !bytes.Equal(packed[0], packed[1]) {
			t.Errorf("%s: the same folder gave other bytes", kind)
		}
		if diff := cmp.Diff(map[string]string{
			"handover_x/README.md":    "-rw-r--r-- text of README.md",
			"handover_x/bin/handover": "-rwxr-xr-x text of bin/handover",
		}, unpack(t, kind, packed[0])); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}

func TestOtherKindsAreRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.rar")
	if err := pack(folder(t), file); err == nil {
		t.Error("no error for .rar")
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Error("a refused archive was left behind")
	}
}

func unpack(t *testing.T, kind string, data []byte) map[string]string {
	t.Helper()
	got := map[string]string{}
	read := func(name string, mode os.FileMode, r io.Reader) {
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got[name] = mode.String() + " " + string(text)
	}
	if kind == "zip" {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			read(f.Name, f.Mode(), r)
		}
		return got
	}
	squeezed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(squeezed); ; {
		header, err := r.Next()
		if err == io.EOF {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		read(header.Name, header.FileInfo().Mode(), r)
	}
}
