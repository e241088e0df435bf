package lifecycle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// RequestHash identifies what spec.generate asks for.
func RequestHash(g *v1alpha1.GenerateRequest) string {
	if g == nil {
		return ""
	}
	return hashOf(g)
}

// ContentHash identifies the author's spec.content; it is empty if there is none. It is the same for a stripped article.
func ContentHash(c *v1alpha1.ArticleContent) string {
	if c == nil {
		return ""
	}
	if WithoutText(c) {
		return c.Cached.Hash
	}
	return hashOf(c)
}

// hashOf hashes a struct of strings, which always has a JSON form, with its fields in a fixed order.
func hashOf(v any) string {
	hash, _ := measure(v)
	return hash
}

// measure returns the hash and the size of the JSON form of a struct.
func measure(v any) (hash string, size int64) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", 0
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), int64(len(data))
}

// Unknown reports whether status is empty: the article is new, or was restored without status.
func Unknown(a *v1alpha1.Article) bool {
	s := &a.Status
	return s.Revision == nil && s.Run == nil && s.Publication == nil && s.LastRevisionNumber == 0
}

// GeneratedNumber is the number of the revision with the latest generated text, or 0.
func GeneratedNumber(a *v1alpha1.Article) int32 {
	if r := a.Status.Revision; r != nil && r.Source == v1alpha1.SourceGenerated {
		return r.Number
	}
	return a.Status.GeneratedNumber
}

// CurrentRevision is the current revision as a publication names it.
func CurrentRevision(a *v1alpha1.Article, site *v1alpha1.Site) v1alpha1.PublicationRevision {
	r := a.Status.Revision
	return v1alpha1.PublicationRevision{
		Name: r.Name, Number: r.Number, Digest: r.Digest, Disclosure: DisclosureOf(r.Source, ReviewOf(a, site) == ReviewApproved),
	}
}
