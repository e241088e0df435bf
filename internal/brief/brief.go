// Package brief turns a Brief into the material of a text.
package brief

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

// digestDomain separates these digests from others of SHA-256, and numbers the encoding.
const digestDomain = "pressroom.dev/brief/v1\n"

// Digest names the spec of a Brief: "sha256:" and the hex SHA-256 of the domain, the instructions, the number of facts and each fact, and
// the number of sources and the name, title, URL and text of each. A text is written as its length in bytes and its bytes, a number as 8
// bytes, big-endian.
func Digest(b v1alpha1.BriefSpec) string {
	h := sha256.New()
	number := func(n int) {
		var out [8]byte
		binary.BigEndian.PutUint64(out[:], uint64(n)) //nolint:gosec // A length is not negative.
		h.Write(out[:])
	}
	text := func(s string) {
		number(len(s))
		h.Write([]byte(s))
	}
	h.Write([]byte(digestDomain))
	text(b.Instructions)
	number(len(b.Facts))
	for _, f := range b.Facts {
		text(f)
	}
	number(len(b.Sources))
	for _, s := range b.Sources {
		text(s.Name)
		text(s.Title)
		text(s.URL)
		text(s.Text)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// NameFor returns the name of the Brief of an article's text: that of its request, or else that of its Site, which may be nil. It is empty
// if there is none.
func NameFor(a *v1alpha1.Article, site *v1alpha1.Site) string {
	switch {
	case a.Spec.Generate != nil && a.Spec.Generate.BriefRef != nil:
		return a.Spec.Generate.BriefRef.Name
	case site != nil && site.Spec.BriefRef != nil:
		return site.Spec.BriefRef.Name
	default:
		return ""
	}
}

// Material returns the facts and sources of a Brief as the material of a text.
func Material(b v1alpha1.BriefSpec) ground.Material {
	m := ground.Material{Facts: b.Facts}
	for _, s := range b.Sources {
		m.Sources = append(m.Sources, ground.Source{Name: s.Name, Title: s.Title, URL: s.URL, Text: s.Text})
	}
	return m
}
