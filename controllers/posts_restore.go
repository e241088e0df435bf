package controllers

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// restorePost sets what status says of publishing, if the site has the article's current revision already: status was lost.
func (t *task) restorePost(ctx context.Context) error {
	a := t.article
	if a.Status.Publication != nil || a.Status.Slug != "" || t.site == nil {
		return nil
	}
	post, err := t.posts.of(ctx, a, t.restored)
	if err != nil || post == nil {
		return err
	}
	lifecycle.RestorePublication(a, post.Spec, t.mode, t.base.Clock.Now())
	t.restored, t.changed = true, true
	return nil
}

// exist reports whether a site has anything of an article of this name, or may have: if that cannot be read, it may.
func (p *Posts) exist(ctx context.Context, a *v1alpha1.Article) bool {
	var list v1alpha1.PostList
	err := p.Client.List(ctx, &list, client.InNamespace(a.Namespace), client.UnsafeDisableDeepCopy, client.Limit(1),
		client.MatchingFields{postIndex: postIndexKey(a.Spec.SiteRef.Name, a.Name)})
	return err != nil || len(list.Items) > 0
}

// of returns what the site has of the current revision of an article without a slug, or nil. The cache says whether there is anything;
// sure looks at kube-apiserver.
func (p *Posts) of(ctx context.Context, a *v1alpha1.Article, sure bool) (*v1alpha1.Post, error) {
	var list v1alpha1.PostList
	err := p.Client.List(ctx, &list, client.InNamespace(a.Namespace), client.UnsafeDisableDeepCopy,
		client.MatchingFields{postIndex: postIndexKey(a.Spec.SiteRef.Name, a.Name)})
	if err != nil {
		return nil, fmt.Errorf("looking for the article's posts: %w", err)
	}
	if !sure && len(list.Items) == 0 {
		return nil, nil //nolint:nilnil // that a site has nothing is no error
	}
	// The cache does not have the digests.
	var live v1alpha1.PostList
	if err := p.Live.List(ctx, &live, client.InNamespace(a.Namespace), client.MatchingFields{articleRefField: a.Name}); err != nil {
		return nil, fmt.Errorf("reading the article's posts: %w", err)
	}
	var found *v1alpha1.Post
	for i := range live.Items {
		post := &live.Items[i]
		if post.Spec.SiteRef != a.Spec.SiteRef || post.Spec.Revision.Digest != a.Status.Revision.Digest {
			continue
		}
		if found == nil || post.Spec.State == v1alpha1.PostPublished {
			found = post
		}
	}
	return found, nil
}
