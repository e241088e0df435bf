package article

import (
	"crypto/rand"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// field is what the script makes the field of a text of.
type field struct {
	// Module is the path of CodeMirror, and Nonce that of the styles that it adds to the page.
	Module, Nonce string
	// Site of the text; empty while the form has a choice of it.
	Site string
	// Paste is the path that what is pasted is sent to, and Links that of the articles that a link can lead to.
	Paste, Links string
}

func fieldOf(v *page.Visit, site string) field {
	return field{
		Module: v.Deps.CodeMirror, Nonce: rand.Text(), Site: site,
		Paste: v.Path("articles", "new", "paste"), Links: v.Path("articles", "new", "links"),
	}
}

// maxLinks bounds the articles that are offered at once.
const maxLinks = 8

// link is a published article.
type link struct{ Title, URL string }

// showLinks answers with articles that are published on a site, and that have the words of a query, for the script of the editor.
func showLinks(v *page.Visit) (*page.Answer, error) {
	found, err := page.Call(v, articlelist.List, articlelist.ListInput{
		OfSite: articlelist.OfSite{SiteUID: operation.SiteUID(v.Query("site"))}, Text: v.Query("q"),
		Status: []articlelist.Status{page.StatusPublished}, Limit: maxLinks,
	})
	if err != nil {
		return nil, err
	}
	links := []link{}
	for _, a := range found.Body.Data {
		if a.PublishedURL != "" {
			links = append(links, link{page.TitleOf(a), a.PublishedURL})
		}
	}
	answer := v.Page("links.html", "Links", links)
	answer.Bare = true
	return answer, nil
}
