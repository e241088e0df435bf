package credential

import (
	"encoding/binary"
	"hash/crc32"
)

const (
	base32Digits = "abcdefghijklmnopqrstuvwxyz234567"
	base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

var (
	isBase32 = alphabet(base32Digits)
	isBase62 = alphabet(base62Digits)
)

func alphabet(digits string) (set [256]bool) {
	for _, d := range []byte(digits) {
		set[d] = true
	}
	return set
}

func consistsOf(s string, set *[256]bool) bool {
	for i := range len(s) {
		if !set[s[i]] {
			return false
		}
	}
	return true
}

// encodeSecret writes 32 bytes, as one big-endian number, in 43 digits of base62: 62^43 is just above 2^256.
func encodeSecret(raw []byte) string {
	var words [secretBytes / 4]uint32
	for i := range words {
		words[i] = binary.BigEndian.Uint32(raw[4*i:])
	}
	var out [secretLength]byte
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = base62Digits[divide(words[:], 62)]
	}
	return string(out[:])
}

// divide divides the number in place, most significant word first, and returns the remainder.
func divide(words []uint32, by uint64) uint64 {
	var rest uint64
	for i, w := range words {
		rest = rest<<32 | uint64(w)
		words[i] = uint32(rest / by) //nolint:gosec // rest < by<<32, so the quotient has 32 bits
		rest %= by
	}
	return rest
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
