package scan

import "math/bits"

// plain is the number of bytes at the start of b that stand for themselves in a
// JSON string: anything but the quote, the backslash and control characters.
func plain(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		if found := special(load(b[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b); i++ {
		if isSpecial(b[i]) {
			break
		}
	}
	return i
}

// inside is the number of bytes at the start of b that are surely the inside of
// a JSON string: plain ones and whole escapes. It stops at the closing quote, at
// what must not stand there, and where b ends in an escape. This is the loop in
// which a hook spends its time on a large stdin.
func inside(b []byte) int {
	i := 0
	for {
		for i+8 <= len(b) {
			if found := special(load(b[i:])); found != 0 {
				i += bits.TrailingZeros64(found) / 8
				break
			}
			i += 8
		}
		for i < len(b) && !isSpecial(b[i]) {
			i++
		}
		if i == len(b) || b[i] != '\\' {
			return i
		}
		for i < len(b) && b[i] == '\\' { // escapes come in runs
			switch {
			case i+1 < len(b) && isShortEscape(b[i+1]):
				i += 2
			case i+6 <= len(b) && b[i+1] == 'u' && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]) && isHex(b[i+5]):
				i += 6
			default:
				return i
			}
		}
	}
}

func isSpecial(c byte) bool { return c == '"' || c == '\\' || c < ' ' }

// isShortEscape reports whether c makes an escape of two bytes: one of "\/bfnrt.
func isShortEscape(c byte) bool {
	const (
		low  = 1<<'"' | 1<<'/'
		high = 1<<('\\'-64) | 1<<('b'-64) | 1<<('f'-64) | 1<<('n'-64) | 1<<('r'-64) | 1<<('t'-64)
	)
	set := uint64(low)
	if c >= 64 {
		set = high
	}
	return c < 128 && set>>(c%64)&1 != 0
}

func isHex(c byte) bool { return c-'0' <= 9 || (c|0x20)-'a' <= 5 }

// special has the top bit of a byte set where x has a special byte, and is exact
// up to the lowest one. x-ones*n borrows into the top bit of a byte that is below
// n; with &^x nothing else sets it but a borrow that came from a lower byte, which
// was special itself.
func special(x uint64) uint64 {
	const (
		ones  = 0x0101010101010101
		tops  = 0x80 * ones
		quote = '"' * ones
		slash = '\\' * ones
		space = ' ' * ones
	)
	q, s := x^quote, x^slash
	return ((q-ones)&^q | (s-ones)&^s | (x-space)&^x) & tops
}

// load is the first eight bytes of b, the first one lowest. The compiler makes
// it one load; encoding/binary would bring reflect along.
func load(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
