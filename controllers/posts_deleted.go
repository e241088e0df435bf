package controllers

import (
	"context"
	"time"

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
		if _, err := p.outgoing.end(ctx, a.UID); err != nil {
			log.FromContext(ctx).Info("an entry of the outgoing posts stays until the next one is added", "error", err.Error())
		}
		return
	}
	site := &v1alpha1.Site{}
	if err := p.Client.Get(ctx, types.NamespacedName{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name}, site); err != nil {
		site = nil
	}
	destination, known := p.destination(a, site)
	if !known {
		return // It has its Post already, or nothing was sent.
	}
	p.Slugs.Keep(a, destination)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone[client.ObjectKeyFromObject(a)] = goneArticle{a, destination}
}

// KeepDeleted writes the post of a deleted article, and returns when to look whether the cache shows it. Until then the slug is
// reserved in memory.
func (p *Posts) KeepDeleted(ctx context.Context, key types.NamespacedName) (time.Duration, error) {
	p.mu.Lock()
	deleted, ok := p.gone[key]
	p.mu.Unlock()
	if !ok {
		return 0, nil
	}
	want, _ := lifecycle.PostOfDeleted(deleted.article)
	want.Destination = deleted.destination
	stored, err := p.find(ctx, key.Namespace, want)
	if err != nil {
		return 0, err
	}
	if stored != nil {
		p.mu.Lock()
		delete(p.gone, key)
		delete(p.written, key)
		p.mu.Unlock()
		p.Slugs.Drop(deleted.article, deleted.destination)
		return p.outgoing.end(ctx, deleted.article.UID)
	}
	_, err = p.write(ctx, deleted.article, want, nil)
	if gone(err) {
		err = nil
	}
	return postPoll, err
}
