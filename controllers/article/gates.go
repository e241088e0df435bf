package article

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// gate is the group of checks without which nothing is approved automatically.
const gate = v1alpha1.CheckGroup(check.GroupGate)

// maxFailedGates is the API's bound.
const maxFailedGates = 8

// failedGates returns the names of the gates that a revision fails.
func failedGates(rev *v1alpha1.ArticleRevision) []string {
	var failed []string
	for _, c := range rev.Spec.Scores.Checks {
		if c.Group == gate && c.Result == v1alpha1.CheckFailed && len(failed) < maxFailedGates {
			failed = append(failed, c.Name)
		}
	}
	return failed
}

// requestedKeyword is what an article's request is about; empty if there is none.
func requestedKeyword(a *v1alpha1.Article) string {
	if a.Spec.Generate == nil {
		return ""
	}
	return a.Spec.Generate.Keyword
}

// comparison is what other articles are compared with: the fingerprint and the terms of a revision. Both are empty if its text cannot be
// read, and the fingerprint also if the text is too short.
type comparison struct{ fingerprint, terms string }

// comparisonOf returns that of a revision: the fingerprint is of its text without the keyword. It reads the whole text.
func comparisonOf(rev *v1alpha1.ArticleRevision, keyword string) comparison {
	doc, err := revision.Document(rev)
	if err != nil {
		return comparison{}
	}
	text := content.PlainText(doc.Markdown)
	c := comparison{terms: related.Terms(doc.Language, text)}
	if f, ok := related.FingerprintOf(doc.Language, text, keyword); ok {
		c.fingerprint = f.String()
	}
	return c
}

// knownSite returns what is known of the other articles of an article's site for the checks of an author's text. The site's articles are
// looked through only if nobody reviews the text.
func (c *Content) knownSite(ctx context.Context, t *task, doc content.Document) (*check.Site, error) {
	if t.site == nil || t.site.Spec.Review.Policy != v1alpha1.ReviewAutomatic {
		return nil, nil
	}
	others, err := siblings(ctx, c.Base, t.article)
	if err != nil {
		return nil, err
	}
	request := generate.Request{Language: revision.Language(t.site), Keyword: requestedKeyword(t.article)}
	addSiblings(c.Subjects, &request, t.article, others)
	return generate.CheckInput(request, doc).Site, nil
}
