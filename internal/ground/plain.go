package ground

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
)

// maxMarkup is the most bytes of an address or a tag within a source.
const maxMarkup = 2000

// plain returns the text of a source, which may be Markdown, in clean form: emphasis, code signs, tags and the addresses of links are left
// out. What looks like markup but does not end stays as it is.
func plain(text string) string {
	text = words.Clean(text)
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	if !hasMarkup(text) {
		return text
	}
	m := markup{text: text, buf: make([]byte, 0, len(text)), bracket: -1}
	for at := 0; at < len(text); {
		next, blank := m.end(at)
		if next == at {
			at++
			continue
		}
		m.keep(at)
		m.buf = append(m.buf, blank...)
		at, m.kept = next, next
	}
	m.keep(len(text))
	return string(m.buf)
}

// hasMarkup reports whether a text has a sign that begins markup.
func hasMarkup(text string) bool {
	for _, sign := range []byte("*`\\[<") {
		if strings.IndexByte(text, sign) >= 0 {
			return true
		}
	}
	return false
}

// markup is a text of which markup is taken out.
type markup struct {
	text string
	buf  []byte
	// kept is up to where the text was dealt with.
	kept int
	// bracket is where the words of the last link begin in what was kept; -1 if there is none.
	bracket int
	// never says which signs the rest of the text does not have.
	never [utf8.RuneSelf]bool
}

func (m *markup) keep(to int) {
	m.buf = append(m.buf, m.text[m.kept:to]...)
	m.kept = to
}

// end returns the end of the markup at an index, or the index if there is none, and what stands in its place.
func (m *markup) end(at int) (end int, blank string) {
	following := byte(0)
	if rest := m.text[at+1:]; rest != "" {
		following = rest[0]
	}
	switch c := m.text[at]; {
	case c == '*' || c == '`' || c == '\\':
		return at + 1, ""
	case c == '[' && following == '^', c == ']' && following == '[':
		return m.until(at, ']'), ""
	case c == '[':
		m.keep(at)
		m.bracket = len(m.buf)
	case c == ']' && following == '(' && !strings.HasPrefix(m.text[at+1:], "({"):
		return m.link(at), ""
	case c == '<' && beginsTag(following):
		return m.tag(at)
	}
	return at, ""
}

func beginsTag(c byte) bool { return c == '/' || c < utf8.RuneSelf && words.Class[c] == words.Small }

// until returns the index behind a sign on the same line; the index itself if there is none.
func (m *markup) until(at int, sign byte) int {
	if m.never[sign] {
		return at
	}
	within := m.text[min(at+2, len(m.text)):min(at+maxMarkup, len(m.text))]
	n := strings.IndexByte(within, sign)
	switch {
	case n < 0:
		m.never[sign] = len(within) < maxMarkup-2
		return at
	case strings.IndexByte(within[:n], '\n') >= 0:
		return at
	default:
		return at + 2 + n + 1
	}
}

// link returns the end of the address of a link, and takes out the bracket before its words.
func (m *markup) link(at int) int {
	end := m.until(at, ')')
	if end == at {
		return at
	}
	m.keep(at)
	if m.bracket >= 0 && len(m.buf)-m.bracket < maxMarkup {
		m.buf = slices.Delete(m.buf, m.bracket, m.bracket+1)
	}
	m.bracket = -1
	return end
}

// tag returns the end of a tag. One that separates words is a blank.
func (m *markup) tag(at int) (end int, blank string) {
	end = m.until(at, '>')
	switch tag := m.text[at:end]; {
	case isAutoLink(tag):
		return at, ""
	case isBreak(tag):
		return end, " "
	default:
		return end, ""
	}
}

func isAutoLink(tag string) bool { return strings.Contains(tag, "://") && !strings.Contains(tag, " ") }

// isBreak reports whether a tag separates words.
func isBreak(tag string) bool {
	name := strings.ToLower(strings.Trim(tag, "</>"))
	end := words.End(name, 0)
	switch name[:end] {
	case "b", "i", "em", "strong", "a", "span", "code", "sup", "sub", "u", "s", "del", "ins", "mark", "small", "kbd", "abbr":
		return false
	default:
		return true
	}
}
