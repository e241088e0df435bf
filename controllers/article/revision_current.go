package article

import (
	"context"
	"fmt"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// current returns the document of the article's current revision, which must have the digest in status, as reviewers approve that. If
// the revision was deleted, and Texts does not have it, current makes it again if the manifest still gives the same content, and otherwise
// returns a *lifecycle.BlockedError.
func (c *Content) current(ctx context.Context, t *task) (content.Document, error) {
	a, want := t.article, t.article.Status.Revision
	if t.revision == nil {
		t.revision = c.Texts.revision(a)
	}
	if t.revision == nil || t.revision.Name != want.Name {
		rev, err := readRevision(ctx, c.Base, a, want.Name)
		if err != nil {
			return content.Document{}, err
		}
		if rev == nil {
			if rev, err = c.remake(ctx, t); err != nil {
				return content.Document{}, err
			}
		}
		t.revision = rev
	}
	doc := revision.Document(t.revision)
	if doc.Digest() != want.Digest {
		message := fmt.Sprintf("the revision %s has other content than status.revision.digest", want.Name)
		return content.Document{}, revisionMissing(a, message)
	}
	return doc, nil
}

// sent returns the document of a revision that is sent, or was: the current one, or the one that the site has.
func (c *Content) sent(ctx context.Context, t *task, r v1alpha1.PublicationRevision) (content.Document, error) {
	if current := t.article.Status.Revision; current != nil && r.Digest == current.Digest {
		return c.current(ctx, t)
	}
	name := lifecycle.NameOfRevision(t.article, r)
	rev, err := readRevision(ctx, c.Base, t.article, name)
	if err != nil {
		return content.Document{}, err
	}
	if rev == nil || revision.Document(rev).Digest() != r.Digest {
		return content.Document{}, revisionMissing(t.article, fmt.Sprintf("the revision %s, which the site has, does not exist", name))
	}
	return revision.Document(rev), nil
}

// remake makes the current revision again, under its name.
func (c *Content) remake(ctx context.Context, t *task) (*v1alpha1.ArticleRevision, error) {
	a, want := t.article, t.article.Status.Revision
	missing := revisionMissing(a, fmt.Sprintf("the current revision %s does not exist", want.Name))
	doc, err := c.composeWithFile(ctx, t)
	if base.IsBlocked(err) || err == nil && doc.Digest() != want.Digest {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	used, err := c.Briefs.of(ctx, t)
	if err != nil && !base.IsBlocked(err) { // The text is approved without a Brief that is gone.
		return nil, err
	}
	origin, err := c.checked(ctx, t, doc, used)
	if err != nil {
		return nil, err
	}
	origin.Name, origin.Number = want.Name, want.Number
	defer c.Images.forget(a)
	return createRevision(ctx, c.Base, a, revision.New(a, doc, origin))
}
