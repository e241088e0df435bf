// Package money reads and writes amounts of money, which Pressroom counts in millionths of a currency.
package money

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Million is how many millionths one unit of a currency has.
const Million = 1_000_000

// digits behind the point.
const digits = 6

var form = regexp.MustCompile(`^[0-9]{1,10}(\.[0-9]{1,6})?$`)

// Format writes an amount as a decimal number with 6 digits behind the point.
func Format(millionths int64) string {
	return fmt.Sprintf("%d.%06d", millionths/Million, millionths%Million)
}

// Parse reads a decimal number with at most 10 digits before the point and 6 behind it, as millionths. It reports whether the text is one.
func Parse(amount string) (millionths int64, ok bool) {
	if !form.MatchString(amount) {
		return 0, false
	}
	whole, part, _ := strings.Cut(amount, ".")
	millionths, err := strconv.ParseInt(whole+part+strings.Repeat("0", digits-len(part)), 10, 64)
	return millionths, err == nil
}
