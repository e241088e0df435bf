package controllers

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// onDelete has the post of a deleted article written: its slug stays taken if something may have been sent under it.
func (p *Posts) onDelete() handler.EventHandler {
	return handler.Funcs{
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, queue workqueue.TypedRateLimitingInterface[ctrl.Request]) {
			if a, ok := e.Object.(*v1alpha1.Article); ok {
				p.Deleted(ctx, a)
				queue.Add(ctrl.Request{NamespacedName: client.ObjectKeyFromObject(a)})
			}
		},
	}
}

// Deleted takes an article as it was when it was deleted.
func (p *Posts) Deleted(ctx context.Context, a *v1alpha1.Article) {
	if _, sent := lifecycle.PostOfDeleted(a); !sent {
		return
	}
	site := &v1alpha1.Site{}
	if err := p.Client.Get(ctx, types.NamespacedName{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name}, site); err != nil {
		log.FromContext(ctx).Info("the slug of a deleted article is not kept: its Site is gone too",
			"article", client.ObjectKeyFromObject(a),
			"slug", a.Status.Slug)
		return
	}
	destination := destinationOf(site)
	p.Slugs.Keep(a, destination)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone[client.ObjectKeyFromObject(a)] = goneArticle{a, destination}
}

// KeepDeleted writes the post of a deleted article, and returns when to look whether the cache shows it. Until then the slug is
// reserved in memory.
func (p *Posts) KeepDeleted(ctx context.Context, key types.NamespacedName) (time.Duration, error) {
	p.mu.Lock()
	gone, ok := p.gone[key]
	p.mu.Unlock()
	if !ok {
		return 0, nil
	}
	want, _ := lifecycle.PostOfDeleted(gone.article)
	want.Destination = gone.destination
	stored, err := p.find(ctx, key.Namespace, want)
	if err != nil {
		return 0, err
	}
	if stored != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.gone, key)
		delete(p.written, key)
		p.Slugs.Drop(gone.article, gone.destination)
		return 0, nil
	}
	err = p.write(ctx, gone.article, want, nil)
	if apierrors.IsNotFound(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		err = nil // The workspace goes with everything in it.
	}
	return postPoll, err
}
