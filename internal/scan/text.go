package scan

import "unicode/utf8"

// String takes a string, decoded. ok is false if the value is not a string, is
// longer than max bytes when decoded, or cannot be kept exactly: a lone surrogate
// escape or invalid UTF-8, which encoding/json would replace. The value is then
// consumed without being kept.
func (s *Scanner) String(max int) (text string, ok bool, err error) {
	c, err := s.begin()
	if err != nil {
		return "", false, err
	}
	s.done()
	if c != '"' {
		return "", false, s.skip()
	}
	b, ok, err := s.decode(max)
	if err != nil || !ok {
		return "", false, err
	}
	return string(b), true, nil
}

// decode consumes a string that starts at the current byte. The text is valid
// until s is used again.
func (s *Scanner) decode(max int) (text []byte, ok bool, err error) {
	s.r++
	// Nearly always the whole string is in the buffer and has no escape.
	rest := s.buf[s.r:s.w]
	if i := plain(rest); i < len(rest) && rest[i] == '"' {
		s.r += i + 1
		text = rest[:i]
		return text, i <= max && utf8.Valid(text), nil
	}
	if cap(s.text) > bufferSize {
		s.text = nil // one long string must not stay for the rest of a file
	}
	s.text = s.text[:0]
	// high is a high surrogate that waits for its low one.
	for high := rune(0); ; {
		if s.r == s.w && !s.fill() {
			return nil, false, s.ended()
		}
		rest := s.buf[s.r:s.w]
		i := plain(rest)
		if i > 0 && high != 0 || len(s.text)+i > max {
			return nil, false, s.skipString()
		}
		s.text = append(s.text, rest[:i]...)
		s.r += i
		if i == len(rest) {
			continue
		}
		s.r++
		switch rest[i] {
		case '"':
			return s.text, high == 0 && utf8.Valid(s.text), nil
		case '\\':
		default:
			s.r--
			return nil, false, s.fail(ErrSyntax, "control character in a string")
		}
		c, err := s.escape()
		if err != nil {
			return nil, false, err
		}
		switch {
		case high != 0 && isLow(c):
			c, high = (high-0xD800)<<10|(c-0xDC00)+0x10000, 0
		case high != 0 || isLow(c):
			return nil, false, s.skipString()
		case isHigh(c):
			high = c
			continue
		}
		if len(s.text)+utf8.RuneLen(c) > max {
			return nil, false, s.skipString()
		}
		s.text = utf8.AppendRune(s.text, c)
	}
}

func isHigh(c rune) bool { return 0xD800 <= c && c < 0xDC00 }
func isLow(c rune) bool  { return 0xDC00 <= c && c < 0xE000 }

// escape reads what comes after a backslash: one UTF-16 unit.
func (s *Scanner) escape() (rune, error) {
	c, ok := s.peek()
	if !ok {
		return 0, s.ended()
	}
	var unit rune
	switch c {
	case '"', '\\', '/':
		unit = rune(c)
	case 'b':
		unit = '\b'
	case 'f':
		unit = '\f'
	case 'n':
		unit = '\n'
	case 'r':
		unit = '\r'
	case 't':
		unit = '\t'
	case 'u':
		s.r++
		return s.hex4()
	default:
		return 0, s.fail(ErrSyntax, "unknown escape in a string")
	}
	s.r++
	return unit, nil
}

func (s *Scanner) hex4() (rune, error) {
	var unit rune
	for range 4 {
		c, ok := s.peek()
		if !ok {
			return 0, s.ended()
		}
		if !isHex(c) {
			return 0, s.fail(ErrSyntax, "wanted four hexadecimal digits")
		}
		s.r++
		digit := rune(c & 0x0F)
		if c > '9' {
			digit += 9
		}
		unit = unit<<4 | digit
	}
	return unit, nil
}

// skipString consumes the rest of a string, up to and with its closing quote.
func (s *Scanner) skipString() error {
	for {
		s.r += inside(s.buf[s.r:s.w])
		c, ok := s.peek()
		if !ok {
			return s.ended()
		}
		switch {
		case c == '"':
			s.r++
			return nil
		case c == '\\': // at the end of the buffer, or none that exists
			s.r++
			if _, err := s.escape(); err != nil {
				return err
			}
		case c < ' ':
			return s.fail(ErrSyntax, "control character in a string")
		}
	}
}
