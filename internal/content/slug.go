package content

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/gosimple/slug"
	"golang.org/x/text/language"
)

// maxSlugSource bounds the text that a slug is made from, in characters: what follows would be cut off anyway.
const maxSlugSource = 400

// Slug makes a URL-safe name of a text, spelt as the language does: lower-case letters, digits and single hyphens, at most
// MaxSlugBytes, never empty. A text without letters that can be spelt gets a name made from its hash.
func Slug(text, lang string) string {
	source := shorten(oneLine(text), maxSlugSource, oneEach)
	// Underscores, which the library keeps, are not in the API's pattern. The library's settings are global variables,
	// which are left as they are.
	s := strings.ReplaceAll(slug.MakeLang(source, baseLanguage(lang)), "_", "-")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !isSlugRune(r) }), "-")
	if s = cutSlug(s, MaxSlugBytes); s != "" {
		return s
	}
	sum := sha256.Sum256([]byte(text))
	return "article-" + hex.EncodeToString(sum[:4])
}

// UniqueSlug returns base, or base-2, base-3 and so on, whichever is the first that is not taken. The number may make it
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

// cutSlug cuts between words where that leaves at least half of the room.
func cutSlug(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	if hyphen := strings.LastIndexByte(s[:limit+1], '-'); hyphen > limit/2 {
		return s[:hyphen]
	}
	return strings.Trim(s[:limit], "-")
}

// baseLanguage returns the base of a language tag, such as de of de-CH; en for what is no tag.
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
