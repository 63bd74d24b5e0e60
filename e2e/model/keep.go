package model

import (
	"fmt"
	"os"
	"path/filepath"
)

// Keep writes the log into a folder, for a person to read: the bodies as they
// were sent, and log.txt.
func (l *Log) Keep(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for _, r := range l.All() {
		if len(r.Body) == 0 {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%03d.json", r.Seq)), r.Body, 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, "log.txt"), []byte(l.String()), 0o600)
}
