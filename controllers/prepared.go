package controllers

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/inflight"
)

// prepared keeps the revisions of texts that are to be sent at once and wait for a slot. They exist, and are not in status yet: that
// is written together with the first attempt. There are never more of them than the tracker has slots (see inflight.Soon). If the
// process ends, the next one finds them by their names.
type prepared struct {
	mu        sync.Mutex
	revisions map[types.NamespacedName]preparedRevision
}

// preparedRevision is what makeRevision made of an article and a site.
type preparedRevision struct {
	revision *v1alpha1.ArticleRevision
	// contentHash is what status is to say of it.
	contentHash string
	// article is the resource version, and site the generation, that it was made of.
	article string
	site    int64
}

func newPrepared() *prepared {
	return &prepared{revisions: map[types.NamespacedName]preparedRevision{}}
}

// take returns the revision of an article, if there is one and it was made of the same article and site.
func (p *prepared) take(t *task) (preparedRevision, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := client.ObjectKeyFromObject(t.article)
	found, ok := p.revisions[key]
	delete(p.revisions, key)
	return found, ok && t.site != nil && found.article == t.article.ResourceVersion && found.site == t.site.Generation
}

// keep remembers the revision that a task has made its article's current one, and has not written.
func (p *prepared) keep(t *task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.revisions[client.ObjectKeyFromObject(t.article)] = preparedRevision{
		revision: t.revision, contentHash: t.article.Status.Revision.ContentHash,
		article: t.article.ResourceVersion, site: t.site.Generation,
	}
}

// drop forgets the revision of an article that is gone.
func (p *prepared) drop(key types.NamespacedName) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.revisions, key)
}

// makeRevision makes the revision that the manifest asks for. One that is to be sent at once is made before there is a slot for it, if
// the article is among the next, and written together with the attempt, once there is a slot.
func (r *ArticleReconciler) makeRevision(ctx context.Context, t *task) (progress, error) {
	made, done := r.prepared.take(t)
	writesAnyway := t.changed
	turn, err := r.publication.turn(ctx, t)
	if err != nil || turn == inflight.Later && !done {
		return progress{after: slotPatience}, err
	}
	if done {
		err = t.setCurrent(ctx, made.revision, made.contentHash)
	} else {
		var p progress
		if p, err = r.content.makeRevision(ctx, t); !p.again {
			return p, err
		}
	}
	if err != nil {
		return progress{}, err
	}
	waits := (turn == inflight.Soon || turn == inflight.Later) && !writesAnyway
	if waits && !r.publication.Engine.Calls.IsReserved(client.ObjectKeyFromObject(t.article)) {
		r.prepared.keep(t)
		t.changed = false
		return progress{after: slotPatience}, nil
	}
	return progress{again: true}, nil
}
