package ground

import (
	"cmp"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// span is a part of a text.
type span struct{ start, end int }

// findAddresses returns where URLs, domains and e-mail addresses stand in a text.
func findAddresses(text string) []span {
	var found []span
	point, sign := -1, -1
	for at, from := 0, 0; ; {
		// Every address has a point or an @ with a letter or a digit behind it.
		point, sign = nextByte(text, '.', point, from), nextByte(text, '@', sign, from)
		i := min(point, sign)
		if i == len(text) {
			return found
		}
		from = i + 1
		if next, _ := runeAt(text, from); !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			continue
		}
		start := fieldStart(text, at, i)
		if start == i {
			continue
		}
		end := fieldEnd(text, i)
		if s, ok := addressIn(text, span{start, end}); ok {
			found = append(found, s)
		}
		at, from = end, end
	}
}

// nextByte returns the index of the next character from an index on: the one that was found last, if that is not before it. It is the length
// of the text if there is none.
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
		r, n := runeAt(text, at)
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
func addressIn(text string, s span) (span, bool) {
	if at := strings.Index(text[s.start:s.end], "]("); at >= 0 {
		s.start += at + 2
	}
	for s.start < s.end && strings.IndexByte("('.,;:/", text[s.start]) >= 0 {
		s.start++
	}
	s.end = s.start + unclosed(text[s.start:s.end])
	for s.end > s.start && strings.IndexByte(".,;:!?'_", text[s.end-1]) >= 0 {
		s.end--
	}
	if s.end-s.start > maxAddress {
		return s, false
	}
	field := text[s.start:s.end]
	if at := strings.Index(field, "://"); at > 0 {
		for at > 0 && class[field[at-1]&0x7f] != 0 && field[at-1] < 0x80 {
			at--
		}
		s.start += at
		return s, s.end > s.start
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
		s.end = s.start + len(host)
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

// normalAddress returns an address in a form for comparing, and its host.
func normalAddress(address string) (normal, host string) {
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

func normalURL(address string) string {
	normal, _ := normalAddress(address)
	return normal
}

// addresses are those of the material.
type addresses struct {
	read bool
	// verbatims counts the addresses that were looked for as they are written.
	verbatims int
	// decoded are the texts without escapes.
	decoded []string
	all     map[string][]place
	hosts   map[string][]place
	// own are hosts that are known as a whole: the site's own.
	own map[string][]place
}

// address returns the places of an address. A domain is supported by any address in it, and an address by its site if that is known.
func (x *index) address(address string) []place {
	if !x.addresses.read {
		x.readAddresses()
	}
	normal, host := normalAddress(address)
	found := slices.Concat(x.all[normal], x.own[host])
	if normal == host {
		found = append(found, x.hosts[host]...)
	}
	if len(found) == 0 {
		return x.verbatim(normal)
	}
	return found
}

// maxVerbatim bounds how many addresses are looked for as they are written.
const maxVerbatim = 50

// verbatim returns the places where an address stands among signs that end others.
func (x *index) verbatim(normal string) []place {
	if x.verbatims++; x.verbatims > maxVerbatim {
		return nil
	}
	var found []place
	for i, t := range x.texts {
		if len(x.decoded) == i {
			x.decoded = append(x.decoded, decoded(cmp.Or(t.original, t.text)))
		}
		for text, at := x.decoded[i], 0; ; {
			next := strings.Index(text[at:], normal)
			if next < 0 {
				break
			}
			if at += next; !continuesAddress(text[at+len(normal):]) {
				found = append(found, place{text: i, at: min(at, len(t.text))})
				break
			}
			at += len(normal)
		}
	}
	return found
}

// escaped are bytes of a URL in percent encoding.
var escaped = regexp.MustCompile(`(%[0-9A-Fa-f]{2})+`)

// decoded returns a text without the escapes of HTML and URLs.
func decoded(text string) string {
	if strings.IndexByte(text, '&') < 0 && strings.IndexByte(text, '%') < 0 {
		return text
	}
	return escaped.ReplaceAllStringFunc(html.UnescapeString(text), func(bytes string) string {
		if plainly, err := url.PathUnescape(bytes); err == nil {
			return plainly
		}
		return bytes
	})
}

// continuesAddress reports whether an address goes on.
func continuesAddress(rest string) bool {
	r, n := runeAt(rest, 0)
	return n > 0 && (isWord(r) || r == '-' || r == '/' || r == '.' && len(rest) > 1 && class[rest[1]&0x7f] != 0)
}

func (x *index) readAddresses() {
	x.addresses = addresses{read: true, all: map[string][]place{}, hosts: map[string][]place{}, own: map[string][]place{}}
	for i, t := range x.texts {
		texts := []string{t.text}
		if t.original != "" {
			// The addresses of links are not in the plain text, and lines of Markdown may hide others.
			texts = append(texts, t.original)
		}
		for _, text := range texts {
			for _, s := range findAddresses(text) {
				x.addAddress(text[s.start:s.end], place{text: i, at: min(s.start, len(t.text))}, t.origin)
			}
		}
	}
	for i, s := range x.material.Sources {
		if s.URL == "" {
			continue
		}
		for at, t := range x.texts {
			if t.origin == i {
				x.addAddress(s.URL, place{text: at}, i)
				break
			}
		}
	}
}

func (x *index) addAddress(address string, p place, origin int) {
	normal, host := normalAddress(address)
	x.all[normal] = addPlace(x.all[normal], p)
	x.hosts[host] = addPlace(x.hosts[host], p)
	if origin == known && normal == host && !strings.Contains(address, "@") {
		x.own[host] = addPlace(x.own[host], p)
	}
}
