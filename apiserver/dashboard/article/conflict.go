package article

import (
	"net/http"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// conflictView is shown to the second of two editors. Nothing of theirs has been saved.
type conflictView struct {
	Article restarticle.Article
	// Mine is what they sent, Rebased the same for the text as it is now.
	Mine, Rebased textForm
	difference
}

// conflict answers with both texts and their difference, and three ways on: mine over theirs, theirs instead, or more work on mine.
func conflict(v *page.Visit, view *editView) *page.Answer {
	mine := view.Text
	rebased := mine
	rebased.Digest, rebased.Version = view.Article.RevisionDigest, view.tag
	before := currentDocument(view.Article)
	return v.Page("conflict.html", view.whoChanged(v), conflictView{
		Article: view.Article, Mine: mine, Rebased: rebased,
		difference: differences(before, document{
			Title: mine.Title, Slug: before.Slug, MetaTitle: mine.MetaTitle, MetaDescription: mine.MetaDescription,
			Markdown: string(mine.Markdown), FAQ: mine.filledIn(),
		}),
	}).With(http.StatusConflict)
}

// whoChanged says who has changed the text meanwhile.
func (e *editView) whoChanged(v *page.Visit) string {
	switch {
	case len(e.others) == 0 && e.Article.MadeWith != "":
		return "Somebody has changed this text in Kubernetes with " + e.Article.MadeWith
	case len(e.others) == 0:
		return "Somebody else has changed this text"
	case len(e.others) > 1:
		return e.whoSaved(v) + " have changed this text"
	case e.others[0] == v.Person.By:
		return "You have changed this text in another window"
	default:
		return e.whoSaved(v) + " has changed this text"
	}
}

// whoSaved names those who have saved a text since the form was read.
func (e *editView) whoSaved(v *page.Visit) string {
	switch {
	case len(e.others) == 0:
		return "Somebody else"
	case len(e.others) == 1 && e.others[0] == v.Person.By:
		return "You"
	default:
		return page.People(e.others)
	}
}
