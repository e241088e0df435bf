package controllers

import (
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// CacheOptions configure the manager's cache. It has objects without the large fields that no decision needs. Small texts that no
// revision has yet are added to texts, which may be nil, when they are removed from the object.
func CacheOptions(texts *article.Texts) cache.Options {
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
func stripArticle(texts *article.Texts) toolscache.TransformFunc {
	return func(o any) (any, error) {
		if a, ok := o.(*v1alpha1.Article); ok {
			texts.Remember(a)
			lifecycle.Strip(a)
		}
		return o, nil
	}
}
