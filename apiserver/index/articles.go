package index

import (
	"cmp"
	"strings"
	"time"
	"unique"

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

// ArticleOf returns an article in a phase, with its identifiers.
func ArticleOf(a *v1alpha1.Article, phase v1alpha1.ArticlePhase) Article {
	uid := identity.UID(identity.KindArticle, a.Namespace, a.Name)
	return Article{
		ID: identity.RecordID(uid, a.CreatedAt()), UID: uid, SiteUID: identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name),
		Phase: phase, Object: a,
	}
}

// entry is an article in its namespace, with what filters compare, because a filter may compare it with every article. Its Phase is the
// one that Transform has set: see at.
type entry struct {
	Article

	publication v1alpha1.CycleState
	updated     time.Time
	// text is what a search looks at, in lower case.
	text string
}

func newEntry(a *v1alpha1.Article) *entry {
	e := &entry{Article: ArticleOf(a, a.Status.Phase)}
	// The articles of a site share one copy.
	e.SiteUID = unique.Make(e.SiteUID).Value()
	e.publication, e.updated = e.Publication(), e.UpdatedAt()
	e.text = strings.ToLower(strings.Join([]string{e.Title(), e.Keyword(), e.Slug(), e.Model(), e.DecidedBy()}, "\n"))
	return e
}

func (e *entry) name() string { return e.Object.Name }

func (e *entry) uid() string { return e.UID }

// phase returns the phase at a time. The clock changes one phase only: Scheduled becomes Approved once its time has come
// (docs/contributing/design.md, Conditions and phase).
func (e *entry) phase(now time.Time) v1alpha1.ArticlePhase {
	if e.Phase == v1alpha1.PhaseScheduled && !e.Object.Spec.PublishAfter.Unreadable() && !lifecycle.NotBefore(e.Object).After(now) {
		return v1alpha1.PhaseApproved
	}
	return e.Phase
}

// at returns the article in its phase at a time.
func (e *entry) at(now time.Time) Article {
	a := e.Article
	a.Phase = e.phase(now)
	return a
}

// Get returns the article of a workspace with this uid.
func (x *Index) Get(workspace, uid string) (Article, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	e, ok := x.view(workspace).articles.get(uid)
	if !ok {
		return Article{}, false
	}
	return e.at(x.clock.Now()), true
}

func (x *Index) applyArticle(ns *namespace, a *v1alpha1.Article) {
	defer x.arriving.arrive(a)
	if old, ok := ns.articles.byName[a.Name]; ok {
		if olderVersion(a.ResourceVersion, old.Object.ResourceVersion) {
			return
		}
		ns.removeArticle(old)
	}
	if a.DeletionTimestamp.IsZero() {
		ns.addArticle(newEntry(a))
	}
}

func (x *Index) deleteArticle(ns *namespace, a *v1alpha1.Article) {
	defer x.arriving.forget(a)
	// Another metadata.uid is a later article of the same name.
	if e, ok := ns.articles.byName[a.Name]; ok && e.Object.UID == a.UID {
		ns.removeArticle(e)
	}
}

func (ns *namespace) addArticle(e *entry) {
	ns.articles.add(e)
	ns.list(e)
	ns.count(e, 1)
}

func (ns *namespace) removeArticle(e *entry) {
	ns.articles.remove(e)
	ns.unlist(e)
	ns.count(e, -1)
}
