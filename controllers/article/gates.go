package article

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// maxFailedGates is the API's bound.
const maxFailedGates = 8

// failedGates returns the names of the gates that a revision fails.
func failedGates(rev *v1alpha1.ArticleRevision) []string {
	var failed []string
	for _, f := range revision.Findings(&rev.Spec.Scores) {
		if f.Must && len(failed) < maxFailedGates {
			failed = append(failed, f.Check)
		}
	}
	return failed
}

// comparison holds the fingerprint and the terms of a revision, with which other articles are compared. Both are empty if its text
// cannot be read; the fingerprint is also empty if the text is too short.
type comparison struct{ fingerprint, terms string }

// comparisonOf returns the comparison of a revision. The fingerprint is of its text without the keyword. It reads the whole text.
func comparisonOf(rev *v1alpha1.ArticleRevision, keyword string) comparison {
	doc := revision.Document(rev)
	text := content.PlainText(doc.Markdown)
	c := comparison{terms: related.Terms(doc.Language, text)}
	if f, ok := related.FingerprintOf(doc.Language, text, keyword); ok {
		c.fingerprint = f.String()
	}
	return c
}

// requestedKeyword returns the keyword of an article's request, or "" if it has none.
func requestedKeyword(a *v1alpha1.Article) string {
	if a.Spec.Generate == nil {
		return ""
	}
	return a.Spec.Generate.Keyword
}
