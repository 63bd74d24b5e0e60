package scan

import "io"

// Document reads the whole input as one object: Object, then End. In any case,
// also when member stopped early, everything is drained.
func (s *Scanner) Document(member func(key string) error) error {
	if err := s.Object(member); err != nil {
		_, _ = s.Drain() // the first error is the one that counts
		return err
	}
	return s.End()
}

// End says whether the input was one well-formed value: it skips the value if
// it was not taken, and after it only white space may follow. In any case, also
// after an error, everything is drained.
func (s *Scanner) End() error {
	err := s.end()
	if _, drainErr := s.Drain(); err == nil {
		err = drainErr
	}
	return err
}

func (s *Scanner) end() error {
	if s.err != nil {
		return s.err
	}
	if s.depth > 0 {
		return s.fail(ErrUse, "End inside a value")
	}
	if s.pending || !s.begun {
		if err := s.Skip(); err != nil {
			return err
		}
	}
	if _, err := s.space(); err == nil {
		return s.fail(ErrSyntax, "something after the value")
	}
	if s.srcErr != io.EOF {
		return s.srcErr
	}
	s.err = nil // the end came where it may
	return nil
}

// Drain reads everything that is left and returns how many bytes it was. Hosts
// count an unread stdin as a failure. It works after any error; its own is that
// of the reader. Nothing can be taken afterwards.
func (s *Scanner) Drain() (int64, error) {
	from := s.Offset()
	s.keeping, s.kept = false, nil
	for more := true; more; more = s.fill() {
		s.r = s.w
	}
	if s.srcErr != io.EOF {
		return s.Offset() - from, s.srcErr
	}
	return s.Offset() - from, nil
}
