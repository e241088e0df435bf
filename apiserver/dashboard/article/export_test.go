package article

import restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"

// TextID tells the texts of an article apart within its page.
func TextID(a restarticle.Article, revisions []restarticle.ArticleRevisionSummary) string {
	view := &articleView{Article: a, Revisions: revisions}
	view.Text, view.Since = compared(revisions, a.RevisionDigest)
	return view.TextID()
}

// MarkFindings marks what failed checks are about in HTML.
func MarkFindings(html string, failed []restarticle.ScoreCheck) string {
	return markFindings(html, failed)
}

// MarkClaims marks the words of claims in HTML.
func MarkClaims(html string, claims []restarticle.Claim) string { return markClaims(html, claims) }
