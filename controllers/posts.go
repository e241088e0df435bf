package controllers

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// postPoll is how often the Post of a deleted article is looked for in the cache.
const postPoll = time.Second

// Posts keep what sites have of articles, in objects that stay when the article or its status is lost.
type Posts struct {
	*Base
	Slugs *Slugs

	outgoing *outgoing
	// recovered says that the outgoing posts of earlier processes are dealt with; recovering has a value while they are.
	recovered  atomic.Bool
	recovering chan struct{}

	mu sync.Mutex
	// written are the states that this process wrote and that the cache may not show yet.
	written map[types.NamespacedName]v1alpha1.PostSpec
	// gone are deleted articles whose post is still to be written.
	gone map[types.NamespacedName]goneArticle
}

// goneArticle is a deleted article as it was last seen, and where it was sent to.
type goneArticle struct {
	article     *v1alpha1.Article
	destination string
}

// NewPosts returns Posts that have written nothing yet. The list of outgoing posts is in the namespace.
func NewPosts(base *Base, slugs *Slugs, namespace string) *Posts {
	return &Posts{
		Base: base, Slugs: slugs, outgoing: newOutgoing(base, namespace), recovering: make(chan struct{}, 1),
		written: map[types.NamespacedName]v1alpha1.PostSpec{}, gone: map[types.NamespacedName]goneArticle{},
	}
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=posts,verbs=get;list;watch;create;patch

// Keep writes what the site has of an article, if the Post does not say it yet, and returns when to call it again; 0 if it is done. The
// article is as kube-apiserver has it.
func (p *Posts) Keep(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) (time.Duration, error) {
	if !a.DeletionTimestamp.IsZero() {
		return 0, nil
	}
	want, sent := lifecycle.PostOf(a)
	destination, known := p.destination(a, site)
	if !sent || !known {
		if _, sending := lifecycle.PostOfDeleted(a); !sending {
			return p.outgoing.end(ctx, a.UID)
		}
		return 0, nil
	}
	want.Destination = destination
	stored, err := p.find(ctx, a.Namespace, want)
	if err != nil {
		return 0, err
	}
	if stored != nil && samePost(stored.Spec, want) {
		p.remember(client.ObjectKeyFromObject(a), nil)
		return p.outgoing.end(ctx, a.UID)
	}
	if p.wrote(client.ObjectKeyFromObject(a), want) || stored != nil && stored.Spec.ArticleRef != want.ArticleRef {
		return p.outgoing.end(ctx, a.UID)
	}
	return p.write(ctx, a, want, stored)
}

// find returns the article's Post under its slug from the cache, or the one that another article has there; nil if there is none.
func (p *Posts) find(ctx context.Context, namespace string, want v1alpha1.PostSpec) (*v1alpha1.Post, error) {
	var list v1alpha1.PostList
	err := p.Client.List(ctx, &list, client.InNamespace(namespace),
		client.MatchingFields{postIndex: postIndexKey(want.SiteRef.Name, want.ArticleRef.Name)})
	if err != nil {
		return nil, fmt.Errorf("looking for the article's post: %w", err)
	}
	for i := range list.Items {
		if list.Items[i].Spec.Slug == want.Slug {
			return &list.Items[i], nil
		}
	}
	post := &v1alpha1.Post{}
	key := types.NamespacedName{Namespace: namespace, Name: identity.PostName(want.Destination, want.Slug)}
	if err := p.Client.Get(ctx, key, post); apierrors.IsNotFound(err) {
		return nil, nil //nolint:nilnil // that nothing was written yet is no error
	} else if err != nil {
		return nil, fmt.Errorf("reading the slug's post: %w", err)
	}
	return post, nil
}

// samePost compares what may change.
func samePost(a, b v1alpha1.PostSpec) bool {
	return a.ArticleRef == b.ArticleRef && a.State == b.State && a.Reason == b.Reason && a.URL == b.URL
}

// write creates the Post, or patches the one that there is. The cache holds a part of each, so it is read first.
func (p *Posts) write(
	ctx context.Context, a *v1alpha1.Article, want v1alpha1.PostSpec, stored *v1alpha1.Post,
) (time.Duration, error) {
	if stored == nil {
		created := &v1alpha1.Post{
			ObjectMeta: metav1.ObjectMeta{Namespace: a.Namespace, Name: identity.PostName(want.Destination, want.Slug)}, Spec: want,
		}
		err := p.Client.Create(ctx, created)
		if err == nil {
			p.remember(client.ObjectKeyFromObject(a), &want)
			return p.outgoing.end(ctx, a.UID)
		}
		if !apierrors.IsAlreadyExists(err) {
			return 0, fmt.Errorf("recording the article's post: %w", err)
		}
		stored = created
	}
	post := &v1alpha1.Post{}
	if err := p.Live.Get(ctx, client.ObjectKeyFromObject(stored), post); err != nil {
		return 0, fmt.Errorf("reading the article's post: %w", err)
	}
	if post.Spec.ArticleRef != want.ArticleRef {
		p.Recorder.Eventf(a, nil, corev1.EventTypeWarning, "SlugShared", "Publish",
			"the post %s was the one of the article %s before: a slug was given to both", want.Slug, post.Spec.ArticleRef.Name)
		return 0, nil
	}
	old := post.DeepCopy()
	want.Destination, want.SiteRef = post.Spec.Destination, post.Spec.SiteRef
	post.Spec = want
	if err := p.Client.Patch(ctx, post, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})); err != nil {
		return 0, fmt.Errorf("recording the article's post: %w", err)
	}
	p.remember(client.ObjectKeyFromObject(a), &want)
	return 0, nil
}

// remember what was written until the cache shows it; nil forgets it.
func (p *Posts) remember(article types.NamespacedName, spec *v1alpha1.PostSpec) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if spec == nil {
		delete(p.written, article)
		return
	}
	p.written[article] = *spec
}

// hasWritten reports whether this process has written a Post of an article under a slug, which the cache may not show yet.
func (p *Posts) hasWritten(article types.NamespacedName, slug string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	last, ok := p.written[article]
	return ok && last.Slug == slug
}

func (p *Posts) wrote(article types.NamespacedName, want v1alpha1.PostSpec) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	last, ok := p.written[article]
	return ok && last.Slug == want.Slug && samePost(last, want)
}
