package store

import "os"

// SameProject reports whether two paths are one directory, however they are
// spelled (a symbolic link, another Unicode form). Equal paths are one project
// also where the directory is gone; an empty path is none.
func SameProject(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if a == b {
		return true
	}
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
