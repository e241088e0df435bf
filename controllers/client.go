package controllers

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
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

// CacheOptions configure the manager's cache. It has objects without the large fields that no decision needs. Texts, which may be nil,
// remembers small ones that are needed soon.
func CacheOptions(texts *article.Texts) cache.Options {
	return cache.Options{
		DefaultTransform: lifecycle.StripObject,
		ByObject: map[client.Object]cache.ByObject{
			&v1alpha1.Article{}:       {Transform: texts.Strip},
			&v1alpha1.Post{}:          {Transform: post.Strip},
			&v1alpha1.EventDelivery{}: {Transform: event.Strip},
		},
	}
}
