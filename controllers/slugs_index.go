package controllers

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
)

// destinationIndex is the cache's index of sites by the place that their posts are in.
const destinationIndex = "destination"

// The cache's indexes that Slugs and Posts look things up by.
const (
	// slugIndex has articles by the bucket that their slug is in: with a set for each slug it would take as much memory as a
	// third of an article.
	slugIndex = "slugBucket"
	// postIndex has posts by the name of their article.
	postIndex = "postOfArticle"
)

// IndexSlugs makes the indexes that Slugs and Posts look things up by.
func IndexSlugs(ctx context.Context, indexer client.FieldIndexer) error {
	return errors.Join(
		indexer.IndexField(ctx, &v1alpha1.Article{}, slugIndex, func(obj client.Object) []string {
			a, ok := obj.(*v1alpha1.Article)
			if !ok || a.Status.Slug == "" {
				return nil
			}
			return []string{slugBucket(a.Status.Slug)}
		}),
		indexer.IndexField(ctx, &v1alpha1.Site{}, destinationIndex, func(obj client.Object) []string {
			site, ok := obj.(*v1alpha1.Site)
			if !ok {
				return nil
			}
			return []string{destinationOf(site)}
		}),
		indexer.IndexField(ctx, &v1alpha1.Post{}, postIndex, func(obj client.Object) []string {
			post, ok := obj.(*v1alpha1.Post)
			if !ok {
				return nil
			}
			return []string{post.Spec.ArticleRef.Name}
		}),
	)
}

// slugBuckets is how many buckets there are: of 20,000 articles, 20 are in each.
const slugBuckets = 1 << 10

// slugBucket returns the bucket that a slug is in.
func slugBucket(slug string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(slug)) // It never fails.
	return strconv.FormatUint(uint64(h.Sum32()%slugBuckets), 16)
}

// sharing returns the names of the sites of a workspace that share a site's destination, that site included.
func (s *Slugs) sharing(ctx context.Context, site *v1alpha1.Site) ([]string, error) {
	names := []string{site.Name}
	var list v1alpha1.SiteList
	err := s.cache.List(ctx, &list, client.InNamespace(site.Namespace), client.UnsafeDisableDeepCopy,
		client.MatchingFields{destinationIndex: destinationOf(site)})
	if err != nil {
		return nil, fmt.Errorf("looking for sites of one destination: %w", err)
	}
	for i := range list.Items {
		if list.Items[i].Name != site.Name {
			names = append(names, list.Items[i].Name)
		}
	}
	return names, nil
}

// destinationOf identifies, within a workspace, where the posts of a site are. A site that cannot be published to has a place of its
// own.
func destinationOf(site *v1alpha1.Site) string {
	if d := connectors.Destination(site); d != "" {
		return d
	}
	return "site:" + site.Name
}
