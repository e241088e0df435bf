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
type Redactor struct {
	secrets []string
	// address has what may be secret of the address. It is removed from texts. What names a post, which may lie below it, may have it.
	address []string
}

// NewRedactor returns the Redactor of a request that these secrets went into.
func NewRedactor(secrets []string) Redactor { return Redactor{secrets: written(secrets)} }

// WithAddress adds what may be secret of the address that the request went to: its path, its query, both, and the parts of these that look
// like keys. Receivers show it in their errors.
func (r Redactor) WithAddress(raw string) Redactor {
	u, err := url.Parse(raw)
	if err != nil {
		return r
	}
	path, decoded := strings.Trim(u.EscapedPath(), "/"), strings.Trim(u.Path, "/")
	parts := []string{strings.TrimLeft(u.RequestURI(), "/"), path, decoded, u.RawQuery}
	for _, values := range u.Query() {
		parts = append(parts, values...)
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return len(s) < minAddressPart })
	for segment := range strings.SplitSeq(path, "/") {
		if len(segment) >= minSegment {
			parts = append(parts, segment)
		}
	}
	r.address = written(parts)
	return r
}

// minAddressPart and minSegment are how long a path or a query, and one segment of a path, are that may be secret, in bytes. Shorter ones
// are words.
const minAddressPart, minSegment = 9, 16

// written returns secrets in all the ways in which a receiver may write them.
func written(secrets []string) (all []string) {
	for _, secret := range secrets {
		secret = oneLine(secret)
		if secret == "" {
			continue
		}
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(secret)
		all = append(all, secret, quoted, strings.ReplaceAll(quoted, "/", `\/`),
			html.EscapeString(secret), url.QueryEscape(secret), url.PathEscape(secret))
	}
	return all
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
	// The rest of a message with the address says what is wrong there.
	o.Message = replace(o.Message, r.address)
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
func (r Redactor) HasSecret(text string) bool { return hasAny(text, r.secrets) }

func hasAny(text string, secrets []string) bool {
	return slices.ContainsFunc(secrets, func(secret string) bool { return strings.Contains(text, secret) })
}

// all returns the secrets of the request with those of its address.
func (r Redactor) all() []string { return slices.Concat(r.secrets, r.address) }

// replace replaces secrets in a text.
func replace(text string, secrets []string) string {
	pairs := make([]string, 0, 2*len(secrets))
	for _, secret := range secrets {
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
	text := replace(oneLine(string(body)), r.all())
	if more {
		text = r.withoutEnd(text)
	}
	text = credentials.ReplaceAllString(text, "$1 "+redacted)
	text = longRun.ReplaceAllStringFunc(text, hideEncoded)
	return shortened(text, more)
}

// withoutEnd leaves out the last word of a text that was cut off: it may be the beginning of a secret, which no pattern matches.
func (r Redactor) withoutEnd(text string) string {
	for _, secret := range r.all() {
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
