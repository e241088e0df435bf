package post

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
)

// claimedPoll is how often the claim of a slug that another article has is tried again, before jitter.
const claimedPoll = 2 * time.Minute

// Store proposes and claims slugs, and finds what sites have of articles. Its client has the indexes of Index.
type Store struct{ *base.Base }

// +kubebuilder:rbac:groups=pressroom.dev,resources=posts,verbs=get;list;watch;create;patch;delete

// Claim creates the Post of the article's slug at a destination, or returns the one that the article has claimed earlier; nil if another
// article has the slug there. Articles are the same if their namespace, Site and name are: an article that was created again has the Posts
// of the earlier one. It returns a *lifecycle.BlockedError if kube-apiserver refuses the Post, and base.ErrDeleted if the workspace is
// being deleted.
func (p *Store) Claim(ctx context.Context, a *v1alpha1.Article, destination string) (*v1alpha1.Post, error) {
	key := types.NamespacedName{Namespace: a.Namespace, Name: identity.PostName(destination, a.Status.Slug)}
	if post, err := base.Read[v1alpha1.Post](ctx, p.Client, key); err != nil || post != nil && isPostOf(post, a) {
		return post, err
	}
	spec := lifecycle.Claim(a)
	spec.Destination = destination
	created := &v1alpha1.Post{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}, Spec: spec}
	err := p.Create(ctx, created)
	if err == nil {
		return created, nil
	}
	if !apierrors.IsAlreadyExists(err) {
		return nil, p.refused(fmt.Errorf("claiming the slug: %w", err))
	}
	post := &v1alpha1.Post{}
	if err := p.Live.Get(ctx, key, post); err != nil {
		return nil, fmt.Errorf("reading the post of the slug: %w", err)
	}
	if !isPostOf(post, a) {
		return nil, nil //nolint:nilnil // that another article has the slug is no error
	}
	return post, nil
}

// IsOfEarlier reports whether a Post that the article has claimed was last written for an earlier Article of its name.
func IsOfEarlier(post *v1alpha1.Post, a *v1alpha1.Article) bool {
	return post.Spec.ArticleUID != string(a.UID)
}

// claimedPost returns the Post that the status of an article names; nil if somebody has deleted it. The cache may not have the Post yet,
// because the watches of Articles and Posts have no common order.
func (p *Store) claimedPost(ctx context.Context, namespace, name string) (*v1alpha1.Post, error) {
	key := types.NamespacedName{Namespace: namespace, Name: name}
	if post, err := base.Read[v1alpha1.Post](ctx, p.Client, key); post != nil || err != nil {
		return post, err
	}
	return base.Read[v1alpha1.Post](ctx, p.Live, key)
}

// isPostOf reports whether an article has a Post.
func isPostOf(post *v1alpha1.Post, a *v1alpha1.Article) bool {
	return post.Spec.ArticleRef.Name == a.Name && post.Spec.SiteRef == a.Spec.SiteRef
}

// refused returns the error for a Post that was not written.
func (p *Store) refused(err error) error {
	return p.BlockedIfRefused(err, v1alpha1.ReasonPostRefused, "Post")
}

// SlugClaimed returns the blocker of an article if another one has its slug at the present destination of its Site.
func (p *Store) SlugClaimed(slug string) *lifecycle.BlockedError {
	return &lifecycle.BlockedError{
		Reason: v1alpha1.ReasonSlugClaimed, RetryAfter: backoff.Jitter(claimedPoll, p.Random()),
		Message: fmt.Sprintf("another article has the slug %q at this destination, and the slug of this one may not change", slug),
	}
}

// own returns the Posts of an article from the cache, without the fields that Strip removes. Callers must not change them.
func (p *Store) own(ctx context.Context, a *v1alpha1.Article) ([]*v1alpha1.Post, error) {
	all, err := p.named(ctx, client.ObjectKeyFromObject(a))
	var own []*v1alpha1.Post
	for _, post := range all {
		if isPostOf(post, a) {
			own = append(own, post)
		}
	}
	return own, err
}

// named returns the Posts of all articles that have or had a name, as own does.
func (p *Store) named(ctx context.Context, article types.NamespacedName) ([]*v1alpha1.Post, error) {
	var list v1alpha1.PostList
	err := p.Client.List(ctx, &list, client.InNamespace(article.Namespace), client.UnsafeDisableDeepCopy,
		client.MatchingFields{postIndex: article.Name})
	if err != nil {
		return nil, fmt.Errorf("looking for the article's posts: %w", err)
	}
	posts := make([]*v1alpha1.Post, 0, len(list.Items))
	for i := range list.Items {
		posts = append(posts, &list.Items[i])
	}
	return posts, nil
}

// Free deletes an article's claims of other slugs than the one that was just written to its status. Nothing was sent under them: a slug
// does not change after the first attempt, and after the write no other process can begin an attempt under another slug. A claim of an
// earlier Article of the same name stays, because the status of that Article is lost. If a deletion fails, this attempt goes on, and
// the next one deletes the claim.
func (p *Store) Free(ctx context.Context, a *v1alpha1.Article) {
	own, err := p.own(ctx, a)
	if err != nil {
		log.FromContext(ctx).Info("claims that are not used stay", "error", err.Error())
	}
	for _, post := range own {
		if post.Spec.State != v1alpha1.PostClaimed || post.Spec.Slug == a.Status.Slug || post.Spec.ArticleUID != string(a.UID) {
			continue
		}
		err := p.Client.Delete(ctx, post.DeepCopy(), client.Preconditions{UID: &post.UID, ResourceVersion: &post.ResourceVersion})
		if client.IgnoreNotFound(err) != nil {
			log.FromContext(ctx).Info("a claim that is not used stays", "post", post.Name, "error", err.Error())
		}
	}
}

// Release deletes the claim of an article under whose slug certainly nothing was sent, so that the slug is free if the article is deleted.
// The next attempt claims it again. If the deletion fails, the claim stays.
func (p *Store) Release(ctx context.Context, a *v1alpha1.Article, name string) {
	post, err := base.Read[v1alpha1.Post](ctx, p.Client, types.NamespacedName{Namespace: a.Namespace, Name: name})
	if post == nil || post.Spec.State != v1alpha1.PostClaimed || post.Spec.ArticleUID != string(a.UID) {
		return
	}
	err = errors.Join(err, client.IgnoreNotFound(
		p.Client.Delete(ctx, post, client.Preconditions{UID: &post.UID, ResourceVersion: &post.ResourceVersion})))
	if err != nil {
		log.FromContext(ctx).Info("a claim that is not used stays", "post", name, "error", err.Error())
	}
}

// Withdraw deletes the claim of an article that does not exist, if its workspace was created after the article: that workspace is
// another one with the same name, and may belong to another customer.
func (p *Store) Withdraw(ctx context.Context, a *v1alpha1.Article, destination string) error {
	ns := base.NamespaceMetadata()
	if err := p.Live.Get(ctx, types.NamespacedName{Name: a.Namespace}, ns); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !ns.CreationTimestamp.After(a.CreationTimestamp.Time) {
		return nil
	}
	key := types.NamespacedName{Namespace: a.Namespace, Name: identity.PostName(destination, a.Status.Slug)}
	post, err := base.Read[v1alpha1.Post](ctx, p.Live, key)
	if post == nil || post.Spec.ArticleUID != string(a.UID) {
		return err
	}
	return client.IgnoreNotFound(p.Client.Delete(ctx, post, client.Preconditions{UID: &post.UID}))
}
