package content

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	"github.com/gosimple/slug"

	"github.com/pressroom-dev/pressroom/internal/language"
)

// maxSlugSource bounds the text that a slug is made from, in characters: the rest would be cut off anyway.
const maxSlugSource = 400

// Slug makes a URL-safe name of a text: lower-case letters, digits and single hyphens, at most MaxSlugBytes, never empty. It is the
// Spelling of the text, or a name made from its hash if there is none.
func Slug(text, lang string) string {
	if s := Spelling(text, lang); s != "" {
		return s
	}
	sum := sha256.Sum256([]byte(text))
	return "article-" + hex.EncodeToString(sum[:4])
}

// Spelling transliterates a text by the rules of its language into lower-case letters, digits and single hyphens, at most MaxSlugBytes. It
// leaves out words of scripts whose letters do not say how they are spoken: Chinese ones but in Chinese, Japanese, Arabic, Hebrew, Thai and
// the scripts of India. It is empty if nothing is left.
func Spelling(text, lang string) string {
	base := baseLanguage(lang)
	source := strings.Map(func(r rune) rune {
		if (unicode.IsLetter(r) || unicode.IsMark(r)) && !isSpelled(r, base) {
			return ' '
		}
		return r
	}, shorten(oneLine(text), maxSlugSource, perRune))
	// Underscores, which the library keeps, are not in the API's pattern. The library's settings are global variables
	// and stay unchanged.
	s := strings.ReplaceAll(slug.MakeLang(source, base), "_", "-")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
	return cutSlug(s, MaxSlugBytes)
}

// spelledScripts are those whose letters the library spells about as they are spoken. It spells Chinese characters by their Chinese
// readings whatever the language is, and of Arabic, Hebrew and the scripts of India it gives the consonants.
var spelledScripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Georgian, unicode.Hangul, unicode.Common, unicode.Inherited,
}

func isSpelled(r rune, base string) bool {
	return unicode.In(r, spelledScripts...) || base == "zh" && unicode.Is(unicode.Han, r)
}

// UniqueSlug returns base, or base with a number from 2 that is not taken: the lowest one if no number below a taken one is free. It
// asks for a number of candidates that grows with the logarithm of the number that it returns. The number may make the slug longer than
// MaxSlugBytes, by its own length.
func UniqueSlug(base string, taken func(string) bool) string {
	base = cutSlug(base, MaxSlugBytes)
	if !taken(base) {
		return base
	}
	used, free := 1, 2
	for taken(NumberedSlug(base, free)) {
		used, free = free, 2*free
	}
	for free-used > 1 {
		if middle := used + (free-used)/2; taken(NumberedSlug(base, middle)) {
			used = middle
		} else {
			free = middle
		}
	}
	return NumberedSlug(base, free)
}

// NumberedSlug returns a slug with a number.
func NumberedSlug(base string, n int) string {
	return cutSlug(base, MaxSlugBytes) + "-" + strconv.Itoa(n)
}

// cutSlug cuts between words if that leaves at least half of the limit.
func cutSlug(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	if hyphen := strings.LastIndexByte(s[:limit+1], '-'); hyphen > limit/2 {
		return s[:hyphen]
	}
	return strings.Trim(s[:limit], "-")
}

// baseLanguage returns the base of a language tag, such as de of de-CH; en if the tag is not valid.
func baseLanguage(tag string) string {
	switch base := language.Base(tag); base {
	case "":
		return "en"
	case "no":
		return "nb"
	default:
		return base
	}
}
