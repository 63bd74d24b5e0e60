package measure

import (
	"fmt"
	"strconv"
	"strings"
)

// maxSoft bounds an integer soft, in tokens. A larger value is a typing error
// (or a count of characters or bytes) and is refused.
const maxSoft = 1_000_000_000

// Soft is the user's wish for stage 1. The zero Soft is "auto".
//
// It is comparable; two equal Softs are the same wish.
type Soft struct {
	unit softUnit
	n    int64
}

type softUnit uint8

const (
	softAuto    softUnit = iota // n unused
	softTokens                  // n tokens
	softPercent                 // n percent of the window
)

// ParseSoft reads a soft as people write it: "auto", a whole number of tokens
// ("150000") or a whole percentage of the model's window ("60%"). Nothing else
// is understood, and white space is not removed: an explicit value either means
// one thing or is an error. The error says what is wrong with the value and
// leaves it to the caller to name where the value came from.
func ParseSoft(s string) (Soft, error) {
	switch {
	case s == "":
		return Soft{}, fmt.Errorf(`empty, want "auto", a number of tokens or a percentage such as "60%%"`)
	case s == "auto":
		return Soft{}, nil
	case strings.HasSuffix(s, "%"):
		n, ok := digits(strings.TrimSuffix(s, "%"))
		if !ok {
			return Soft{}, fmt.Errorf(`%q is not a whole percentage such as "60%%"`, s)
		}
		if n < 1 || n > 100 {
			return Soft{}, fmt.Errorf("%q is not between 1%% and 100%%", s)
		}
		return Soft{unit: softPercent, n: n}, nil
	}
	n, ok := digits(s)
	if !ok {
		return Soft{}, fmt.Errorf(`%q is not "auto", a whole number of tokens such as "150000" or a percentage such as "60%%"`, s)
	}
	soft, err := SoftTokens(n)
	if err != nil {
		return Soft{}, fmt.Errorf("%q is %w", s, err)
	}
	return soft, nil
}

// SoftTokens is a soft of n tokens.
func SoftTokens(n int64) (Soft, error) {
	if n < 1 || n > maxSoft {
		return Soft{}, fmt.Errorf("not a number of tokens between 1 and %d", maxSoft)
	}
	return Soft{unit: softTokens, n: n}, nil
}

// digits reads a whole number written in ASCII digits only and without leading
// zeros, and reports whether s is one. A number that does not fit counts as
// larger than any other.
func digits(s string) (int64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return maxSoft + 1, true
	}
	return n, true
}

// String is the value as ParseSoft reads it.
func (s Soft) String() string {
	switch s.unit {
	case softTokens:
		return strconv.FormatInt(s.n, 10)
	case softPercent:
		return strconv.FormatInt(s.n, 10) + "%"
	}
	return "auto"
}

// IsAuto reports whether stages follow from the limits alone.
func (s Soft) IsAuto() bool { return s.unit == softAuto }

// IsPercent reports whether the soft is a share of the window, which is silent
// where the window is unknown.
func (s Soft) IsPercent() bool { return s.unit == softPercent }

// MarshalJSON writes the value as config.json holds it: a number of tokens as a
// number, all else as a string.
func (s Soft) MarshalJSON() ([]byte, error) {
	if s.unit == softTokens {
		return []byte(s.String()), nil
	}
	return []byte(strconv.Quote(s.String())), nil
}
