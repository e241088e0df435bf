package ground

import (
	"math"
	"strings"
)

// value of a number, exactly: mantissa × 10^exponent. The last digit of the mantissa is not zero, so that equal numbers are equal values.
type value struct {
	mantissa uint64
	exponent int
	// long are the digits of a number with more than 18, in place of the mantissa.
	long string
}

// maxDigits is the most digits of a mantissa.
const maxDigits = 18

// newValue returns the value of digits of any script, of which some stand behind the decimal sign; other characters are ignored.
func newValue(whole, fraction string) value {
	v := value{}
	significant := 0
	var long []byte
	add := func(text string) {
		for _, r := range text {
			d, ok := digitValue(r)
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
		if _, ok := digitValue(r); ok {
			v.exponent--
		}
	}
	add(fraction)
	if long != nil {
		digits := strings.TrimRight(string(long), "0")
		v.exponent += len(long) - len(digits)
		if len(digits) > maxDigits {
			return value{exponent: v.exponent, long: digits}
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

func whole(n uint64) value { return value{mantissa: n}.normal() }

func (v value) normal() value {
	if v.mantissa == 0 && v.long == "" {
		return value{}
	}
	for v.long == "" && v.mantissa%10 == 0 {
		v.mantissa /= 10
		v.exponent++
	}
	return v
}

// times returns the value times a power of ten.
func (v value) times(power int) value {
	if v == (value{}) {
		return v
	}
	v.exponent += power
	return v
}

// float returns the nearest floating-point number.
func (v value) float() float64 {
	if v.long != "" {
		return math.Inf(1)
	}
	return float64(v.mantissa) * math.Pow10(v.exponent)
}

// integer returns a number that has no fraction and is below 10,000.
func (v value) integer() (int, bool) {
	const most = 10_000
	if v.long != "" || v.exponent < 0 || v.exponent > 4 || v.mantissa > most {
		return 0, false
	}
	n := v.mantissa
	for range v.exponent {
		n *= 10
	}
	return int(n), n < most
}
