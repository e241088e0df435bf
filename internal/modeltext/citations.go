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
