package snippet

import (
	"net/netip"
	"regexp"
	"strings"
	"unicode"
)

// pattern is a form that secrets have.
type pattern struct {
	form *regexp.Regexp
	with string
}

const (
	// quote may stand around a key or a value: in JSON, in JSON within JSON, in HTML, in a list of PHP's.
	quote = `(?:\\*["'\]]|&quot;|&#0?3[49];)?`
	// between stands between a key and its value: in JSON, a form, a header, PHP, or two cells of a table.
	between = `\s*(?:=>|[:=]|</t[dh]>\s*<t[dh][^>]*>)\s*`
	// key is a name that is given to secrets.
	key = `[\w.-]*(?:passw(?:or)?d|passphrase|pwd|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|credential|` +
		`authori[sz]ation|session[-_]?id|signature)[\w.-]*`
	// value is what follows: quoted, to the end of the quotes, else to the end of the word. It may be cut off.
	value  = `(?:\[redacted\]|` + quoted + `|[^\s,;&"'<>}\])]+)`
	quoted = `\\+"(?:[^"\\]|\\[^"])*(?:\\+")?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|&quot;[^<>]*?(?:&quot;|$)`
)

// The patterns, in the order in which they are looked for: those that know where a secret ends come first.
var patterns = []pattern{
	{regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`), redacted},
	// Headers that are secrets to the end of their line.
	{regexp.MustCompile(`(?i)\b((?:set-)?cookie2?)` + quote + `\s*(?:=>|:)[^\n<]*`), "$1: " + redacted},
	{regexp.MustCompile(`(?i)\b(bearer|basic|digest|negotiate)[ \t:=]+[^\s"'<>,;\\]+`), "$1 " + redacted},
	{regexp.MustCompile(`://[^/\s"'<>@]+@`), "://" + redacted + "@"},
	// Our own credentials and signing secrets, JSON Web Tokens, and the prefixes that well-known services mark theirs with.
	{regexp.MustCompile(`\bpr_(?:ak|at|ac|cs)_\w*`), redacted},
	{regexp.MustCompile(`\bwhsec_[A-Za-z0-9+/=_-]*`), redacted},
	{regexp.MustCompile(`\bv1,[A-Za-z0-9+/]{16,}={0,2}`), redacted},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,4}`), redacted},
	{regexp.MustCompile(`\b(?:sk|pk|rk|gh[opusr]|github_pat|glpat|xox[abeprs]|shpat|AKIA|ASIA|AIza)[-_]?[A-Za-z0-9_-]{16,}`), redacted},
	{regexp.MustCompile(`(?i)(` + key + quote + between + `)` + value), "${1}" + redacted},
	{regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`), email},
	// Hashes and keys in hexadecimal digits.
	{regexp.MustCompile(`\b[0-9a-fA-F]{40,}\b`), redacted},
}

// long are runs of letters that may be encoded bytes.
var long = regexp.MustCompile(`[A-Za-z0-9+/_-]{40,}={0,2}`)

// addresses are runs of what IP addresses consist of.
var addresses = regexp.MustCompile(`[0-9A-Fa-f:.]{3,}`)

// hidePatterns takes out what has the form of a secret or of an address.
func hidePatterns(text string) string {
	for _, p := range patterns {
		text = p.form.ReplaceAllString(text, p.with)
	}
	text = long.ReplaceAllStringFunc(text, func(run string) string {
		for _, of := range []func(rune) bool{unicode.IsDigit, unicode.IsUpper, unicode.IsLower} {
			if !strings.ContainsFunc(run, of) {
				return run // words, a path
			}
		}
		return redacted
	})
	return hideAddresses(text)
}

// hideAddresses takes out IP addresses: a page of errors likes to tell those of the network behind it.
func hideAddresses(text string) string {
	var out strings.Builder
	end := 0
	for _, at := range addresses.FindAllStringIndex(text, -1) {
		run := text[at[0]:at[1]]
		host := strings.TrimRight(run, ".:")
		port := ""
		if h, p, ok := strings.Cut(host, ":"); ok && !strings.Contains(p, ":") {
			host, port = h, ":"+p
		}
		rest := run[len(host)+len(port):]
		if _, err := netip.ParseAddr(host); err != nil || inWord(text, at[0], at[0]+len(host)) {
			continue
		}
		out.WriteString(text[end:at[0]] + address + port + rest)
		end = at[1]
	}
	return out.String() + text[end:]
}

// inWord reports whether a run goes on as a word at either end, as that of a::b does.
func inWord(text string, from, to int) bool {
	word := func(b byte) bool {
		return b == '_' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
	}
	return (from > 0 && word(text[from-1])) || (to < len(text) && word(text[to]))
}
