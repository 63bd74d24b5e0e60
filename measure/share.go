package measure

import (
	"math"
	"math/bits"
)

// millionths is a factor as a whole number of millionths, so that 1.1 × 150,000
// is 165,000 exactly. Factors are small and not negative.
func millionths(f float64) int64 { return int64(math.Round(f * 1_000_000)) }

// share is floor(n × parts / 1,000,000) for n and parts of at least 0, and the
// largest int64 where the product would not fit.
func share(n, parts int64) int64 {
	hi, lo := bits.Mul64(uint64(max(n, 0)), uint64(max(parts, 0)))
	if hi >= 1_000_000 {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, 1_000_000)
	return int64(min(q, math.MaxInt64))
}
