// Package recenttext remembers small texts of articles that are about to be needed, so that they are not read twice.
package recenttext

import (
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

const (
	// maxTexts and maxTextBytes bound what Texts remembers: 32 MiB. Larger texts and revisions are read live.
	maxTexts     = 4096
	maxTextBytes = 8 << 10
)

// Texts remembers what would otherwise be read from kube-apiserver a second time: the latest texts of authors that the manager's cache
// has dropped and that no revision has yet, and current revisions that wait for a slot. A nil Texts remembers nothing.
type Texts struct{ recent *lru.Cache }

// New returns an empty memory, which the manager's cache fills (see controllers.CacheOptions).
func New() *Texts { return &Texts{recent: lru.New(maxTexts)} }

// textKey identifies a text of an article: by the hash of spec.content, which covers all of it, or by the digest of a revision.
type textKey struct {
	article types.UID
	hash    string
}

// Remember adds the content of an article that is about to be stripped.
func (x *Texts) Remember(a *v1alpha1.Article) {
	c := a.Spec.Content
	if x == nil || c == nil || lifecycle.Stripped(a) || textBytes(c) > maxTextBytes {
		return
	}
	hash := lifecycle.ContentHash(c)
	if a.Status.Revision != nil && a.Status.Revision.ContentHash == hash {
		return
	}
	x.recent.Add(textKey{a.UID, hash}, c.DeepCopy())
}

// Of returns the content that a stripped article had, or nil if it is not remembered.
func (x *Texts) Of(a *v1alpha1.Article) *v1alpha1.ArticleContent {
	if x == nil {
		return nil
	}
	found, _ := x.recent.Get(textKey{a.UID, lifecycle.ContentHash(a.Spec.Content)})
	c, _ := found.(*v1alpha1.ArticleContent)
	return c.DeepCopy()
}

// Forget drops a text that a revision has now.
func (x *Texts) Forget(a *v1alpha1.Article) {
	if x != nil {
		x.recent.Remove(textKey{a.UID, lifecycle.ContentHash(a.Spec.Content)})
	}
}

// KeepRevision adds the current revision of an article that waits for a slot.
func (x *Texts) KeepRevision(a *v1alpha1.Article, rev *v1alpha1.ArticleRevision) {
	if x != nil && rev != nil && revisionBytes(rev) <= maxTextBytes {
		x.recent.Add(textKey{a.UID, rev.Spec.Digest}, rev)
	}
}

// TakeRevision removes the current revision of an article, and returns it, or nil if it is not remembered.
func (x *Texts) TakeRevision(a *v1alpha1.Article) *v1alpha1.ArticleRevision {
	if x == nil {
		return nil
	}
	key := textKey{a.UID, a.Status.Revision.Digest}
	found, _ := x.recent.Get(key)
	x.recent.Remove(key)
	rev, _ := found.(*v1alpha1.ArticleRevision)
	return rev
}

func textBytes(c *v1alpha1.ArticleContent) int { return len(c.Markdown) + faqBytes(c.FAQ) }

func revisionBytes(rev *v1alpha1.ArticleRevision) int {
	return len(rev.Spec.Markdown) + faqBytes(rev.Spec.FAQ)
}

func faqBytes(entries []v1alpha1.FAQ) int {
	n := 0
	for _, entry := range entries {
		n += len(entry.Question) + len(entry.Answer)
	}
	return n
}
