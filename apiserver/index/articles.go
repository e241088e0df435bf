package index

import (
	"cmp"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Article holds the parts of an Article that lists and gets need.
type Article struct {
	// ID is the _id over REST, and the cursor (docs/reference/contract.md, Article summary).
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
	// Gone is when the article was deleted or, in a page of Changed, unpublished; else zero.
	Gone time.Time
}

// Title of the article's text, of a published article that of the text that its site has, empty while there is none.
func (a *Article) Title() string {
	if lifecycle.Published(a.Object) && lifecycle.Have(a.Object).Revision.Title != "" {
		return lifecycle.Have(a.Object).Revision.Title
	}
	if r := a.Object.Status.Revision; r != nil {
		return r.Title
	}
	if c := a.Object.Spec.Content; c != nil {
		return c.Title
	}
	return ""
}

// Keyword that the article is generated for, empty if it has none.
func (a *Article) Keyword() string {
	if g := a.Object.Spec.Generate; g != nil {
		return g.Keyword
	}
	return ""
}

// Slug that the article has, or that its author wants it to have.
func (a *Article) Slug() string {
	if c := a.Object.Spec.Content; c != nil {
		return cmp.Or(a.Object.Status.Slug, c.Slug)
	}
	return a.Object.Status.Slug
}

// Model that wrote the last generated text, empty if there is none, or the text is the author's own.
func (a *Article) Model() string {
	if r := a.Object.Status.Run; r != nil && !lifecycle.Written(a.Object) {
		return r.Model
	}
	return ""
}

// DecidedBy is who reviewed the text last, empty if nobody has.
func (a *Article) DecidedBy() string {
	if r := a.Object.Spec.Review; r != nil {
		return r.By
	}
	return ""
}

// Publication is the state of the last delivery cycle, empty if nothing has been sent.
func (a *Article) Publication() v1alpha1.CycleState {
	return lifecycle.CycleOf(a.Object).State
}

// UpdatedAt is when the article was last written, in whole seconds, and never before its creation or its publication.
func (a *Article) UpdatedAt() time.Time {
	updated := lifecycle.UpdatedAt(a.Object)
	if created := identity.RecordTime(a.ID); created.After(updated) {
		updated = created
	}
	if published := lifecycle.Have(a.Object).PublishTime; published != nil && published.After(updated) {
		updated = published.Time
	}
	return updated
}

// entry is an article in its namespace.
type entry struct {
	Article
	// dueKey is the entry's key in Index.due, empty if it is not there.
	dueKey string
}

// statusKeys name the trees that contain the article by its status.
func (e *entry) statusKeys() []treeKey {
	return []treeKey{{}, {siteUID: e.SiteUID}, {status: e.Phase}, {siteUID: e.SiteUID, status: e.Phase}}
}

// keys name all trees that contain the article.
func (e *entry) keys() []treeKey {
	keys := e.statusKeys()
	if state := e.Publication(); state != "" {
		keys = append(keys, treeKey{publication: state}, treeKey{siteUID: e.SiteUID, publication: state})
	}
	return keys
}

// Get returns the article of a workspace with this uid.
func (x *Index) Get(workspace, uid string) (Article, bool) {
	x.reindexDue(x.clock.Now())
	x.mu.RLock()
	defer x.mu.RUnlock()
	e, ok := x.view(workspace).uids[uid]
	if !ok {
		return Article{}, false
	}
	return e.Article, true
}

func (x *Index) applyArticle(ns *namespace, a *v1alpha1.Article) {
	defer x.arriving.arrive(a)
	if old, ok := ns.articles[a.Name]; ok {
		if olderVersion(a.ResourceVersion, old.Object.ResourceVersion) {
			return
		}
		x.removeArticle(ns, old)
	}
	if a.DeletionTimestamp.IsZero() {
		x.insertArticle(ns, &entry{Article: ArticleOf(a, "")}, x.clock.Now())
	}
}

func (x *Index) deleteArticle(ns *namespace, a *v1alpha1.Article) {
	defer x.arriving.forget(a)
	// Another metadata.uid is a later article of the same name.
	if e, ok := ns.articles[a.Name]; ok && e.Object.UID == a.UID {
		x.removeArticle(ns, e)
	}
}

// ArticleOf returns an article in a phase, with its identifiers.
func ArticleOf(a *v1alpha1.Article, phase v1alpha1.ArticlePhase) Article {
	uid := identity.UID(identity.KindArticle, a.Namespace, a.Name)
	return Article{
		ID: identity.RecordID(uid, a.CreatedAt()), UID: uid, SiteUID: identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name),
		Phase: phase, Object: a,
	}
}

// insertArticle adds an entry under its phase now.
func (x *Index) insertArticle(ns *namespace, e *entry, now time.Time) {
	e.Phase = phaseAt(e.Object, now)
	ns.articles[e.Object.Name] = e
	ns.articleUIDs.add(e.UID, e)
	ns.usage.count(e, 1)
	x.schedule(e, now)
}

// removeArticle removes an entry from all trees and maps.
func (x *Index) removeArticle(ns *namespace, e *entry) {
	delete(ns.articles, e.Object.Name)
	ns.articleUIDs.remove(e.UID, e)
	ns.usage.count(e, -1)
	if e.dueKey != "" {
		x.due.Delete(e.dueKey)
		e.dueKey = ""
	}
}

// listKey is the key of an article in a kind of list, and which trees of that kind have the article.
type listKey struct {
	lists trees
	trees []treeKey
	key   string
}

// listKeys returns the keys of an article:
//   - its _id in lists by age, unless it is deleted
//   - the time of publication, if it is published
//   - the time of the last change, if that is not the publication
//   - the time for which publication is requested
func (ns *namespace) listKeys(e *entry) []listKey {
	age, changed, bySite := e.ID, "", []treeKey{{}, {siteUID: e.SiteUID}}
	if !e.Gone.IsZero() {
		age = ""
	}
	if !changedAt(e.Article).IsZero() {
		changed = changedKey(e.Article)
	}
	all := []listKey{
		{ns.trees, e.keys(), age}, {ns.published, e.statusKeys(), publishedKey(e.Article)},
		{ns.changed, bySite, changed}, {ns.planned, bySite, plannedKey(e.Article)},
	}
	return slices.DeleteFunc(all, func(k listKey) bool { return k.key == "" })
}

// list adds an article to the lists.
func (ns *namespace) list(e *entry) {
	for _, k := range ns.listKeys(e) {
		k.lists.add(k.trees, k.key, e)
	}
}

// unlist removes an article from the lists.
func (ns *namespace) unlist(e *entry) {
	for _, k := range ns.listKeys(e) {
		k.lists.remove(k.trees, k.key)
	}
}
