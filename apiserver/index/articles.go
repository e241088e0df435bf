package index

import (
	"time"

	"github.com/tidwall/btree"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Article holds the parts of an Article that lists and gets need.
type Article struct {
	// ID is the _id of the contract, and the cursor.
	ID string
	// UID of the article, as the REST API names it.
	UID string
	// SiteUID is the uid of its site, whether or not that exists.
	SiteUID string
	// Phase now.
	Phase v1alpha1.ArticlePhase
	// Object is the informer's copy without the author's text and the attempts (see Transform): use Phase instead of its
	// status.phase, and never write it back.
	Object *v1alpha1.Article
}

// Filter chooses articles. An empty field chooses all.
type Filter struct {
	SiteUID string
	Status  v1alpha1.ArticlePhase
}

// entry is an article in its namespace.
type entry struct {
	Article
	// dueKey is the entry's key in Index.due, empty if it is not there.
	dueKey string
}

// filters are the keys of the trees that contain the article.
func (e *entry) filters() [4]Filter {
	return [4]Filter{{}, {SiteUID: e.SiteUID}, {Status: e.Phase}, {SiteUID: e.SiteUID, Status: e.Phase}}
}

// List returns up to limit articles of a workspace, newest first, and whether there are more. before is the _id of the
// last article of the previous page, empty for the first page; that article need not exist any more.
func (x *Index) List(workspace string, f Filter, before string, limit int) ([]Article, bool) {
	x.reindexDue(x.clock.Now())
	x.mu.RLock()
	defer x.mu.RUnlock()
	ns, ok := x.namespaces[workspace]
	if !ok {
		return nil, false
	}
	tree, ok := ns.trees[f]
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
	x.reindexDue(x.clock.Now())
	x.mu.RLock()
	defer x.mu.RUnlock()
	ns, ok := x.namespaces[workspace]
	if !ok {
		return Article{}, false
	}
	e, ok := ns.uids[uid]
	if !ok {
		return Article{}, false
	}
	return e.Article, true
}

func (x *Index) applyArticle(a *v1alpha1.Article) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.arriving.arrive(a)
	ns := x.namespaceFor(a.Namespace)
	if old, ok := ns.articles[a.Name]; ok {
		if older(a, old.Object) {
			return
		}
		x.removeArticle(ns, old)
	}
	if a.DeletionTimestamp.IsZero() {
		x.insertArticle(ns, newEntry(a), x.clock.Now())
	}
	x.prune(ns)
}

func (x *Index) deleteArticle(a *v1alpha1.Article) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.arriving.gone(a)
	ns, ok := x.namespaces[a.Namespace]
	if !ok {
		return
	}
	// Another metadata.uid is a later article of the same name.
	if e, ok := ns.articles[a.Name]; ok && e.Object.UID == a.UID {
		x.removeArticle(ns, e)
		x.prune(ns)
	}
}

func newEntry(a *v1alpha1.Article) *entry {
	uid := identity.UID(identity.KindArticle, a.Namespace, a.Name)
	return &entry{Article: Article{
		ID:      identity.RecordID(uid, a.CreatedAt()),
		UID:     uid,
		SiteUID: identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name),
		Object:  a,
	}}
}

// insertArticle adds an entry under its phase now.
func (x *Index) insertArticle(ns *namespace, e *entry, now time.Time) {
	e.Phase = phaseAt(e.Object, now)
	ns.articles[e.Object.Name] = e
	ns.file(e)
	ns.usage.count(e, 1)
	x.schedule(e, now)
}

// removeArticle removes an entry from all trees and maps.
func (x *Index) removeArticle(ns *namespace, e *entry) {
	delete(ns.articles, e.Object.Name)
	ns.unfile(e)
	ns.usage.count(e, -1)
	if e.dueKey != "" {
		x.due.Delete(e.dueKey)
		e.dueKey = ""
	}
}

// list adds an article to the lists.
func (ns *namespace) list(e *entry) {
	for _, f := range e.filters() {
		tree, ok := ns.trees[f]
		if !ok {
			tree = &btree.Map[string, *entry]{}
			ns.trees[f] = tree
		}
		tree.Set(e.ID, e)
	}
	ns.filePublished(e)
}

// unlist removes an article from the lists.
func (ns *namespace) unlist(e *entry) {
	for _, f := range e.filters() {
		tree, ok := ns.trees[f]
		if !ok {
			continue
		}
		tree.Delete(e.ID)
		if tree.Len() == 0 {
			delete(ns.trees, f)
		}
	}
	ns.unfilePublished(e)
}
