package index

import (
	"time"

	"github.com/tidwall/btree"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Article is what a list or a get needs of an Article.
type Article struct {
	// ID is the _id of the contract, and the cursor.
	ID string
	// UID of the article, as the REST API names it.
	UID string
	// SiteUID is the uid of its site, whether or not that exists.
	SiteUID string
	// Phase of this moment.
	Phase v1alpha1.ArticlePhase
	// Object is shared with the informer's cache: read it only. Transform has taken the author's text out of it, so do
	// not ask package lifecycle about it and never write it back.
	Object *v1alpha1.Article
}

// Filter chooses articles. An empty field chooses all.
type Filter struct {
	SiteUID string
	Status  v1alpha1.ArticlePhase
}

// entry is an article in its room.
type entry struct {
	Article
	// dueKey is the entry's key in Index.due, empty where it is not there.
	dueKey string
}

// filters are the trees that an article stands in.
func (e *entry) filters() [4]Filter {
	return [4]Filter{{}, {SiteUID: e.SiteUID}, {Status: e.Phase}, {SiteUID: e.SiteUID, Status: e.Phase}}
}

// List returns up to limit articles of a workspace, newest first, and whether there are more. before is the _id of the
// last article of the page before, empty for the first page; that article need not exist any more.
func (x *Index) List(workspace string, f Filter, before string, limit int) ([]Article, bool) {
	x.settleDue(x.clock.Now())
	x.mu.RLock()
	defer x.mu.RUnlock()
	r, ok := x.rooms[workspace]
	if !ok {
		return nil, false
	}
	tree, ok := r.trees[f]
	if !ok {
		return nil, false
	}
	items, more := make([]Article, 0, min(limit, tree.Len())), false
	take := func(id string, e *entry) bool {
		if id == before {
			return true
		}
		if len(items) == limit {
			more = true
			return false
		}
		items = append(items, e.Article)
		return true
	}
	if before == "" {
		tree.Reverse(take)
	} else {
		tree.Descend(before, take)
	}
	return items, more
}

// Get returns the article of a workspace with this uid.
func (x *Index) Get(workspace, uid string) (Article, bool) {
	x.settleDue(x.clock.Now())
	x.mu.RLock()
	defer x.mu.RUnlock()
	r, ok := x.rooms[workspace]
	if !ok {
		return Article{}, false
	}
	e, ok := r.uids[uid]
	if !ok {
		return Article{}, false
	}
	return e.Article, true
}

func (x *Index) putArticle(a *v1alpha1.Article) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.roomFor(a.Namespace)
	if old, ok := r.articles[a.Name]; ok {
		if older(a, old.Object) {
			return
		}
		x.drop(r, old)
	}
	if a.DeletionTimestamp.IsZero() {
		x.file(r, newEntry(a), x.clock.Now())
	}
	x.leave(r)
}

func (x *Index) removeArticle(a *v1alpha1.Article) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r, ok := x.rooms[a.Namespace]
	if !ok {
		return
	}
	// Another metadata.uid is a later article of the same name.
	if e, ok := r.articles[a.Name]; ok && e.Object.UID == a.UID {
		x.drop(r, e)
		x.leave(r)
	}
}

func newEntry(a *v1alpha1.Article) *entry {
	uid := identity.UID(identity.KindArticle, a.Namespace, a.Name)
	return &entry{Article: Article{
		ID:      identity.RecordID(uid, a.CreationTimestamp.Time),
		UID:     uid,
		SiteUID: identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name),
		Object:  a,
	}}
}

// file puts an entry into its room under the phase of this moment.
func (x *Index) file(r *room, e *entry, now time.Time) {
	e.Phase = phaseAt(e.Object, now)
	r.articles[e.Object.Name] = e
	// Somebody may name an article like the uid derived for another one. The uid is the named one's (design, section 1).
	if other, ok := r.uids[e.UID]; !ok || other.Object.Name != e.UID {
		r.uids[e.UID] = e
	}
	for _, f := range e.filters() {
		tree, ok := r.trees[f]
		if !ok {
			tree = &btree.Map[string, *entry]{}
			r.trees[f] = tree
		}
		tree.Set(e.ID, e)
	}
	x.await(e, now)
}

// drop takes an entry out of everything.
func (x *Index) drop(r *room, e *entry) {
	delete(r.articles, e.Object.Name)
	if r.uids[e.UID] == e {
		delete(r.uids, e.UID)
	}
	for _, f := range e.filters() {
		tree, ok := r.trees[f]
		if !ok {
			continue
		}
		tree.Delete(e.ID)
		if tree.Len() == 0 {
			delete(r.trees, f)
		}
	}
	if e.dueKey != "" {
		x.due.Delete(e.dueKey)
		e.dueKey = ""
	}
}
