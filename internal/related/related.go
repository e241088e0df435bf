// Package related finds articles of a site that have to do with each other: almost the same text, the same keyword, and subjects that
// are near enough to link to. It is pure.
package related

import (
	"fmt"
	"hash/fnv"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/language"
)

const (
	// nearDistance is the largest number of bits in which the fingerprints of almost the same texts differ. Of 500 posts of one blog, those
	// of their own differ in 16 or more; if a tenth of the sentences is dropped, 98 of 100 differ in 14 or fewer.
	nearDistance = 14
	// shingleWords are the words that are compared together.
	shingleWords = 3
	// minShingles is the least number of runs of words from which a fingerprint says something.
	minShingles = 40
)

// Fingerprint of a text: a simhash over runs of three stems. Texts that have most of them in common have fingerprints that differ in few
// bits.
type Fingerprint uint64

// FingerprintOf returns the fingerprint of a plain text in the language of a BCP 47 tag; false if the text is too short for one. The
// words of the text's keyword are left out, in any form: a text with another keyword put in is almost the same.
func FingerprintOf(tag, text, keyword string) (Fingerprint, bool) {
	p := language.For(tag)
	left := p.Stems(keyword)
	stems := slices.DeleteFunc(p.Stems(text), func(stem string) bool { return slices.Contains(left, stem) })
	if len(stems) < minShingles+shingleWords-1 {
		return 0, false
	}
	hashes := make([]uint64, len(stems))
	for i, stem := range stems {
		h := fnv.New64a()
		_, _ = h.Write([]byte(stem)) // never fails
		hashes[i] = h.Sum64()
	}
	// A run of words that is repeated, such as the lines of a table drawn with symbols, counts once: else it would be the fingerprint.
	shingles := make([]uint64, len(hashes)-shingleWords+1)
	for i := range shingles {
		shingles[i] = mix(mix(hashes[i]*3+hashes[i+1])*3 + hashes[i+2])
	}
	slices.Sort(shingles)
	var sums [64]int
	for _, shingle := range slices.Compact(shingles) {
		for bit := range sums {
			// 1 for a bit that is set, -1 for one that is not.
			sums[bit] += int(shingle>>bit&1)*2 - 1
		}
	}
	var f Fingerprint
	for bit := range sums {
		if sums[bit] > 0 {
			f |= 1 << bit
		}
	}
	return f, true
}

// mix spreads a number over all bits, as the finalizer of MurmurHash3 does.
func mix(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// String returns 16 lower-case hex digits.
func (f Fingerprint) String() string { return fmt.Sprintf("%016x", uint64(f)) }

// ParseFingerprint reads what String returns; false for anything else.
func ParseFingerprint(s string) (Fingerprint, bool) {
	if len(s) != 16 || strings.ToLower(s) != s {
		return 0, false
	}
	value, err := strconv.ParseUint(s, 16, 64)
	return Fingerprint(value), err == nil
}

// Near reports whether two texts are almost the same.
func (f Fingerprint) Near(other Fingerprint) bool { return f.Distance(other) <= nearDistance }

// Distance is the number of bits in which two fingerprints differ, 0 to 64.
func (f Fingerprint) Distance(other Fingerprint) int { return bits.OnesCount64(uint64(f ^ other)) }

// keywordKey is equal for keywords that have the same words of content, in any order and any form; "" if there are none.
func keywordKey(tag, keyword string) string {
	stems := language.For(tag).Stems(keyword)
	slices.Sort(stems)
	return strings.Join(slices.Compact(stems), " ")
}
