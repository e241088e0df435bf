package controllers

import (
	"time"

	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/recenttext"
)

// ReconcileTimeout bounds each reconcile. A read of an object that this process has written waits until the cache has the write, which
// may never happen if a watch is broken.
const ReconcileTimeout = time.Minute

// FieldManager owns the fields that the controller writes.
const FieldManager = "pressroom-controller"

// ClientOptions configure the manager's client: a Get returns an object with all writes of this process to it.
func ClientOptions() client.Options {
	return client.Options{Cache: &client.CacheOptions{EnableReadYourWritesConsistency: new(true)}, FieldOwner: FieldManager}
}

// CacheOptions configure the manager's cache. It has objects without the large fields that no decision needs. Small texts that no
// revision has yet are added to texts, which may be nil, when they are removed from the object.
func CacheOptions(texts *recenttext.Texts) cache.Options {
	return cache.Options{
		DefaultTransform: lifecycle.StripObject,
		ByObject: map[client.Object]cache.ByObject{
			&v1alpha1.Article{}:       {Transform: stripArticle(texts)},
			&v1alpha1.Post{}:          {Transform: post.Strip},
			&v1alpha1.EventDelivery{}: {Transform: event.Strip},
		},
	}
}

// stripArticle removes the author's text as well. Code that needs the text takes it from texts, or reads the article live.
func stripArticle(texts *recenttext.Texts) toolscache.TransformFunc {
	return func(o any) (any, error) {
		if a, ok := o.(*v1alpha1.Article); ok {
			texts.Remember(a)
			lifecycle.Strip(a)
		}
		return o, nil
	}
}
