package credential

import (
	"hash/crc32"
	"math/big"
	"strings"
)

const (
	base32Digits = "abcdefghijklmnopqrstuvwxyz234567"
	base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// consistsOf reports whether a text has no other characters than these.
func consistsOf(s, digits string) bool { return strings.Trim(s, digits) == "" }

// encodeSecret writes 32 bytes, as one big-endian number, in 43 digits of base62: 62^43 is just above 2^256.
func encodeSecret(raw []byte) string {
	var out [secretLength]byte
	number, base, digit := new(big.Int).SetBytes(raw), big.NewInt(62), new(big.Int)
	for i := len(out) - 1; i >= 0; i-- {
		number.DivMod(number, base, digit)
		out[i] = base62Digits[digit.Int64()]
	}
	return string(out[:])
}

// checksum returns the CRC-32 (IEEE) of s in 6 digits of base62. It detects every change of up to 4 adjacent characters.
func checksum(s string) [sumLength]byte {
	n := crc32.ChecksumIEEE([]byte(s))
	var out [sumLength]byte
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = base62Digits[n%62]
		n /= 62
	}
	return out
}
