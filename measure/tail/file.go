package tail

import "errors"

// ErrNotRegular: the path names a directory, a pipe or a device.
var ErrNotRegular = errors.New("not a regular file")

// Size is the size in bytes that the file had when it was opened. What is
// appended later is not looked at.
func (f *File) Size() int64 { return f.size }
