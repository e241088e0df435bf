package answer

import (
	"bytes"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

const (
	redacted = "[redacted]"
	binary   = "[binary content]"
	ellipsis = "…"
)

var (
	// credentials of the header Authorization, wherever a receiver shows them.
	credentials = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[^\s"'<>,;\\]+`)
	// longRun is text that may be an encoded secret: hashes and keys in hexadecimal digits or base64.
	longRun = regexp.MustCompile(`[A-Za-z0-9+/_-]{32,}={0,2}`)
	hexRun  = regexp.MustCompile(`^[0-9a-fA-F]+$`)
)

// MaxKept is how much of an answer is kept for its snippet, in bytes: more than a snippet has, because redaction shortens it.
const MaxKept = 1024

// Redactor knows the secrets of a request, as they are and as a receiver may write them in JSON, HTML or a URL.
type Redactor []string

// NewRedactor returns the Redactor of a request that these secrets went into.
func NewRedactor(secrets []string) Redactor {
	var r Redactor
	for _, secret := range secrets {
		secret = oneLine(secret)
		if secret == "" {
			continue
		}
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(secret)
		r = append(r, secret, quoted, strings.ReplaceAll(quoted, "/", `\/`),
			html.EscapeString(secret), url.QueryEscape(secret), url.PathEscape(secret))
	}
	return r
}

// Clean adds the snippet of the answer's body to an outcome, and removes what holds a secret of the request from it. more reports
// that the answer goes on after body.
func (r Redactor) Clean(o publish.Outcome, body []byte, more bool) publish.Outcome {
	o.Snippet = r.Snippet(body, more)
	return r.WithoutSecrets(o)
}

// WithoutSecrets removes what holds a secret of the request from an outcome.
func (r Redactor) WithoutSecrets(o publish.Outcome) publish.Outcome {
	if r.HasSecret(o.Message) {
		o.Message = redacted
	}
	for _, text := range []*string{&o.ID, &o.URL, &o.Slug, &o.Conflict} {
		if r.HasSecret(*text) {
			*text = ""
		}
	}
	for i := range o.Differences {
		d := &o.Differences[i]
		d.Site, d.Article = r.Snippet([]byte(d.Site), false), r.Snippet([]byte(d.Article), false)
	}
	return o
}

// HasSecret reports whether a text has a secret of the request in it.
func (r Redactor) HasSecret(text string) bool {
	return slices.ContainsFunc(r, func(secret string) bool { return strings.Contains(text, secret) })
}

// hide replaces the secrets of the request.
func (r Redactor) hide(text string) string {
	pairs := make([]string, 0, 2*len(r))
	for _, secret := range r {
		pairs = append(pairs, secret, redacted)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Snippet returns the beginning of an answer as people may see it: one line of at most MaxSnippetBytes printable bytes, without
// the secrets of the request and without what has the form of a credential. more reports that the answer goes on after body.
func (r Redactor) Snippet(body []byte, more bool) string {
	if bytes.IndexByte(body, 0) >= 0 {
		return binary
	}
	text := r.hide(oneLine(string(body)))
	if more {
		text = r.withoutEnd(text)
	}
	text = credentials.ReplaceAllString(text, "$1 "+redacted)
	text = longRun.ReplaceAllStringFunc(text, hideEncoded)
	return shortened(text, more)
}

// withoutEnd leaves out the last word of a text that was cut off: it may be the beginning of a secret, which no pattern matches.
func (r Redactor) withoutEnd(text string) string {
	for _, secret := range r {
		for n := min(len(secret), len(text)); n > 0; n-- {
			if strings.HasSuffix(text, secret[:n]) {
				text = text[:len(text)-n]
				break
			}
		}
	}
	const longest = 64 // bytes: in a longer word longRun finds what is encoded
	from := max(len(text)-longest, 0)
	if i := strings.LastIndexAny(text[from:], " \"<>,;&"); i >= 0 {
		text = text[:from+i]
	}
	return text
}

// hideEncoded replaces a run of letters that is hexadecimal or has the mix of letters and digits of base64. Others are words,
// such as a slug.
func hideEncoded(run string) string {
	if hexRun.MatchString(run) {
		return redacted
	}
	for _, kind := range []func(rune) bool{unicode.IsDigit, unicode.IsUpper, unicode.IsLower} {
		if !strings.ContainsFunc(run, kind) {
			return run
		}
	}
	return redacted
}

// oneLine leaves out what is not printable, such as what changes the direction of text, and makes one space of white space.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r):
			return r
		default:
			return -1
		}
	}, strings.ToValidUTF8(text, ""))
	return strings.Join(strings.Fields(text), " ")
}

// shortened cuts a text to what a snippet may have, at the border of a character, and marks a text that goes on.
func shortened(text string, more bool) string {
	if len(text) <= v1alpha1.MaxSnippetBytes && (!more || text == "") {
		return text
	}
	cut := min(len(text), v1alpha1.MaxSnippetBytes-len(ellipsis))
	for cut > 0 && cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + ellipsis
}
