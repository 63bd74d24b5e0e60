package scan

import "math"

// Int takes an integer. ok is false if the value is not a number, is written with
// a fraction or an exponent (1.0 and 1e3 too: encoding/json gives no int64 for
// them either), or does not fit; it is then consumed.
func (s *Scanner) Int() (v int64, ok bool, err error) {
	c, err := s.begin()
	if err != nil {
		return 0, false, err
	}
	s.done()
	if kind, _ := kindOf(c); kind != Number {
		return 0, false, s.skip()
	}
	return s.number()
}

// number consumes a number that starts at the current byte. Its value is known
// only if it is written as an integer that fits.
func (s *Scanner) number() (v int64, exact bool, err error) {
	c, ok := s.peek()
	negative := ok && c == '-'
	if negative {
		s.r++
	}
	if c, ok = s.peek(); ok && c == '0' {
		s.r++
		exact = true
	} else if v, exact, err = s.digits(); err != nil {
		return 0, false, err
	}
	if negative {
		v = -v
	}
	// -v of the value that digits gives for 2^63 is itself: the lowest int64.
	exact = exact && (v >= 0 || negative)
	if c, ok = s.peek(); ok && c == '.' {
		s.r++
		exact = false
		if _, _, err := s.digits(); err != nil {
			return 0, false, err
		}
	}
	if c, ok = s.peek(); ok && c|0x20 == 'e' {
		s.r++
		exact = false
		if c, ok = s.peek(); ok && (c == '+' || c == '-') {
			s.r++
		}
		if _, _, err := s.digits(); err != nil {
			return 0, false, err
		}
	}
	if !exact {
		v = 0
	}
	return v, exact, nil
}

// digits consumes one digit or more. fits is false beyond 2^63, which itself is
// given as the lowest int64.
func (s *Scanner) digits() (v int64, fits bool, err error) {
	var sum uint64
	fits = true
	for some := false; ; some = true {
		c, ok := s.peek()
		if !ok && !some {
			return 0, false, s.ended()
		}
		if !ok || c-'0' > 9 {
			if !some {
				return 0, false, s.fail(ErrSyntax, "wanted a digit")
			}
			break
		}
		s.r++
		if sum > math.MaxInt64/10 {
			fits = false
		}
		if fits {
			sum = sum*10 + uint64(c-'0')
			fits = sum <= 1<<63
		}
	}
	return int64(sum), fits, nil
}
