package article

import "github.com/pressroom-dev/pressroom/apiserver/rest"

// TextID tells the texts of an article apart within its page.
func TextID(a rest.Article, revisions []rest.RevisionSummary) string {
	view := &articleView{Article: a, Revisions: revisions}
	view.Text, view.Since = compared(revisions, a.RevisionDigest)
	return view.TextID()
}
