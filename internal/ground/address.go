package ground

import (
	"cmp"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/internal/ground/addresses"
	"github.com/pressroom-dev/pressroom/internal/ground/words"
)

// addressIndex has the addresses of the material.
type addressIndex struct {
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
	if !x.addressIndex.read {
		x.readAddresses()
	}
	normal, host := addresses.Normal(address)
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
	r, n := words.RuneAt(rest, 0)
	return n > 0 && (words.IsWord(r) || r == '-' || r == '/' || r == '.' && len(rest) > 1 && words.Class[rest[1]&0x7f] != 0)
}

func (x *index) readAddresses() {
	x.addressIndex = addressIndex{read: true, all: map[string][]place{}, hosts: map[string][]place{}, own: map[string][]place{}}
	for i, t := range x.texts {
		texts := []string{t.text}
		if t.original != "" {
			// The addresses of links are not in the plain text, and lines of Markdown may hide others.
			texts = append(texts, t.original)
		}
		for _, text := range texts {
			for _, s := range addresses.Find(text) {
				x.addAddress(text[s.Start:s.End], place{text: i, at: min(s.Start, len(t.text))}, t.origin)
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
	normal, host := addresses.Normal(address)
	x.all[normal] = addPlace(x.all[normal], p)
	x.hosts[host] = addPlace(x.hosts[host], p)
	if origin == known && normal == host && !strings.Contains(address, "@") {
		x.own[host] = addPlace(x.own[host], p)
	}
}
