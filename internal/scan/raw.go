package scan

// Raw takes the text of the value at the current position as it stands, without
// the white space around it. ok is false if it is longer than max bytes; it is
// then consumed without being kept. A value can be kept this way until a later
// member tells what it means, and read with NewBytes. Its strings are as they
// came: String on them says which cannot be kept exactly.
//
// The text of a Scanner over bytes is a part of these bytes, else it is the
// caller's own.
func (s *Scanner) Raw(max int) (text []byte, ok bool, err error) {
	if _, err := s.begin(); err != nil {
		return nil, false, err
	}
	s.done()
	s.keeping, s.over, s.mark, s.keepMax = true, false, s.r, max
	if err := s.skip(); err != nil {
		return nil, false, err
	}
	if s.src == nil {
		text = s.buf[s.mark:s.r:s.r]
		s.over = len(text) > max
	} else {
		s.keep()
		text = s.kept
	}
	s.keeping, s.kept = false, nil
	if s.over {
		return nil, false, nil
	}
	return text, true, nil
}

// keep adds what Raw wants of the buffer before that is overwritten.
func (s *Scanner) keep() {
	if !s.keeping || s.over {
		return
	}
	if part := s.buf[s.mark:s.r]; len(s.kept)+len(part) > s.keepMax {
		s.over, s.kept = true, nil
	} else {
		s.kept = append(s.kept, part...)
	}
}
