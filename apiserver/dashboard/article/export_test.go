package article

import (
	"fmt"
	"net/url"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

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

// Story returns what happened to an article, an event a line, and whether it had revisions that are not kept.
func Story(transitions []restarticle.ArticleTransition, revisions []restarticle.ArticleRevisionSummary) (lines []string, older bool) {
	for _, e := range story(transitions, revisions) {
		line := fmt.Sprintf("%s %d", e.Word, e.Revision)
		if e.By != "" {
			line += " " + e.By
		}
		if e.Ready {
			line += ", ready"
		}
		lines = append(lines, line)
	}
	return lines, olderGone(revisions, transitions)
}

// Merged returns the fields of an article after a form of an earlier revision was merged with it; ok is false if both have changed the same.
func Merged(base restarticle.ArticleRevision, form url.Values, a restarticle.Article) (fields restarticle.UpdateArticleRequest, theirs []string, ok bool) {
	mine := formOf(base)
	for name, values := range form {
		switch value := values[0]; name {
		case "title":
			mine.Title = value
		case "markdown":
			mine.Markdown = page.Verbatim(value)
		case "slug":
			mine.Slug = value
		case "meta_title":
			mine.MetaTitle = value
		case "tags":
			mine.Tags = value
		case "keyword":
			mine.Keyword = value
		case "question":
			mine.FAQ = []restarticle.FAQEntry{{Question: value, Answer: "Yes."}}
		}
	}
	m := merge(base, mine, a)
	return m.text.edits(a), m.theirs, !m.conflict
}
