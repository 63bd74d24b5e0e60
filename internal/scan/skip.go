package scan

// Skip consumes the value at the current position, whatever it is, and checks its
// syntax. Unlike the other methods it does not count as taking a member. It
// needs no stack: the depth of the value costs one bit a level.
func (s *Scanner) Skip() error {
	if _, err := s.begin(); err != nil {
		return err
	}
	s.pending = false
	return s.skip()
}

// skip consumes the next value.
func (s *Scanner) skip() error {
	for outer := s.depth; ; {
		c, err := s.space()
		if err != nil {
			return err
		}
		opened := false
		switch kind, kindErr := kindOf(c); kind {
		case Object, Array:
			opened, err = s.enter(kind == Object)
		case String:
			s.r++
			err = s.skipString()
		case Number:
			_, _, err = s.number()
		case Bool, Null:
			err = s.word(c)
		default:
			err = s.fail(kindErr, "no value starts like this")
		}
		if err != nil {
			return err
		}
		if opened {
			continue // at its first value
		}
		if done, err := s.leave(outer); done || err != nil {
			return err
		}
	}
}

// enter goes to the first value of the object or array at the current byte. It
// returns false where there is none; then the value is consumed.
func (s *Scanner) enter(object bool) (bool, error) {
	if s.depth == MaxDepth {
		return false, s.fail(ErrDepth, "an object or array")
	}
	s.r++
	c, err := s.space()
	if err != nil {
		return false, err
	}
	if c == closing(object) {
		s.r++
		return false, nil
	}
	bit := uint64(1) << (s.depth % 64)
	s.nest[s.depth/64] &^= bit
	if object {
		s.nest[s.depth/64] |= bit
	}
	s.depth++
	if object {
		return true, s.skipKey(c)
	}
	return true, nil
}

// leave goes on after a value that was consumed: to the next one of the same
// object or array, or out of those that end here. It returns true where the
// depth outer is reached.
func (s *Scanner) leave(outer int) (bool, error) {
	for s.depth > outer {
		top := s.depth - 1
		object := s.nest[top/64]>>(top%64)&1 != 0
		c, err := s.separator(closing(object))
		if err != nil {
			return false, err
		}
		if c != closing(object) {
			if object {
				err = s.skipKey(c)
			}
			return false, err
		}
		s.r++
		s.depth--
	}
	return true, nil
}

func closing(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}

// skipKey consumes the name of a member, whose first byte is c, and the colon.
func (s *Scanner) skipKey(c byte) error {
	if c != '"' {
		return s.fail(ErrSyntax, "wanted a name")
	}
	s.r++
	if err := s.skipString(); err != nil {
		return err
	}
	return s.colon()
}
