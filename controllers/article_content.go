package controllers

import (
	"context"
	"errors"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// namePoll is how often a revision's name is tried again that the revision of a deleted article still has.
const namePoll = 5 * time.Second

// Content takes the author's text into revisions.
type Content struct {
	*Base
	// Slugs gives each article its own slug.
	Slugs *Slugs
	// Encoding of the bodies of new revisions.
	Encoding v1alpha1.BodyEncoding
}

// makeRevision takes the author's content into a revision.
func (c *Content) makeRevision(ctx context.Context, t *task) (progress, error) {
	doc, err := c.document(ctx, t)
	if err != nil {
		return progress{}, err
	}
	doc, err = content.Normalize(revision.Overlay(doc, t.article.Spec.Content))
	if err != nil {
		t.blockers.Content = &lifecycle.BlockedError{Reason: v1alpha1.ReasonInvalidContent, Message: err.Error()}
		return progress{}, t.blockers.Content
	}
	rev, err := c.written(ctx, t.article, doc)
	if errors.Is(err, errNameTaken) {
		t.blockers.Content = nameTaken()
		return progress{}, t.blockers.Content
	}
	if err != nil {
		return progress{}, err
	}
	return progress{again: true}, t.setCurrent(ctx, rev, lifecycle.ContentHash(t.article.Spec.Content))
}

// nameTaken blocks a revision while the one of a deleted article has its name.
func nameTaken() *lifecycle.BlockedError {
	return &lifecycle.BlockedError{Reason: v1alpha1.ReasonRevisionNameTaken, Message: errNameTaken.Error(), RetryAfter: namePoll}
}

// document returns what the author's fields lie over: the current revision's document, or an empty one.
func (c *Content) document(ctx context.Context, t *task) (content.Document, error) {
	empty := content.Document{Language: language(t.site)}
	if t.article.Status.Revision == nil {
		return empty, nil
	}
	rev, err := c.revision(ctx, t.article, t.article.Status.Revision.Name)
	if err != nil || rev == nil {
		return empty, err
	}
	return revision.Document(rev)
}

// written creates the revision of a written document, under the next number that is free. A revision that an interrupted
// reconcile left counts as this one only with the same content.
func (c *Content) written(ctx context.Context, a *v1alpha1.Article, doc content.Document) (*v1alpha1.ArticleRevision, error) {
	for number := a.Status.LastRevisionNumber + 1; ; number++ {
		origin := revision.Origin{
			Name: revisionName(a, number), Number: number, Source: v1alpha1.SourceWritten, Encoding: c.Encoding,
		}
		if g := a.Spec.Generate; g != nil {
			origin.Keyword, origin.SecondaryKeywords = g.Keyword, g.SecondaryKeywords
		}
		wanted, err := revision.New(a, doc, origin)
		if err != nil {
			return nil, err
		}
		got, err := c.createRevision(ctx, a, wanted)
		if err != nil || got.Spec.Digest == doc.Digest() {
			return got, err
		}
	}
}

// language of a site's texts.
func language(site *v1alpha1.Site) string {
	if l := site.Spec.BrandVoice.Language; l != "" {
		return l
	}
	return "en"
}
