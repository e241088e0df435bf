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

// slugIndex is the cache's index of articles by site and claimed slug.
const slugIndex = "siteSlug"

// Slugs gives each article of a site a slug of its own: a receiver upserts by it, so a shared one would overwrite a
// customer's post. A claim is made under the site's lock and counts once it stands in the article's status.
type Slugs struct {
	cache client.Reader
	mu    sync.Mutex
	sites map[siteKey]*siteSlugs
}

type siteKey struct{ namespace, site string }

// siteSlugs holds the claims of one site that the cache may not show yet.
type siteSlugs struct {
	mu     sync.Mutex
	recent map[string]types.NamespacedName
}

// NewSlugs returns a Slugs over a cache that has the index of IndexSlugs.
func NewSlugs(cache client.Reader) *Slugs {
	return &Slugs{cache: cache, sites: map[siteKey]*siteSlugs{}}
}

// Claim sets the article's slug and calls write, which must put it into the status. The slug stays once it is claimed, but
// that the author may set another before the first attempt to publish.
func (s *Slugs) Claim(ctx context.Context, a *v1alpha1.Article, doc content.Document, write func() error) error {
	base, change := wantedSlug(a, doc)
	if !change {
		return write()
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
		return failed
	}
	before := a.Status.Slug
	a.Status.Slug = slug
	site.recent[slug] = key
	if err := write(); err != nil {
		delete(site.recent, slug)
		return err
	}
	if before != slug {
		delete(site.recent, before)
	}
	return nil
}

// Seen forgets a claim that the cache has caught up with.
func (s *Slugs) Seen(a *v1alpha1.Article) {
	if a.Status.Slug == "" {
		return
	}
	site := s.site(a)
	site.mu.Lock()
	defer site.mu.Unlock()
	if site.recent[a.Status.Slug] == client.ObjectKeyFromObject(a) {
		delete(site.recent, a.Status.Slug)
	}
}

// wantedSlug returns the slug to start from, and whether one is to be claimed at all.
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
	return s.takenRecently(ctx, site, key, slug)
}

// takenRecently looks at the claims that the cache may not show yet.
func (s *Slugs) takenRecently(ctx context.Context, site *siteSlugs, key types.NamespacedName, slug string) (bool, error) {
	holder, ok := site.recent[slug]
	if !ok || holder == key {
		return false, nil
	}
	var other v1alpha1.Article
	err := s.cache.Get(ctx, holder, &other)
	if apierrors.IsNotFound(err) {
		delete(site.recent, slug)
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
		s.sites[key] = &siteSlugs{recent: map[string]types.NamespacedName{}}
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
