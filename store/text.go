package store

import (
	"fmt"
	"unicode/utf8"
)

// MaxText is the most bytes that a handover, or a summary, may have.
const MaxText = 1 << 20

// checkText refuses what cannot be kept exactly, or is too large.
func checkText(part, text string) error {
	if len(text) > MaxText {
		return TooLargeError{Part: part, Size: int64(len(text)), Limit: MaxText}
	}
	if at := invalidUTF8(text); at >= 0 {
		return TextError{Part: part, Offset: int64(at), What: fmt.Sprintf("invalid UTF-8 (byte 0x%02x)", text[at])}
	}
	return nil
}

// invalidUTF8 is the offset of the first byte that is not part of a well-formed
// character, -1 where there is none.
func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// invisible counts the characters that a reader cannot see.
func invisible(texts ...string) Invisible {
	var n Invisible
	for _, text := range texts {
		for _, r := range text {
			if r >= 0x20 && r < 0x7f {
				continue // nearly all of nearly every text
			}
			switch {
			case r == '\t' || r == '\n' || r == '\r':
			case r < 0x20 || r >= 0x7f && r < 0xa0:
				n.Controls++
			case r < 0x061c:
			case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
				n.Bidi++
			case r == 0x180e, r >= 0x200b && r <= 0x200d, r == 0x2060, r == 0xfeff:
				n.ZeroWidth++
			case r >= 0xe0000 && r <= 0xe007f:
				n.Tags++
			}
		}
	}
	return n
}
