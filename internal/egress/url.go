package egress

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// maxURL is the length of a URL in bytes, the same that the API allows.
const maxURL = 2048

// CheckURL checks a URL that a customer named. Without looking anything up it refuses with ErrBlocked: schemes other than http and
// https, user information, no host, names reserved for private networks, and addresses that may not be reached, in any notation. A
// URL that passes may still lead to such an address: the client refuses that.
func (p Policy) CheckURL(raw string) error {
	_, err := newGuard(p).parse(raw)
	return err
}

func (g *guard) parse(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, blocked("the URL cannot be read")
	}
	u, err := url.Parse(raw)
	if err != nil {
		// The parser's own text repeats the URL, which may hold a token.
		return nil, blocked("the URL cannot be read")
	}
	if err := g.checkURL(u); err != nil {
		return nil, err
	}
	return u, nil
}

func (g *guard) checkURL(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return blocked("the URL is neither http nor https")
	}
	if u.User != nil {
		return blocked("the URL carries user information")
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.ParseUint(p, 10, 16); err != nil || n == 0 {
			return blocked("the URL has no valid port")
		}
	}
	return g.checkHost(u.Hostname())
}

func (g *guard) checkHost(host string) error {
	if a, err := netip.ParseAddr(host); err == nil {
		return g.check(a)
	}
	name, ok := canonicalName(host)
	if !ok || endsInNumber(name) {
		return blocked("the URL has no valid host")
	}
	if !g.development() && isPrivateName(name) {
		return blocked("the host's name is not a public one")
	}
	return nil
}

// canonicalName returns a host name as it is looked up: ASCII, lower case, without the final dot.
func canonicalName(host string) (string, bool) {
	name := host
	if strings.ContainsFunc(host, func(r rune) bool { return r >= 0x80 }) {
		// The same mapping that net/http does before it dials.
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", false
		}
		name = ascii
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if len(name) == 0 || len(name) > 253 {
		return "", false
	}
	for label := range strings.SplitSeq(name, ".") {
		if !isLabel(label) {
			return "", false
		}
	}
	return name, true
}

// isLabel reports whether s may be a label of a host name. Underscores are not valid in host names, but are in use.
func isLabel(s string) bool {
	if len(s) == 0 || len(s) > 63 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return false
	}
	if strings.HasPrefix(s, "xn--") {
		_, err := idna.Lookup.ToUnicode(s)
		return err == nil
	}
	return true
}

// endsInNumber reports whether other software would read the name as an IPv4 address in octal, hexadecimal, short or full-width
// form, such as 0177.1 or 2130706433 (WHATWG URL, "ends in a number"). No top-level domain is a number.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	digits, ok := strings.CutPrefix(last, "0x")
	return ok && strings.Trim(digits, "0123456789abcdef") == ""
}

func isPrivateName(name string) bool {
	return !strings.Contains(name, ".") ||
		slices.ContainsFunc(privateNames, func(end string) bool { return strings.HasSuffix(name, "."+end) })
}

// Host returns host:port of a URL in one spelling, so that requests can be capped by it.
func Host(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return net.JoinHostPort(hostOf(u), portOf(u))
}

func hostOf(u *url.URL) string {
	if a, err := netip.ParseAddr(u.Hostname()); err == nil {
		return a.String()
	}
	if name, ok := canonicalName(u.Hostname()); ok {
		return name
	}
	return u.Hostname() // No request goes there.
}

func portOf(u *url.URL) string {
	if n, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		return strconv.FormatUint(n, 10)
	}
	if u.Scheme == "http" {
		return "80"
	}
	return "443"
}

// RegistrableDomain returns the part of a host's name that was registered, such as example.co.uk of
// shop.example.co.uk:8443, by the public suffix list. An address, or a name that has no such part, is returned as it is, without
// the port.
func RegistrableDomain(host string) string {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return name
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(name)
	if err != nil {
		return name
	}
	return domain
}
