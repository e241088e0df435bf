package index

import (
	"context"
	"sync"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// watchers wait for changes of workspaces.
type watchers struct {
	mu sync.Mutex
	// workspaces have the channels of those that watch them.
	workspaces map[string]map[chan struct{}]struct{}
}

// Watch returns a channel that receives once after any number of changes of a workspace: of its articles, sites, subscriptions, briefs, or
// itself. What was changed is in the index by then. stop must be called in the end. Nobody who is slow to receive delays an event.
func (x *Index) Watch(workspace string) (changed <-chan struct{}, stop func()) {
	w := &x.watchers
	signal := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.workspaces == nil {
		w.workspaces = map[string]map[chan struct{}]struct{}{}
	}
	if w.workspaces[workspace] == nil {
		w.workspaces[workspace] = map[chan struct{}]struct{}{}
	}
	w.workspaces[workspace][signal] = struct{}{}
	return signal, func() { w.leave(workspace, signal) }
}

func (w *watchers) leave(workspace string, signal chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.workspaces[workspace], signal)
	if len(w.workspaces[workspace]) == 0 {
		delete(w.workspaces, workspace)
	}
}

// signal signals a change of a workspace.
func (w *watchers) signal(workspace string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for signal := range w.workspaces[workspace] {
		select {
		case signal <- struct{}{}:
		default:
			// A signal waits already.
		}
	}
}

// Await waits until the index has an article in the state of a resource version, or a later one, of which a condition holds, or until ctx
// ends. An article that the index does not have is not waited for.
func (x *Index) Await(ctx context.Context, workspace, uid, version string, holds func(*v1alpha1.Article) bool) {
	x.await(ctx, workspace, func() bool {
		a, ok := x.Get(workspace, uid)
		return !ok || !olderVersion(a.Object.ResourceVersion, version) && holds(a.Object)
	})
}

// AwaitNew waits until the index has an article that was just created, or until ctx ends.
func (x *Index) AwaitNew(ctx context.Context, workspace, uid string) {
	x.await(ctx, workspace, func() bool {
		_, ok := x.Get(workspace, uid)
		return ok
	})
}

// AwaitSite waits until the index has a site in the state of a resource version, as Await does for an article.
func (x *Index) AwaitSite(ctx context.Context, workspace, uid, version string) {
	x.await(ctx, workspace, func() bool {
		s, ok := x.Site(workspace, uid)
		return !ok || !olderVersion(s.Object.ResourceVersion, version)
	})
}

// AwaitBrief waits until the index has a brief that was just created, or until ctx ends.
func (x *Index) AwaitBrief(ctx context.Context, workspace, uid string) {
	x.await(ctx, workspace, func() bool {
		_, ok := x.Brief(workspace, uid)
		return ok
	})
}

// await waits until holds returns true. It is called again after each change of the workspace.
func (x *Index) await(ctx context.Context, workspace string, holds func() bool) {
	changed, stop := x.Watch(workspace)
	defer stop()
	for {
		if holds() {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
