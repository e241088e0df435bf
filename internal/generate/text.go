package generate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// markdownSigns may be markup within a line of Markdown. The colon and the at sign are part of bare links.
const markdownSigns = "\\`*_[]<>&#|~:@"

// escapeMarkdown makes plain text read as itself within a line of Markdown that does not begin with it.
func escapeMarkdown(text string) string {
	var b strings.Builder
	for i, r := range text {
		if strings.ContainsRune(markdownSigns, r) || r == '.' && endsWWW(text[:i]) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func endsWWW(text string) bool {
	return len(text) >= 3 && strings.EqualFold(text[len(text)-3:], "www")
}

// label makes one line of a text of any origin: without control characters, at most so many characters.
func label(text string, most int) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	runes := []rune(strings.Join(strings.Fields(visible), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

func upperFirst(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToTitle(r)) + text[n:]
}
