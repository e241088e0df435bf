package post

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Exist reports whether a site has, or may have, something of an article of this name. It reports true if the Posts cannot be read.
func (p *Store) Exist(ctx context.Context, a *v1alpha1.Article) bool {
	own, err := p.own(ctx, a)
	return err != nil || len(own) > 0
}

// Of returns the Post that tells what the site has of an article whose slug is lost, or nil: that of its current revision, or else that
// of another published text, if articles are pushed to the site. Unless sure is set, Of asks kube-apiserver only if the cache has a
// Post of the article.
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

// rankOf ranks the Posts that an article can be restored from. The highest rank is used; one of rank 0 is not used at all. A claim of an
// earlier Article of the name counts: an attempt may have been made under it since.
func rankOf(post *v1alpha1.Post, a *v1alpha1.Article, mode lifecycle.Mode) int {
	current := a.Status.Revision
	same := current != nil && post.Spec.Revision.Digest == current.Digest
	switch {
	case same && post.Spec.State.Accepted():
		return 4
	case post.Spec.State.Accepted() && mode == lifecycle.Push, post.Spec.State == v1alpha1.PostUnpublished:
		return 3
	case post.Spec.State == v1alpha1.PostRemoved, post.Spec.State.Accepted():
		return 0
	case post.Spec.State == v1alpha1.PostClaimed && (mode != lifecycle.Push || post.Spec.ArticleUID == string(a.UID)):
		return 0
	case same:
		return 2
	default:
		return 1
	}
}
