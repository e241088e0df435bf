package article

import (
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

const (
	// maxTexts and maxTextBytes bound what Texts remembers: 32 MiB. A larger text is read live.
	maxTexts     = 4096
	maxTextBytes = 8 << 10
)

// Texts remembers the latest texts of authors that the manager's cache has dropped and that no revision has yet, so that most of them
// are not read from kube-apiserver a second time. A nil Texts remembers nothing.
type Texts struct{ recent *lru.Cache }

// NewTexts returns an empty memory, which the manager's cache fills (see CacheOptions).
func NewTexts() *Texts { return &Texts{recent: lru.New(maxTexts)} }

// textKey identifies a state of an article's content. The hash covers all of spec.content, so the same hash means the same text.
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

// forget drops a text that a revision has now.
func (x *Texts) forget(a *v1alpha1.Article) {
	if x != nil {
		x.recent.Remove(textKey{a.UID, lifecycle.ContentHash(a.Spec.Content)})
	}
}

func textBytes(c *v1alpha1.ArticleContent) int {
	n := len(c.Markdown)
	for _, entry := range c.FAQ {
		n += len(entry.Question) + len(entry.Answer)
	}
	return n
}
