package rest

import (
	"context"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// GetArticleInput is the input of get-article.
type GetArticleInput struct{ OnArticle }

// ArticleOutput is a full article as an answer.
type ArticleOutput struct {
	ETag string `header:"ETag" doc:"Names this state of the article, for If-Match."`
	Body Article
}

func (s *service) registerGet() {
	g := s.group(tagArticles, v1alpha1.ScopeRead)
	op := s.operation(http.MethodGet, "/v1/api/blogs/{uid}", "get-article", inWorkspace...)
	op.Summary = "Get an article"
	op.Description = "The full article. While it is being generated, poll until status is review or failed."
	handle(g, op, s.getArticle)
}

func (s *service) getArticle(ctx context.Context, c *call, in *GetArticleInput) (*ArticleOutput, error) {
	i, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	return s.full(ctx, i)
}

// find returns an article from the index, or from kube-apiserver if the index of this replica does not have it yet.
func (s *service) find(ctx context.Context, c *call, uid string) (item, error) {
	if !identity.IsUID(uid) {
		return item{}, problem.NotFound("article")
	}
	if found, ok := s.Index.Get(c.workspace, uid); ok {
		return item{Article: found}, nil
	}
	a, err := s.unknown.get(ctx, c.principal.Account, client.ObjectKey{Namespace: c.workspace, Name: uid})
	return s.live(a, err)
}

func (s *service) findLive(ctx context.Context, key client.ObjectKey) (item, error) {
	return s.live(s.articles.get(ctx, key))
}

// live returns an article that was read from kube-apiserver.
func (s *service) live(a *v1alpha1.Article, err error) (item, error) {
	if err != nil {
		return item{}, err
	}
	if !a.DeletionTimestamp.IsZero() {
		return item{}, problem.NotFound("article")
	}
	return liveItem(a, s.Clock.Now()), nil
}

// locate returns the namespace and name of an article, which need not exist.
func (s *service) locate(c *call, uid string) (client.ObjectKey, error) {
	if !identity.IsUID(uid) {
		return client.ObjectKey{}, problem.NotFound("article")
	}
	key := client.ObjectKey{Namespace: c.workspace, Name: uid}
	if found, ok := s.Index.Get(c.workspace, uid); ok {
		key.Name = found.Object.Name
		return key, nil
	}
	return key, s.unknown.admit(c.principal.Account, key)
}

// full returns the article with its text. An item of the index whose text is not complete there is read from kube-apiserver.
func (s *service) full(ctx context.Context, i item) (*ArticleOutput, error) {
	if i.live {
		return s.fullLive(ctx, i)
	}
	current, complete, err := s.indexedText(ctx, i.Object)
	if err != nil {
		return nil, err
	}
	if complete {
		return articleOutput(ctx, present(i, current))
	}
	newest, err := s.findLive(ctx, client.ObjectKeyFromObject(i.Object))
	if err != nil {
		return nil, err
	}
	return s.fullLive(ctx, newest)
}

// fullLive returns an article that was read from kube-apiserver with its text: that of its revision, or what the author has written
// since.
func (s *service) fullLive(ctx context.Context, i item) (*ArticleOutput, error) {
	current, err := s.currentText(ctx, i.Object)
	if apierrors.IsNotFound(err) {
		return s.withoutRevision(ctx, i)
	}
	if err != nil {
		return nil, err
	}
	return articleOutput(ctx, present(i, current))
}

// withoutRevision returns an article whose revision does not exist. Either it has another one by now, or the controller makes the revision
// again from the manifest, or the text is lost and status_message says so.
func (s *service) withoutRevision(ctx context.Context, i item) (*ArticleOutput, error) {
	newest, err := s.findLive(ctx, client.ObjectKeyFromObject(i.Object))
	if err != nil {
		return nil, err
	}
	a := newest.Object
	if r, earlier := a.Status.Revision, i.Object.Status.Revision; r != nil && earlier != nil && r.Name != earlier.Name {
		current, err := s.currentText(ctx, a)
		if err != nil {
			return nil, err
		}
		return articleOutput(ctx, present(newest, current))
	}
	current, err := s.composedText(ctx, a)
	if err != nil {
		return nil, err
	}
	if current != nil && lifecycle.Published(a) && current.document.Digest() != a.Status.Publication.Revision.Digest {
		current = nil
	}
	body := present(newest, current)
	if current == nil {
		body.StatusMessage = "the article's text is missing: regenerate the article, or write another text"
	}
	return articleOutput(ctx, body)
}

// currentText returns the text of an article that was read live, nil if it has none.
func (s *service) currentText(ctx context.Context, a *v1alpha1.Article) (*text, error) {
	if edited(a) {
		return s.composedText(ctx, a)
	}
	return s.revisionText(ctx, a)
}

// indexedText returns the text of an article of the index. It is not complete if the revision was deleted meanwhile, or if the
// author's text is not a revision yet: the index does not hold the author's text.
func (s *service) indexedText(ctx context.Context, a *v1alpha1.Article) (current *text, complete bool, err error) {
	if edited(a) {
		return nil, false, nil
	}
	current, err = s.revisionText(ctx, a)
	if apierrors.IsNotFound(err) {
		return nil, false, nil
	}
	return current, err == nil, err
}

// revisionText returns the text of an article's current revision, of a published article the text that its site has; nil if it has none.
func (s *service) revisionText(ctx context.Context, a *v1alpha1.Article) (*text, error) {
	if a.Status.Revision == nil {
		return nil, nil
	}
	return s.texts.of(ctx, a)
}

// edited reports whether the author has changed the article since its revision was made, or has written it and there is none yet. What is
// published stays as it is.
func edited(a *v1alpha1.Article) bool {
	return (a.Spec.Content != nil || a.Status.Revision != nil) && lifecycle.Outdated(a) && !lifecycle.Published(a)
}
