// Package snippet makes of a receiver's answer the few words that people may see in status. Whatever the receiver echoes, what
// comes out is one line of valid text without control characters, without the secrets that went into the request, and without
// what looks like a secret of anybody's, an e-mail address or an IP address.
//
// It errs on the side of taking out too much. It can tell a secret of others only by its form or by the word before it.
package snippet

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxBytes is the most that a snippet has.
	MaxBytes = 1024
	// SourceBytes is how much of an answer should be given to Of: more than fits, since taking things out makes it shorter.
	SourceBytes = 4096
)

const (
	redacted = "[redacted]"
	address  = "[address]"
	email    = "[e-mail]"
	binary   = "[binary content]"
	ellipsis = "…"
)

// Of returns the snippet of an answer that begins with body; more says that it goes on. secrets are those that went into the
// request: the signing secret, the signature.
func Of(body []byte, more bool, secrets ...string) string {
	if isBinary(body) {
		return binary
	}
	known := newValues(secrets)
	text := known.hide(string(body))
	if more {
		text = text[:lastBreak(text)]
	}
	text = hidePatterns(printable(text))
	// White space is one space from here on, also in what is looked for.
	text = known.hide(strings.Join(strings.Fields(text), " "))
	return shortened(text, more)
}

// isBinary reports whether a body is no text: it has a NUL, or many bytes that belong in none.
func isBinary(body []byte) bool {
	if bytes.IndexByte(body, 0) >= 0 {
		return true
	}
	strange := 0
	for rest := body; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if (r == utf8.RuneError && size == 1) || (unicode.IsControl(r) && !unicode.IsSpace(r)) {
			strange++
		}
		rest = rest[size:]
	}
	const most = 10 // one in so many bytes
	return strange > 0 && strange*most > len(body)
}

// lastBreak is where the last word begins that may be cut off: half of a secret has no form to tell it by.
func lastBreak(text string) int {
	const longest = 512 // bytes of a word without a break
	from := max(len(text)-longest, 0)
	if i := strings.LastIndexAny(text[from:], " \t\r\n,;&<>{}[]"); i >= 0 {
		return from + i
	}
	return from
}

// printable leaves out what is neither text nor white space, such as what turns the direction of text around.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		default:
			return -1
		}
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}

// shortened cuts a text at a character's border, and says so.
func shortened(text string, more bool) string {
	if len(text) <= MaxBytes && !(more && text != "") {
		return text
	}
	cut := min(len(text), MaxBytes-len(ellipsis))
	for cut > 0 && cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + ellipsis
}
