package post

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Exist reports whether a site has anything of an article of this name, or may have: if that cannot be read, it may.
func (p *Store) Exist(ctx context.Context, a *v1alpha1.Article) bool {
	own, err := p.own(ctx, a)
	return err != nil || len(own) > 0
}

// Of returns what the site has of an article without a slug, or nil: its current revision, else another text that is published there and
// stays as it is. A site that pulls has no text. The cache says whether there is anything; sure looks at kube-apiserver.
func (p *Store) Of(ctx context.Context, a *v1alpha1.Article, mode lifecycle.Mode, sure bool) (*v1alpha1.Post, error) {
	if !sure && !p.Exist(ctx, a) {
		return nil, nil //nolint:nilnil // that a site has nothing is no error
	}
	// The cache does not have the digests.
	var live v1alpha1.PostList
	if err := p.Live.List(ctx, &live, client.InNamespace(a.Namespace), client.MatchingFields{base.ArticleRefField: a.Name}); err != nil {
		return nil, fmt.Errorf("reading the article's posts: %w", err)
	}
	var found *v1alpha1.Post
	best := 0
	for i := range live.Items {
		if post := &live.Items[i]; isPostOf(post, a) {
			if rank := rankOf(post, a, mode); rank > best {
				found, best = post, rank
			}
		}
	}
	return found, nil
}

// rankOf says which of several Posts an article is restored from: the highest one, and none of rank 0.
func rankOf(post *v1alpha1.Post, a *v1alpha1.Article, mode lifecycle.Mode) int {
	same, published := post.Spec.Revision.Digest == a.Status.Revision.Digest, post.Spec.State == v1alpha1.PostPublished
	switch {
	case same && published:
		return 3
	case published && mode == lifecycle.Push:
		return 2
	case same && post.Spec.State != v1alpha1.PostClaimed && post.Spec.State != v1alpha1.PostRemoved:
		return 1
	default:
		return 0
	}
}
