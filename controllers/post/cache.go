package post

import (
	"context"
	"errors"
	"hash/fnv"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// The cache's indexes that Store uses.
const (
	// slugIndex has articles by the bucket of their slug. An index by slug would take as much memory for each article as a third of the
	// article.
	slugIndex = "slugBucket"
	// postIndex has posts by the name of their article.
	postIndex = "postOfArticle"
)

// Index makes the indexes that Store uses.
func Index(ctx context.Context, indexer client.FieldIndexer) error {
	return errors.Join(
		base.Index(ctx, indexer, slugIndex, func(a *v1alpha1.Article) []string {
			if a.Status.Slug == "" {
				return nil
			}
			return []string{slugBucket(a.Status.Slug)}
		}),
		base.Index(ctx, indexer, base.DestinationIndex, func(site *v1alpha1.Site) []string {
			return []string{base.DestinationOf(site)}
		}),
		base.Index(ctx, indexer, postIndex, func(post *v1alpha1.Post) []string {
			return []string{post.Spec.ArticleRef.Name}
		}),
	)
}

// slugBuckets is the number of buckets. With 20,000 articles, a bucket has 20.
const slugBuckets = 1 << 10

// slugBucket returns the bucket that a slug is in.
func slugBucket(slug string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(slug)) // It never fails.
	return strconv.FormatUint(uint64(h.Sum32()%slugBuckets), 16)
}

// pullPrefix begins the destination of a site that pulls.
const pullPrefix = "pull:"

// Strip is the transform of Posts in the manager's cache. It removes the fields that this package does not read, because there may be
// 300,000 posts. It removes the destination too, unless the site pulls.
func Strip(o any) (any, error) {
	if post, ok := o.(*v1alpha1.Post); ok {
		lifecycle.StripMetadata(post)
		post.Spec.Revision, post.Spec.ExternalID = v1alpha1.PostRevision{}, ""
		post.Spec.Keyword, post.Spec.ArticleCreatedTime, post.Spec.Records = "", nil, nil
		if !strings.HasPrefix(post.Spec.Destination, pullPrefix) {
			post.Spec.Destination = ""
		}
	}
	return o, nil
}
