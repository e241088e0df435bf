package generate

import (
	"fmt"

	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// Link is a published article of the site, which a text may link to. The model gets its name and title, never its address.
type Link struct {
	// Title of the article.
	Title string `json:"title"`
	// About is its keyword; may be empty.
	About string `json:"about,omitempty"`
	// URL of the live post.
	URL string `json:"url"`
}

const (
	// MaxLinks is how many articles of the site a model may choose from.
	MaxLinks = 8
	// maxOwnLinks is how many of them a text may link to.
	maxOwnLinks = 5
	// minAnchorWords and maxAnchorWords bound the words of a link.
	minAnchorWords, maxAnchorWords = 2, 8
)

func namedLinks(r Request) content.NamedLinks {
	out := content.NamedLinks{Most: maxOwnLinks, Refuses: func(words string) bool { return !anchor(words, r) }}
	for i, l := range r.Links[:min(len(r.Links), MaxLinks)] {
		out.Links = append(out.Links, content.NamedLink{Name: fmt.Sprintf("a%d", i+1), URL: l.URL})
	}
	return out
}

// anchor reports whether words may be a link: a few, and more than the keyword, which would compete with the article itself.
func anchor(words string, r Request) bool {
	n := language.CountWords(words)
	if n < minAnchorWords || n > maxAnchorWords {
		return false
	}
	profile := language.For(r.Language)
	rest := map[string]bool{}
	for _, stem := range profile.Stems(words) {
		rest[stem] = true
	}
	for _, stem := range profile.Stems(r.Keyword) {
		delete(rest, stem)
	}
	return len(rest) > 0
}
