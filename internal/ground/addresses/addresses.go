// Package addresses finds URLs, domains and e-mail addresses in a text, and writes them in one form.
package addresses

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"github.com/pressroom-dev/pressroom/internal/ground/words"
)

// Find returns where URLs, domains and e-mail addresses stand in a text.
func Find(text string) []words.Span {
	var found []words.Span
	point, sign := -1, -1
	for at, from := 0, 0; ; {
		// Every address has a point or an @ with a letter or a digit behind it.
		point, sign = nextByte(text, '.', point, from), nextByte(text, '@', sign, from)
		i := min(point, sign)
		if i == len(text) {
			return found
		}
		from = i + 1
		if next, _ := words.RuneAt(text, from); !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			continue
		}
		start := fieldStart(text, at, i)
		if start == i {
			continue
		}
		end := fieldEnd(text, i)
		if s, ok := addressIn(text, words.Span{Start: start, End: end}); ok {
			found = append(found, s)
		}
		at, from = end, end
	}
}

// nextByte returns the index of the next character from an index on: the one that was found last, if that is not before it. It is the
// length of the text if there is none.
func nextByte(text string, c byte, last, from int) int {
	if last >= from {
		return last
	}
	if i := strings.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

// delimiters are the characters of ASCII that are in no address.
var delimiters = func() (is [utf8.RuneSelf]bool) {
	for _, c := range "\t\n\v\f\r <>\"[]{}|*`" {
		is[c] = true
	}
	return is
}()

// delimits reports whether a character is in no address.
func delimits(r rune) bool {
	if r < utf8.RuneSelf {
		return delimiters[r]
	}
	return unicode.IsSpace(r) || r == '«' || r == '»' || r >= 0x2010 && r <= 0x2027 || r > 0x2E7F
}

// fieldStart returns the beginning, not before from, of the characters around an index that may be in an address.
func fieldStart(text string, from, at int) int {
	for at > from {
		r, n := utf8.DecodeLastRuneInString(text[from:at])
		if delimits(r) {
			break
		}
		at -= n
	}
	return at
}

// fieldEnd returns their end.
func fieldEnd(text string, at int) int {
	for at < len(text) {
		r, n := words.RuneAt(text, at)
		if delimits(r) {
			break
		}
		at += n
	}
	return at
}

// maxAddress bounds addresses, in bytes.
const maxAddress = 2000

// addressIn returns the address in a field.
func addressIn(text string, s words.Span) (words.Span, bool) {
	if at := strings.Index(text[s.Start:s.End], "]("); at >= 0 {
		s.Start += at + 2
	}
	for s.Start < s.End && strings.IndexByte("('.,;:/", text[s.Start]) >= 0 {
		s.Start++
	}
	s.End = s.Start + unclosed(text[s.Start:s.End])
	for s.End > s.Start && strings.IndexByte(".,;:!?'_", text[s.End-1]) >= 0 {
		s.End--
	}
	if s.End-s.Start > maxAddress {
		return s, false
	}
	field := text[s.Start:s.End]
	if at := strings.Index(field, "://"); at > 0 {
		for at > 0 && words.Class[field[at-1]&0x7f] != 0 && field[at-1] < 0x80 {
			at--
		}
		s.Start += at
		return s, s.End > s.Start
	}
	if at := strings.LastIndexByte(field, '@'); at > 0 {
		return s, isDomain(field[at+1:])
	}
	host, _, _ := strings.Cut(field, "/")
	host, _, _ = strings.Cut(host, "'")
	host, _, _ = strings.Cut(host, "’")
	if host, _, found := strings.Cut(host, ":"); found {
		return s, isDomain(host)
	}
	if !strings.Contains(field, "/") {
		s.End = s.Start + len(host)
	}
	return s, isDomain(host)
}

// unclosed returns the index of the first bracket that closes none.
func unclosed(field string) int {
	open := 0
	for i := range len(field) {
		switch field[i] {
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return i
			}
		}
	}
	return len(field)
}

// isDomain reports whether a text is a domain below a public suffix.
func isDomain(host string) bool {
	if len(host) > 253 || !strings.Contains(host, ".") || strings.Contains(host, "..") {
		return false
	}
	for _, r := range host {
		if r != '.' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	suffix, icann := publicsuffix.PublicSuffix(strings.ToLower(host))
	letters := suffix[strings.LastIndexByte(suffix, '.')+1:]
	return icann && len(suffix) < len(host) && strings.HasSuffix(host, "."+letters) || strings.HasPrefix(host, "www.") ||
		isReserved(letters) && strings.HasSuffix(host, "."+letters)
}

// isReserved reports whether a top-level domain is one of RFC 2606, for examples.
func isReserved(domain string) bool {
	return domain == "example" || domain == "test" || domain == "invalid"
}

// Normal returns an address in a form for comparing, and its host.
func Normal(address string) (normal, host string) {
	address = strings.ReplaceAll(strings.TrimPrefix(address, "mailto:"), "\\", "")
	if plainly, err := url.PathUnescape(address); err == nil {
		address = plainly
	}
	if _, rest, found := strings.Cut(address, "://"); found {
		address = rest
	}
	address = strings.TrimRight(address, "/._")
	end := strings.IndexAny(address, "/?#")
	if end < 0 {
		end = len(address)
	}
	host = strings.ToLower(address[:end])
	rest := address[end:]
	if _, domain, found := strings.Cut(host, "@"); found {
		return host + rest, domain
	}
	host = strings.TrimPrefix(host, "www.")
	return host + rest, host
}

// NormalURL is Normal without the host.
func NormalURL(address string) string {
	normal, _ := Normal(address)
	return normal
}
