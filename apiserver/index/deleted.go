package index

import "github.com/pressroom-dev/pressroom/api/v1alpha1"

// applyPost adds the article of a Post that says that it was deleted to the lists by change.
func (x *Index) applyPost(ns *namespace, p *v1alpha1.Post) {
	x.deletePost(ns, p)
	if p.Spec.State == v1alpha1.PostRemoved && p.Spec.RemovalTime != nil {
		ns.deleted[p.Name] = newDeleted(p)
		ns.list(ns.deleted[p.Name])
	}
}

func (x *Index) deletePost(ns *namespace, p *v1alpha1.Post) {
	if old, ok := ns.deleted[p.Name]; ok {
		ns.unlist(old)
		delete(ns.deleted, p.Name)
	}
}

// newDeleted returns what lists have of a deleted article. It has the metadata.uid of the Post: an article may have several.
func newDeleted(p *v1alpha1.Post) *entry {
	a := &v1alpha1.Article{Status: v1alpha1.ArticleStatus{Slug: p.Spec.Slug}}
	a.Namespace, a.Name, a.UID = p.Namespace, p.Spec.ArticleRef.Name, p.UID
	a.Spec.SiteRef, a.CreationTimestamp = p.Spec.SiteRef, p.CreationTimestamp
	if p.Spec.ArticleCreatedTime != nil {
		a.CreationTimestamp.Time = p.Spec.ArticleCreatedTime.Time
	}
	e := newEntry(a)
	e.Gone = p.Spec.RemovalTime.Time
	return e
}
