package controllers

import (
	"context"
	"fmt"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Slugs gives each article of a destination a slug of its own: a receiver upserts by it, so a shared one would overwrite a
// customer's post. A slug is taken by the article whose status has it, by the Post of what was sent under it, and by a reservation
// in memory until the cache shows one of the two.
type Slugs struct {
	cache client.Reader

	mu sync.Mutex
	// reserved are the reservations that the cache may not show yet.
	reserved map[slugKey]reservation
	// byArticle are the reserved slugs of each article, the newest last.
	byArticle map[types.NamespacedName][]slugKey
}

// slugKey is a slug at a destination of a workspace.
type slugKey struct{ namespace, destination, slug string }

// reservation says who has a slug.
type reservation struct {
	article types.NamespacedName
	// sent means that the slug stays taken when the article is deleted: the Post that says so is still to be made.
	sent bool
}

// NewSlugs returns a Slugs over a cache that has the indexes of IndexArticles.
func NewSlugs(cache client.Reader) *Slugs {
	return &Slugs{cache: cache, reserved: map[slugKey]reservation{}, byArticle: map[types.NamespacedName][]slugKey{}}
}

// Reserve sets the article's slug in memory, if it needs one, and reports whether it did. An article keeps its slug, except
// that the author may set another before the first attempt to publish.
func (s *Slugs) Reserve(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, doc content.Document) (bool, error) {
	base, change := wantedSlug(a, doc)
	if !change {
		return false, nil
	}
	return true, s.reserve(ctx, a, site, base)
}

// Confirm looks at the slug of an article again before the first attempt to publish it: the site may have another URL by now, or
// two processes may have given one slug away. It reports whether the article has another slug in memory.
func (s *Slugs) Confirm(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) (bool, error) {
	if a.Status.Slug == "" || a.Status.Publication != nil {
		return false, nil
	}
	before := a.Status.Slug
	err := s.reserve(ctx, a, site, before)
	return a.Status.Slug != before, err
}

// reserve takes the first slug from base that is free at the site's destination.
func (s *Slugs) reserve(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, base string) error {
	sites, err := s.sharing(ctx, site)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	article, key := client.ObjectKeyFromObject(a), slugKey{namespace: a.Namespace, destination: destinationOf(site)}
	var failed error
	key.slug = content.UniqueSlug(base, func(candidate string) bool {
		key.slug = candidate
		taken, err := s.taken(ctx, article, key, sites)
		if err != nil {
			failed = err
		}
		return taken && err == nil
	})
	if failed != nil {
		return failed
	}
	s.reserved[key] = reservation{article: article}
	if keys := s.byArticle[article]; len(keys) == 0 || keys[len(keys)-1] != key {
		s.byArticle[article] = append(keys, key)
	}
	a.Status.Slug = key.slug
	return nil
}

// Release frees the slug that an article has reserved and that was not written.
func (s *Slugs) Release(a *v1alpha1.Article) { s.forget(a) }

// Seen forgets the reservations of an article whose newest slug the cache shows in its status.
func (s *Slugs) Seen(a *v1alpha1.Article) { s.forget(a) }

// forget removes the reservations of an article if the newest one is of the slug that the article has.
func (s *Slugs) forget(a *v1alpha1.Article) {
	article := client.ObjectKeyFromObject(a)
	s.mu.Lock()
	keys := s.byArticle[article]
	s.mu.Unlock()
	if len(keys) > 0 && keys[len(keys)-1].slug == a.Status.Slug {
		s.Gone(article)
	}
}

// Keep reserves the slug of a deleted article under which something was sent, until the cache shows the Post.
func (s *Slugs) Keep(a *v1alpha1.Article, destination string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := slugKey{a.Namespace, destination, a.Status.Slug}
	s.reserved[key] = reservation{client.ObjectKeyFromObject(a), true}
}

// Drop ends what Keep began: the cache shows the Post.
func (s *Slugs) Drop(a *v1alpha1.Article, destination string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.reserved, slugKey{a.Namespace, destination, a.Status.Slug})
}

// Gone forgets the reservations of an article that was deleted and that nothing was sent of.
func (s *Slugs) Gone(article types.NamespacedName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range s.byArticle[article] {
		if r := s.reserved[key]; r.article == article && !r.sent {
			delete(s.reserved, key)
		}
	}
	delete(s.byArticle, article)
}

// wantedSlug returns the slug to start from, and whether the article needs one.
func wantedSlug(a *v1alpha1.Article, doc content.Document) (string, bool) {
	author := ""
	if a.Spec.Content != nil {
		author = a.Spec.Content.Slug
	}
	attempted := a.Status.Publication != nil
	switch {
	case a.Status.Slug != "" && (attempted || author == "" || author == a.Status.Slug):
		return "", false
	case author != "":
		return author, true
	case doc.Slug != "":
		return content.Slug(doc.Slug, doc.Language), true
	default:
		return content.Slug(doc.Title, doc.Language), true
	}
}

// taken reports whether something else at the destination, which these sites share, has the slug.
func (s *Slugs) taken(ctx context.Context, article types.NamespacedName, key slugKey, sites []string) (bool, error) {
	if has, err := s.articleHas(ctx, article, key, sites); has || err != nil {
		return has, err
	}
	post := types.NamespacedName{Namespace: key.namespace, Name: identity.PostName(key.destination, key.slug)}
	if exists, err := s.exists(ctx, post, &v1alpha1.Post{}); exists || err != nil {
		if s.reserved[key].sent {
			delete(s.reserved, key)
		}
		return exists, err
	}
	return s.isReserved(ctx, article, key)
}

// articleHas reports whether the status of another article of these sites has the slug.
func (s *Slugs) articleHas(ctx context.Context, article types.NamespacedName, key slugKey, sites []string) (bool, error) {
	var bucket v1alpha1.ArticleList
	err := s.cache.List(ctx, &bucket, client.InNamespace(key.namespace), client.UnsafeDisableDeepCopy,
		client.MatchingFields{slugIndex: slugBucket(key.slug)})
	if err != nil {
		return false, fmt.Errorf("looking for the slug: %w", err)
	}
	return slices.ContainsFunc(bucket.Items, func(a v1alpha1.Article) bool {
		return a.Status.Slug == key.slug && a.Name != article.Name && slices.Contains(sites, a.Spec.SiteRef.Name)
	}), nil
}

// isReserved looks at the reservations that the cache may not show yet.
func (s *Slugs) isReserved(ctx context.Context, article types.NamespacedName, key slugKey) (bool, error) {
	holder, ok := s.reserved[key]
	if !ok || holder.sent {
		return ok, nil
	}
	if holder.article == article {
		return false, nil
	}
	exists, err := s.exists(ctx, holder.article, &v1alpha1.Article{})
	if err == nil && !exists {
		delete(s.reserved, key)
		delete(s.byArticle, holder.article)
	}
	return exists, err
}

func (s *Slugs) exists(ctx context.Context, key types.NamespacedName, obj client.Object) (bool, error) {
	err := s.cache.Get(ctx, key, obj)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading who has the slug: %w", err)
	}
	return true, nil
}
