package scan

import (
	"slices"
	"strconv"
)

// Object calls member for each member of the object at the current position, in
// their order. member takes the value by one method of s, or returns without
// taking it: then it is skipped. key may be kept. Members whose name is longer
// than MaxKey or cannot be kept exactly (see String) are not offered.
//
// A member that was taken, or looked at by Kind, and comes again is ErrDuplicate;
// members that were skipped may repeat. The first error of member ends Object,
// which returns it as it is. On what is not an object: ErrKind, not final.
func (s *Scanner) Object(member func(key string) error) error {
	if err := s.open('{'); err != nil {
		return err
	}
	taken := len(s.taken)
	c, err := s.space()
	if err != nil {
		return err
	}
	for c != '}' {
		key, exact, err := s.key(c)
		if err != nil {
			return err
		}
		s.pending, s.told = true, false
		if exact {
			if slices.Contains(s.taken[taken:], key) {
				return s.fail(ErrDuplicate, strconv.Quote(key))
			}
			if err := member(key); err != nil {
				return s.stop(err)
			}
		}
		if err := s.finish(); err != nil {
			return err
		}
		if exact && s.told {
			if len(s.taken)-taken == MaxTaken {
				return s.fail(ErrMembers, strconv.Quote(key))
			}
			s.taken = append(s.taken, key)
		}
		if c, err = s.separator('}'); err != nil {
			return err
		}
	}
	s.taken = s.taken[:taken]
	s.close()
	return nil
}

// Array calls element for each element of the array at the current position with
// its index. Everything else is as for Object.
func (s *Scanner) Array(element func(i int) error) error {
	if err := s.open('['); err != nil {
		return err
	}
	c, err := s.space()
	if err != nil {
		return err
	}
	for i := 0; c != ']'; i++ {
		s.pending, s.told = true, false
		if err := element(i); err != nil {
			return s.stop(err)
		}
		if err := s.finish(); err != nil {
			return err
		}
		if c, err = s.separator(']'); err != nil {
			return err
		}
	}
	s.close()
	return nil
}

// open consumes the bracket that opens the value at the current position.
func (s *Scanner) open(bracket byte) error {
	c, err := s.begin()
	if err != nil {
		return err
	}
	if c != bracket {
		if _, err := kindOf(c); err != nil {
			return s.fail(err, "no value starts like this")
		}
		s.told = true
		return s.at(ErrKind, "wanted "+string(rune(bracket)))
	}
	if s.depth == MaxDepth {
		return s.fail(ErrDepth, "an object or array")
	}
	s.depth++
	s.r++
	return nil
}

// close consumes the closing bracket.
func (s *Scanner) close() {
	s.depth--
	s.r++
	s.done()
}

// finish skips the value at the current position if the callback left it.
func (s *Scanner) finish() error {
	if s.err != nil {
		return s.err // a callback that swallowed an error
	}
	if s.pending {
		s.pending = false
		return s.skip()
	}
	return nil
}

// separator goes on after a member or element: to the closing bracket, which it
// returns and leaves, or over a comma to the first byte of the next one.
func (s *Scanner) separator(closing byte) (byte, error) {
	c, err := s.space()
	if err != nil || c == closing {
		return c, err
	}
	if c != ',' {
		return 0, s.fail(ErrSyntax, "wanted a comma or "+string(rune(closing)))
	}
	s.r++
	if c, err = s.space(); err == nil && c == closing {
		return 0, s.fail(ErrSyntax, "comma before "+string(rune(closing)))
	}
	return c, err
}

// key reads the name of a member, whose first byte is c, and the colon. exact is
// false if the name cannot be offered.
func (s *Scanner) key(c byte) (name string, exact bool, err error) {
	if c != '"' {
		return "", false, s.fail(ErrSyntax, "wanted a name")
	}
	text, exact, err := s.decode(MaxKey)
	if err != nil {
		return "", false, err
	}
	if exact {
		name = s.names.of(text)
	}
	return name, exact, s.colon()
}

func (s *Scanner) colon() error {
	c, err := s.space()
	if err != nil {
		return err
	}
	if c != ':' {
		return s.fail(ErrSyntax, "wanted a colon")
	}
	s.r++
	return nil
}
