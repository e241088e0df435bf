package figures

import (
	"math"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
)

// Value of a number, exactly: mantissa × 10^exponent. The last digit of the mantissa is not zero, so that equal numbers are equal values.
type Value struct {
	mantissa uint64
	Exponent int
	// long are the digits of a number with more than 18, in place of the mantissa.
	long string
}

// maxDigits is the most digits of a mantissa.
const maxDigits = 18

// newValue returns the value of digits of any script, of which some stand behind the decimal sign; other characters are ignored.
func newValue(whole, fraction string) Value {
	v := Value{}
	significant := 0
	var long []byte
	add := func(text string) {
		for _, r := range text {
			d, ok := words.DigitValue(r)
			switch {
			case !ok, significant == 0 && d == 0:
				continue
			case significant < maxDigits:
				v.mantissa = v.mantissa*10 + uint64(d) //nolint:gosec // 0 to 9.
			case significant == maxDigits:
				long = append(long, decimal(v.mantissa)...)
				fallthrough
			default:
				long = append(long, byte('0'+d)) //nolint:gosec // 0 to 9.
			}
			significant++
		}
	}
	add(whole)
	for _, r := range fraction {
		if _, ok := words.DigitValue(r); ok {
			v.Exponent--
		}
	}
	add(fraction)
	if long != nil {
		digits := strings.TrimRight(string(long), "0")
		v.Exponent += len(long) - len(digits)
		if len(digits) > maxDigits {
			return Value{Exponent: v.Exponent, long: digits}
		}
		v.mantissa = 0
		for i := range len(digits) {
			v.mantissa = v.mantissa*10 + uint64(digits[i]-'0')
		}
	}
	return v.normal()
}

func decimal(n uint64) []byte {
	digits := make([]byte, maxDigits)
	for i := range digits {
		digits[len(digits)-1-i] = byte('0' + n%10)
		n /= 10
	}
	return digits
}

// Whole returns the value of a whole number.
func Whole(n uint64) Value { return Value{mantissa: n}.normal() }

func (v Value) normal() Value {
	if v.mantissa == 0 && v.long == "" {
		return Value{}
	}
	for v.long == "" && v.mantissa%10 == 0 {
		v.mantissa /= 10
		v.Exponent++
	}
	return v
}

// times returns the value times a power of ten.
func (v Value) times(power int) Value {
	if v == (Value{}) {
		return v
	}
	v.Exponent += power
	return v
}

// Float returns the nearest floating-point number.
func (v Value) Float() float64 {
	if v.long != "" {
		return math.Inf(1)
	}
	return float64(v.mantissa) * math.Pow10(v.Exponent)
}

// Integer returns a number that has no fraction and is below 10,000.
func (v Value) Integer() (int, bool) {
	const most = 10_000
	if v.long != "" || v.Exponent < 0 || v.Exponent > 4 || v.mantissa > most {
		return 0, false
	}
	n := v.mantissa
	for range v.Exponent {
		n *= 10
	}
	return int(n), n < most
}
