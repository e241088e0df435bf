package generate

import (
	"fmt"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
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
	// maxSources is how many different sources a text may cite, as many as a Brief has. Each may be cited as often as it helps: readers
	// look for the source where a claim stands.
	maxSources = 10
	// minAnchorWords and maxAnchorWords bound the words of a link.
	minAnchorWords, maxAnchorWords = 2, 8
)

// namedLinks are the links that a text of a request may have. Our names for articles are not those that a brief has for its sources.
func namedLinks(r Request) content.NamedLinks {
	out := content.NamedLinks{
		Most: maxOwnLinks, MostSources: maxSources, Refuses: func(words string) bool { return !anchor(words, r) }, Sources: namedSources(r),
	}
	for _, l := range r.Links[:min(len(r.Links), MaxLinks)] {
		out.Links = append(out.Links, content.NamedLink{Name: freeName(out), URL: l.URL})
	}
	return out
}

// namedSources are the sources that a text may cite. Those without a URL, or all if the site wants none, get no link.
func namedSources(r Request) []content.NamedLink {
	if r.Material == nil {
		return nil
	}
	var out []content.NamedLink
	for _, s := range r.Material.Sources {
		l := content.NamedLink{Name: s.Name}
		if r.Citations != v1alpha1.CitationNone {
			l.URL = s.URL
		}
		out = append(out, l)
	}
	return out
}

// freeName returns the first of a1, a2 and so on that no link and no source has.
func freeName(n content.NamedLinks) string {
	for i := 1; ; i++ {
		name := fmt.Sprintf("a%d", i)
		has := func(l content.NamedLink) bool { return l.Name == name }
		if !slices.ContainsFunc(n.Links, has) && !slices.ContainsFunc(n.Sources, has) {
			return name
		}
	}
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
