package rest

import (
	"context"

	"golang.org/x/sync/singleflight"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/lru"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// statusesKept is how many statuses a replica keeps. One has less than 8 KiB, and most have 2.
const statusesKept = 1000

// statuses reads articles with what the index does not hold of their statuses, and keeps the statuses that were used last: pages that are
// open ask again and again. One is kept for the state of the article that it was read with, and is as new as the index while that has the
// same state.
type statuses struct {
	articles *articles
	kept     *lru.Cache
	flights  singleflight.Group
}

// statusKey identifies an article for ever, unlike its name.
type statusKey struct {
	client.ObjectKey

	uid types.UID
}

func keyOfStatus(a *v1alpha1.Article) statusKey {
	return statusKey{client.ObjectKeyFromObject(a), a.UID}
}

// keptStatus is the status of an article in the state of a resource version.
type keptStatus struct {
	version string
	status  v1alpha1.ArticleStatus
}

func newStatuses(a *articles) *statuses {
	return &statuses{articles: a, kept: lru.New(statusesKept)}
}

// of returns the whole status of an article that the index has, if it is kept.
func (s *statuses) of(indexed *v1alpha1.Article) (v1alpha1.ArticleStatus, bool) {
	found, _ := s.kept.Get(keyOfStatus(indexed))
	if kept, ok := found.(*keptStatus); ok && kept.version == indexed.ResourceVersion {
		return kept.status, true
	}
	return v1alpha1.ArticleStatus{}, false
}

// read reads an article that the index has from kube-apiserver. It must not be changed.
func (s *statuses) read(ctx context.Context, indexed *v1alpha1.Article) (*v1alpha1.Article, error) {
	name := client.ObjectKeyFromObject(indexed)
	// A read that began for the same state of the index is not older than that.
	flight := name.String() + " " + indexed.ResourceVersion
	return share(ctx, &s.flights, flight, func(ctx context.Context) (*v1alpha1.Article, error) {
		a, err := s.articles.get(ctx, name)
		if err == nil {
			s.kept.Add(keyOfStatus(a), &keptStatus{a.ResourceVersion, a.Status})
		}
		return a, err
	})
}
