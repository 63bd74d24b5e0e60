package scan

import "strings"

// names makes strings of the names of members. It remembers those it met last, so
// that rows of one shape cost no allocation, and cuts new ones from a common
// piece of memory, so that a first row costs few. The strings are ordinary ones:
// what they stand on is never written again.
type names struct {
	known [128]string
	piece strings.Builder
}

const (
	// internMax is the longest name, in bytes, that is remembered.
	internMax = 64
	// pieceSize is how many bytes of names are allocated at once.
	pieceSize = 512
)

func (n *names) of(b []byte) string {
	if len(b) > internMax {
		return string(b)
	}
	h := uint32(2166136261) // FNV-1a
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	h ^= h >> 16
	slot := &n.known[h%uint32(len(n.known))]
	for i := range uint32(4) {
		at := &n.known[(h+i)%uint32(len(n.known))]
		if *at == string(b) {
			return *at
		}
		if *at == "" {
			slot = at
			break
		}
	}
	*slot = n.cut(b)
	return *slot
}

func (n *names) cut(b []byte) string {
	if n.piece.Cap()-n.piece.Len() < len(b) {
		n.piece.Reset()
		n.piece.Grow(pieceSize)
	}
	n.piece.Write(b)
	all := n.piece.String()
	return all[len(all)-len(b):]
}
