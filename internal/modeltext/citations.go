package modeltext

import (
	"regexp"
	"strings"
)

// citation is a mark by which a model cites what a tool has found: the sources are not part of the answer.
const citation = `(?:【[^【】\n]*†[^【】\n]*】|【[0-9]{1,3}(?::[0-9]{1,3})?】|:?contentReference\[oaicite:[^\]\n]*\](?:\{[^{}\n]*\})?|` +
	`\[oaicite:[^\]\n]*\](?:\{[^{}\n]*\})?|\[\^[0-9]{1,3}\^\](?:\([^()\n]*\))?|\x{E200}[^\x{E201}\n]*\x{E201}|` +
	`[\x{E200}-\x{E20F}]|(?:file)?(?:cite)?(?:turn[0-9]+(?:search|news|view|file|image|fetch|academia|forecast|` +
	`finance|sports|product|video|msearch|click)[0-9]+)+|\[cite:[^\]\n]{0,60}\]|\[cite_(?:start|end)\]|` +
	`\[[0-9]{1,3}†[^\]\n]*\])`

var (
	citations = regexp.MustCompile(`[ \t]*` + citation)
	// numbers are citations by number, and footnote marks. They stay if the text explains them.
	numbers  = regexp.MustCompile(`(?:[ \t]*\[\^?[0-9]{1,2}(?:,[ ]?[0-9]{1,2})*\])+`)
	explains = regexp.MustCompile(`(?m)^[ \t]*(?:[-*+][ \t]+)?\[\^?[0-9]{1,2}\]`)
)

// withoutCitations takes off the marks of citations, outside of code.
func withoutCitations(r *reader, text string) string {
	marks := []*regexp.Regexp{citations, numbers}
	if explains.MatchString(text) {
		marks = marks[:1]
	}
	for _, mark := range marks {
		if !mark.MatchString(text) {
			continue
		}
		code, ok := r.codeIn(text)
		if !ok {
			return text
		}
		var ranges []span
		for _, m := range mark.FindAllStringIndex(text, -1) {
			isLink := m[1] < len(text) && strings.ContainsAny(text[m[1]:m[1]+1], "([:")
			if !isIn(code, m[1]-1) && (mark == citations || !isLink && m[0] > 0) {
				ranges = append(ranges, span{m[0], m[1]})
			}
		}
		text = cut(text, ranges)
	}
	return text
}

// digits are the numbers of a citation by number.
var digits = regexp.MustCompile(`[0-9]{1,2}`)

// numbersNamed turns citations by number, outside of code, into what content.NamedLinks reads. They stay if the text explains them.
func numbersNamed(r *reader, text string) string {
	if !numbers.MatchString(text) || explains.MatchString(text) {
		return text
	}
	code, ok := r.codeIn(text)
	if !ok {
		return text
	}
	var b strings.Builder
	at := 0
	for _, m := range numbers.FindAllStringIndex(text, -1) {
		isLink := m[1] < len(text) && strings.ContainsAny(text[m[1]:m[1]+1], "([:")
		if isIn(code, m[1]-1) || isLink || m[0] == 0 {
			continue
		}
		b.WriteString(text[at:m[0]])
		if text[m[0]-1] != ']' {
			// Behind words in brackets, the number is the name of a link.
			b.WriteByte(' ')
		}
		b.WriteString("[source: " + strings.Join(digits.FindAllString(text[m[0]:m[1]], -1), ", ") + "]")
		at = m[1]
	}
	b.WriteString(text[at:])
	return b.String()
}
