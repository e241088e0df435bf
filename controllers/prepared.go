package controllers

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// maxPreparedAge is how old what an attempt needs may be when it is made, beyond which it is read again.
const maxPreparedAge = time.Second

// prepared keeps what is to be sent at once and waits for a slot. The revisions exist, and are not in status yet: that is written
// together with the first attempt. There are never more of them than the tracker has slots (see inflight.Soon). If the process
// ends, the next one finds them by their names.
type prepared struct {
	mu      sync.Mutex
	waiting map[types.NamespacedName]preparedArticle
}

// preparedArticle is what makeRevision made of an article and a site.
type preparedArticle struct {
	revision *v1alpha1.ArticleRevision
	// send makes the attempt with what was read at readAt; nil if the attempt is blocked.
	send   delivery.Send
	readAt time.Time
	// contentHash and comparison are what status is to say of the revision, and slug what is sent.
	contentHash, slug string
	comparison        comparison
	// history is what status is to list of earlier revisions, and of one that an interrupted reconcile left.
	history []int64
	// article is the resource version, and site the generation, that it was made of.
	article string
	site    int64
}

func newPrepared() *prepared {
	return &prepared{waiting: map[types.NamespacedName]preparedArticle{}}
}

// take returns what is prepared of an article, if that was made of the same article and site.
func (p *prepared) take(t *task) (preparedArticle, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := client.ObjectKeyFromObject(t.article)
	found, ok := p.waiting[key]
	delete(p.waiting, key)
	return found, ok && t.site != nil && found.article == t.article.ResourceVersion && found.site == t.site.Generation
}

// keep remembers what a task has prepared and not written.
func (p *prepared) keep(t *task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[client.ObjectKeyFromObject(t.article)] = preparedArticle{
		revision: t.revision, history: t.article.Status.History, send: t.send, readAt: t.sendReadAt,
		contentHash: t.article.Status.Revision.ContentHash, comparison: t.comparison, slug: t.article.Status.Slug,
		article: t.article.ResourceVersion, site: t.site.Generation,
	}
}

// drop forgets what is prepared of an article.
func (p *prepared) drop(key types.NamespacedName) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, key)
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
		t.article.Status.History, t.comparison = made.history, made.comparison
		err = t.setCurrent(ctx, made.revision, made.contentHash)
		if t.article.Status.Slug == made.slug {
			t.send, t.sendReadAt = made.send, made.readAt
		}
	} else {
		var p progress
		if p, err = r.newRevision(ctx, t); !p.again {
			return p, err
		}
	}
	if err != nil {
		return progress{}, err
	}
	if writesAnyway || lifecycle.HeldByGate(t.article, t.site) || turn == inflight.Now || turn == inflight.Stuck {
		return progress{again: true}, nil
	}
	if err := r.publication.prepare(ctx, t); err != nil {
		return progress{}, err
	}
	if r.publication.Engine.Calls.IsReserved(client.ObjectKeyFromObject(t.article)) {
		return progress{again: true}, nil
	}
	r.prepared.keep(t)
	t.changed = false
	return progress{after: slotPatience}, nil
}
