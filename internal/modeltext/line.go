package modeltext

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/content"
)

// Line returns a field of an answer, such as a title, as plain text on one line: without markup, entities, addresses, and quotation marks
// around all of it.
func Line(field string) string {
	return untilStable(html.UnescapeString(field), leadingElement(element.isHidden), withoutTokens, withoutCitations, withoutAddresses,
		oneLine, withoutMarkup, withoutQuotes)
}

// Paragraphs returns a field of an answer that may have several lines, such as the answer to a question: it may have markup, and has no
// addresses.
func Paragraphs(field string) string {
	return untilStable(html.UnescapeString(field), leadingElement(element.isHidden), withoutTokens, withoutCitations, withoutAddresses)
}

func withoutAddresses(_ *reader, text string) string { return content.WithoutAddresses(text) }

func oneLine(_ *reader, text string) string { return strings.Join(strings.Fields(text), " ") }

// literal are signs that are markup in a text, and seldom in a title: a title about snake_case, R&D or 10~20 keeps them. They are replaced
// by signs without a meaning while markup is taken off.
var literal, restored = func() (*strings.Replacer, *strings.Replacer) {
	signs := []string{"_", "~", "&", "<", ">", "\\", "[", "]", "|", "!"}
	there, back := make([]string, 0, 2*len(signs)), make([]string, 0, 2*len(signs))
	for i, sign := range signs {
		standIn := string(rune(0xF0000 + i))
		there, back = append(there, sign, standIn), append(back, standIn, sign)
	}
	return strings.NewReplacer(there...), strings.NewReplacer(back...)
}()

// listItem is a beginning that is markup in a text, and a number in a title.
var listItem = regexp.MustCompile(`^([0-9]{1,9})([.)])(\s)`)

// withoutMarkup takes off the marks of a heading, a quotation or a list item at the beginning, and those of emphasis and code in pairs.
func withoutMarkup(_ *reader, line string) string {
	line = strings.TrimSpace(strings.TrimLeft(line, ">"))
	for _, bullet := range []string{"- ", "+ ", "* ", "• "} {
		line = strings.TrimPrefix(line, bullet)
	}
	const noBreak = "\U000F00FF"
	plain := restored.Replace(content.PlainText(listItem.ReplaceAllString(literal.Replace(line), "$1"+noBreak+"$2$3")))
	plain = strings.ReplaceAll(plain, noBreak, "")
	for _, sign := range []string{"__", "_"} {
		if inner, ok := between(plain, sign, sign); ok && strings.Contains(inner, " ") {
			plain = inner
		}
	}
	return plain
}

// quotes are marks that are put around titles.
var quotes = [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"„", "”"}, {"«", "»"}, {"‘", "’"}, {"'", "'"}, {"`", "`"}}

// withoutQuotes takes off quotation marks around the whole line, if there are none in it.
func withoutQuotes(_ *reader, line string) string {
	i := slices.IndexFunc(quotes, func(pair [2]string) bool {
		_, ok := between(line, pair[0], pair[1])
		return ok
	})
	if i < 0 {
		return line
	}
	inner, _ := between(line, quotes[i][0], quotes[i][1])
	return inner
}

// between returns what is between two signs around a line, if it has neither.
func between(line, begin, end string) (string, bool) {
	inner, begins := strings.CutPrefix(line, begin)
	inner, ends := strings.CutSuffix(inner, end)
	ok := begins && ends && inner != "" && !strings.Contains(inner, begin) && !strings.Contains(inner, end)
	return strings.TrimSpace(inner), ok
}
