package scan

import "math/bits"

// plain is the number of bytes at the start of b that stand for themselves in a
// JSON string: anything but the quote, the backslash and control characters.
//
// It looks at eight bytes at a time. x-ones*n borrows into the top bit of a byte
// that is below n; with &^x this is exact for the lowest such byte, which is all
// that is used (a borrow can only spoil the bytes above it).
func plain(b []byte) int {
	const (
		ones  = 0x0101010101010101
		tops  = 0x80 * ones
		quote = '"' * ones
		slash = '\\' * ones
		space = ' ' * ones
	)
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := load(b[i:])
		q, s := x^quote, x^slash
		if found := ((q-ones)&^q | (s-ones)&^s | (x-space)&^x) & tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == '"' || c == '\\' || c < ' ' {
			break
		}
	}
	return i
}

// load is the first eight bytes of b, the first one lowest. The compiler makes
// it one load; encoding/binary would bring reflect along.
func load(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
