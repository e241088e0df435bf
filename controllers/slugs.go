package controllers

import (
	"context"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// slugIndex is the cache's index of articles by site and slug.
const slugIndex = "siteSlug"

// Slugs gives each article of a site a slug of its own: a receiver upserts by it, so a shared one would overwrite a
// customer's post. A slug is reserved in memory, under the site's lock, until the cache shows it in the article's status.
type Slugs struct {
	cache client.Reader
	mu    sync.Mutex
	sites map[siteKey]*siteSlugs
}

type siteKey struct{ namespace, site string }

// siteSlugs holds the reservations of one site that the cache may not show yet, by slug.
type siteSlugs struct {
	mu       sync.Mutex
	reserved map[string]types.NamespacedName
}

// NewSlugs returns a Slugs over a cache that has the index of IndexSlugs.
func NewSlugs(cache client.Reader) *Slugs {
	return &Slugs{cache: cache, sites: map[siteKey]*siteSlugs{}}
}

// Reserve sets the article's slug in memory, if it needs one, and reports whether it did. An article keeps its slug, except
// that the author may set another before the first attempt to publish.
func (s *Slugs) Reserve(ctx context.Context, a *v1alpha1.Article, doc content.Document) (bool, error) {
	base, change := wantedSlug(a, doc)
	if !change {
		return false, nil
	}
	site := s.site(a)
	site.mu.Lock()
	defer site.mu.Unlock()
	key := client.ObjectKeyFromObject(a)
	var failed error
	slug := content.UniqueSlug(base, func(candidate string) bool {
		taken, err := s.taken(ctx, site, key, a.Spec.SiteRef.Name, candidate)
		if err != nil {
			failed = err
		}
		return taken && err == nil
	})
	if failed != nil {
		return false, failed
	}
	site.reserved[slug] = key
	a.Status.Slug = slug
	return true, nil
}

// Release frees the slug that an article has reserved and that was not written.
func (s *Slugs) Release(a *v1alpha1.Article) { s.forget(a) }

// Seen forgets a reservation that the cache shows in the article's status.
func (s *Slugs) Seen(a *v1alpha1.Article) { s.forget(a) }

// forget removes the reservation of the slug that the article has.
func (s *Slugs) forget(a *v1alpha1.Article) {
	if a.Status.Slug == "" {
		return
	}
	site := s.site(a)
	site.mu.Lock()
	defer site.mu.Unlock()
	if site.reserved[a.Status.Slug] == client.ObjectKeyFromObject(a) {
		delete(site.reserved, a.Status.Slug)
	}
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

// taken reports whether another article of the site has the slug.
func (s *Slugs) taken(ctx context.Context, site *siteSlugs, key types.NamespacedName, siteName, slug string) (bool, error) {
	var list v1alpha1.ArticleList
	err := s.cache.List(ctx, &list, client.InNamespace(key.Namespace), client.Limit(2),
		client.MatchingFields{slugIndex: slugIndexKey(siteName, slug)})
	if err != nil {
		return false, fmt.Errorf("looking for the slug: %w", err)
	}
	for i := range list.Items {
		if list.Items[i].Name != key.Name {
			return true, nil
		}
	}
	return s.isReserved(ctx, site, key, slug)
}

// isReserved looks at the reservations that the cache may not show yet.
func (s *Slugs) isReserved(ctx context.Context, site *siteSlugs, key types.NamespacedName, slug string) (bool, error) {
	holder, ok := site.reserved[slug]
	if !ok || holder == key {
		return false, nil
	}
	var other v1alpha1.Article
	err := s.cache.Get(ctx, holder, &other)
	if apierrors.IsNotFound(err) {
		delete(site.reserved, slug)
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the slug's holder: %w", err)
	}
	return true, nil
}

func (s *Slugs) site(a *v1alpha1.Article) *siteSlugs {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := siteKey{a.Namespace, a.Spec.SiteRef.Name}
	if s.sites[key] == nil {
		s.sites[key] = &siteSlugs{reserved: map[string]types.NamespacedName{}}
	}
	return s.sites[key]
}

// IndexSlugs makes the index that Slugs looks things up by.
func IndexSlugs(ctx context.Context, indexer client.FieldIndexer) error {
	return indexer.IndexField(ctx, &v1alpha1.Article{}, slugIndex, func(obj client.Object) []string {
		a, ok := obj.(*v1alpha1.Article)
		if !ok || a.Status.Slug == "" {
			return nil
		}
		return []string{slugIndexKey(a.Spec.SiteRef.Name, a.Status.Slug)}
	})
}

func slugIndexKey(site, slug string) string { return site + "/" + slug }
