package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// GetArticleInput is the input of get-article.
type GetArticleInput struct{ OnArticle }

// ArticleOutput is a full article as an answer.
type ArticleOutput struct{ Body Article }

func (s *service) registerGet() {
	op := s.operation(http.MethodGet, "/v1/api/blogs/{uid}", "get-article", v1alpha1.ScopeRead, inWorkspace...)
	op.Summary = "Get an article"
	op.Description = "The full article. While it is being generated, poll until status is review or failed."
	handle(s, op, s.getArticle)
}

func (s *service) getArticle(ctx context.Context, c *call, in *GetArticleInput) (*ArticleOutput, error) {
	i, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	return s.full(ctx, i)
}

// find returns an article: from the index, or from the API server where this replica's index may not have it yet.
func (s *service) find(ctx context.Context, c *call, uid string) (item, error) {
	if !identity.IsUID(uid) {
		return item{}, notFound("article")
	}
	if found, ok := s.Index.Get(c.workspace, uid); ok {
		return item{Article: found}, nil
	}
	return s.findLive(ctx, client.ObjectKey{Namespace: c.workspace, Name: uid})
}

func (s *service) findLive(ctx context.Context, key client.ObjectKey) (item, error) {
	a, err := s.articles.get(ctx, key)
	if err != nil {
		return item{}, err
	}
	if !a.DeletionTimestamp.IsZero() {
		return item{}, notFound("article")
	}
	return liveItem(a, s.Clock.Now()), nil
}

// locate returns the key of an article, by which the API server knows it. Whether it exists shows when it is read.
func (s *service) locate(c *call, uid string) (client.ObjectKey, error) {
	if !identity.IsUID(uid) {
		return client.ObjectKey{}, notFound("article")
	}
	key := client.ObjectKey{Namespace: c.workspace, Name: uid}
	if found, ok := s.Index.Get(c.workspace, uid); ok {
		key.Name = found.Object.Name
	}
	return key, nil
}

// full is the article with its text. An item of the index that is behind, because its revision is gone or the author's
// text has not become one yet, is read from the API server.
func (s *service) full(ctx context.Context, i item) (*ArticleOutput, error) {
	current, err := s.textOf(ctx, i)
	if err == nil {
		return &ArticleOutput{Body: present(i, current)}, nil
	}
	if i.live || !errors.Is(err, errBehind) {
		return nil, textFailure(err)
	}
	newest, err := s.findLive(ctx, client.ObjectKeyFromObject(i.Object))
	if err != nil {
		return nil, err
	}
	return s.full(ctx, newest)
}

// errBehind says that the text is not where the index says.
var errBehind = errors.New("the index is behind")

// textOf returns the text of an article: its current revision's with what the author has written since laid over it. It
// is nil where there is neither.
func (s *service) textOf(ctx context.Context, i item) (*text, error) {
	var current *text
	if i.Object.Status.Revision != nil {
		found, err := s.texts.of(ctx, i.Object)
		if apierrors.IsNotFound(err) {
			return nil, fmt.Errorf("%w: %w", errBehind, err)
		}
		if err != nil {
			return nil, err
		}
		current = found
	}
	switch {
	case i.live && edited(i.Object):
		return current.with(i.Object.Spec.Content)
	case !i.live && current == nil && i.Object.Spec.Content != nil:
		// The index does not hold what the author has written.
		return nil, errBehind
	}
	return current, nil
}

// edited reports whether the author's text has not become a revision yet.
func edited(a *v1alpha1.Article) bool {
	if a.Spec.Content == nil || lifecycle.Frozen(a) {
		return false
	}
	r := a.Status.Revision
	return r == nil || r.ContentHash != lifecycle.ContentHash(a.Spec.Content)
}

// with is the text with what the author has written laid over it, as the controller will do it.
func (t *text) with(c *v1alpha1.ArticleContent) (*text, error) {
	var base content.Document
	if t != nil {
		base = t.document
	}
	return newText(revision.Overlay(base, c))
}

// textFailure: an article without its revision is being changed or restored just now.
func textFailure(err error) error {
	if apierrors.IsNotFound(err) {
		return unavailable("the article's text is not there at the moment", awayRetryAfter)
	}
	return err
}
