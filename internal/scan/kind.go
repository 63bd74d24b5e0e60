package scan

// Kind is what a JSON value is.
type Kind uint8

// The kinds of values. The zero Kind is none of them.
const (
	Object Kind = iota + 1
	Array
	String
	Number
	Bool
	Null
)

func (k Kind) String() string {
	names := [...]string{"none", "object", "array", "string", "number", "bool", "null"}
	return names[int(k)%len(names)]
}

// Kind tells what the value at the current position is, from its first byte, and
// leaves it there.
func (s *Scanner) Kind() (Kind, error) {
	c, err := s.begin()
	if err != nil {
		return 0, err
	}
	kind, err := kindOf(c)
	if err != nil {
		return 0, s.fail(err, "no value starts like this")
	}
	s.told = true
	return kind, nil
}

func kindOf(c byte) (Kind, error) {
	switch c {
	case '{':
		return Object, nil
	case '[':
		return Array, nil
	case '"':
		return String, nil
	case 't', 'f':
		return Bool, nil
	case 'n':
		return Null, nil
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return Number, nil
	}
	return 0, ErrSyntax
}

// Bool takes true or false. ok is false if the value is neither; it is then
// consumed.
func (s *Scanner) Bool() (v, ok bool, err error) {
	c, err := s.begin()
	if err != nil {
		return false, false, err
	}
	s.done()
	if err := s.skip(); err != nil {
		return false, false, err
	}
	return c == 't', c == 't' || c == 'f', nil
}

// word consumes the true, false or null that starts at the current byte, c.
func (s *Scanner) word(c byte) error {
	want := "null"
	switch c {
	case 't':
		want = "true"
	case 'f':
		want = "false"
	}
	for i := range len(want) {
		c, ok := s.peek()
		if !ok {
			return s.ended()
		}
		if c != want[i] {
			return s.fail(ErrSyntax, "wanted "+want)
		}
		s.r++
	}
	return nil
}
