package content

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/gosimple/slug"
	"golang.org/x/text/language"
)

// maxSlugSource bounds the text that a slug is made from, in characters: the rest would be cut off anyway.
const maxSlugSource = 400

// Slug makes a URL-safe name of a text, transliterated by the rules of its language: lower-case letters, digits and single hyphens, at
// most MaxSlugBytes, never empty. A text that cannot be transliterated gets a name made from its hash.
func Slug(text, lang string) string {
	source := shorten(oneLine(text), maxSlugSource, perRune)
	// Underscores, which the library keeps, are not in the API's pattern. The library's settings are global variables
	// and stay unchanged.
	s := strings.ReplaceAll(slug.MakeLang(source, baseLanguage(lang)), "_", "-")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !isSlugRune(r) }), "-")
	if s = cutSlug(s, MaxSlugBytes); s != "" {
		return s
	}
	sum := sha256.Sum256([]byte(text))
	return "article-" + hex.EncodeToString(sum[:4])
}

// UniqueSlug returns the first of base, base-2, base-3 and so on that is not taken. The number may make it
// longer than MaxSlugBytes, by its own length.
func UniqueSlug(base string, taken func(string) bool) string {
	base = cutSlug(base, MaxSlugBytes)
	candidate := base
	for n := 2; taken(candidate); n++ {
		candidate = base + "-" + strconv.Itoa(n)
	}
	return candidate
}

func isSlugRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
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
	parsed, err := language.Parse(strings.TrimSpace(tag))
	if err != nil {
		return "en"
	}
	switch base, _ := parsed.Base(); base.String() {
	case "no":
		return "nb"
	case "und":
		return "en"
	default:
		return base.String()
	}
}
