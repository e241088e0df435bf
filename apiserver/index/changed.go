package index

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Changed returns up to limit articles of a workspace by the time at which what their sites have changed last, the earliest first: the time
// of the publication or of the last update; or at which it became Gone: it was unpublished, or an article was deleted whose site pulls. An
// empty siteUID chooses all sites. after and Complete are as in Published.
func (x *Index) Changed(workspace, siteUID string, since time.Time, after string, limit int) Page {
	keys := []treeKey{{siteUID: siteUID}}
	page := x.byTime(workspace, since, after, limit, changedKey, func(ns *namespace, from string, ascending bool) *iterators {
		return ns.published.iterators(keys, from, ascending).and(ns.changed.iterators(keys, from, ascending))
	})
	for i, a := range page.Articles {
		if at := lifecycle.Have(a.Object).UnpublishTime; at != nil {
			page.Articles[i].Gone = at.Time
		}
	}
	return page
}

// changedAt returns the time of the last change after the publication; zero if there is none.
func changedAt(a Article) time.Time {
	if !a.Gone.IsZero() {
		return a.Gone
	}
	switch p := lifecycle.Have(a.Object); {
	case p.UnpublishTime != nil:
		return p.UnpublishTime.Time
	case p.UpdateTime != nil:
		return p.UpdateTime.Time
	default:
		return time.Time{}
	}
}

// changedKey orders articles by the time of their last change, and then by age.
func changedKey(a Article) string {
	if at := changedAt(a); !at.IsZero() {
		return publishedAt(at) + a.ID
	}
	return publishedKey(a)
}

// applyPost files the article of a Post that says that it was deleted.
func (x *Index) applyPost(ns *namespace, p *v1alpha1.Post) {
	x.deletePost(ns, p)
	if p.Spec.State == v1alpha1.PostRemoved && p.Spec.RemovalTime != nil {
		ns.gone[p.Name] = newTombstone(p)
		ns.list(ns.gone[p.Name])
	}
}

func (x *Index) deletePost(ns *namespace, p *v1alpha1.Post) {
	if old, ok := ns.gone[p.Name]; ok {
		ns.unlist(old)
		delete(ns.gone, p.Name)
	}
}

// newTombstone returns what lists have of a deleted article.
func newTombstone(p *v1alpha1.Post) *entry {
	a := &v1alpha1.Article{Status: v1alpha1.ArticleStatus{Slug: p.Spec.Slug}}
	a.Namespace, a.Name, a.Spec.SiteRef, a.CreationTimestamp = p.Namespace, p.Spec.ArticleRef.Name, p.Spec.SiteRef, p.CreationTimestamp
	if p.Spec.ArticleCreatedTime != nil {
		a.CreationTimestamp.Time = p.Spec.ArticleCreatedTime.Time
	}
	e := &entry{Article: ArticleOf(a, "")}
	e.Gone = p.Spec.RemovalTime.Time
	return e
}
