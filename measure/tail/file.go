package tail

import "errors"

// ErrNotRegular: Open was given a directory, a pipe, a device or a socket.
var ErrNotRegular = errors.New("not a regular file")
