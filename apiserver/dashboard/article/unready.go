package article

import (
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// fieldImage is the address of the featured image in update-article.
const fieldImage = "image.url"

// unreadyFields has the reasons for which there is no revision of a stored text until something changes, with the field of update-article
// that each is about; empty if it is about no field. Without a revision nobody can review the text.
var unreadyFields = map[string]string{
	"image_unavailable": fieldImage, "invalid_image": fieldImage, "invalid_content": "", "revision_refused": "", "revision_missing": "",
	"revision_name_taken": "", "site_not_found": "", "suspended": "",
}

// whyUnready says why the text of an article cannot be reviewed although it is stored, and what to do; empty if it can be, or is about to
// be.
func whyUnready(v *page.Visit, a restarticle.Article) string {
	if _, known := unreadyFields[a.StatusReason]; !known || a.RevisionDigest != "" || a.ContentMarkdown == "" {
		return ""
	}
	return strings.TrimSpace(v.Status(a.ArticleSummary) + " " + page.Advice(a.StatusReason, nil))
}

// explain has the editor say why its text cannot be reviewed, at the field that must change, and reports whether that is so.
func (e *editView) explain(v *page.Visit) bool {
	why := whyUnready(v, e.Article)
	if why == "" {
		return false
	}
	e.Problem = "The text is stored, and cannot be reviewed yet. " + why
	if field := unreadyFields[e.Article.StatusReason]; field != "" {
		e.Problem = "The text is stored, and cannot be reviewed yet. Look at the field that is marked."
		e.Problems = map[string]string{field: why}
	}
	return true
}

// stored answers an edit that is stored: with the article, or with the editor if nobody can review the text yet.
func stored(v *page.Visit, view *editView, done string) *page.Answer {
	if view.explain(v) {
		view.Text.Digest, view.Text.Version = view.Article.RevisionDigest, view.tag
		return editPage(v, view).With(http.StatusUnprocessableEntity)
	}
	return saved(v, view.Article, done)
}
