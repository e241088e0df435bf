package article

import (
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

const (
	// maxTexts and maxTextBytes bound what Texts remembers: 32 MiB. Larger texts are read from kube-apiserver.
	maxTexts     = 4096
	maxTextBytes = 8 << 10
)

// Texts remembers small texts that are needed soon: those of authors that no revision has yet, which the cache does not have, and current
// revisions that wait for a slot. A nil Texts remembers nothing.
type Texts struct{ recent *lru.Cache }

// textKey identifies a text by the hash of spec.content, or by the digest of a revision.
type textKey struct {
	article types.UID
	hash    string
}

// NewTexts returns an empty memory.
func NewTexts() *Texts { return &Texts{lru.New(maxTexts)} }

// Strip is lifecycle.Strip of an article, as the transform of a cache. It remembers the text that no revision has yet.
func (x *Texts) Strip(o any) (any, error) {
	a, ok := o.(*v1alpha1.Article)
	if !ok {
		return o, nil
	}
	content := a.Spec.Content.DeepCopy()
	lifecycle.Strip(a)
	if lifecycle.WithoutText(a.Spec.Content) && !lifecycle.WithoutText(content) && lifecycle.Outdated(a, nil) {
		x.keep(a, lifecycle.ContentHash(a.Spec.Content), content.Markdown, content.FAQ, content)
	}
	return a, nil
}

// content removes the content of a stripped article, and returns it; nil if it is not remembered.
func (x *Texts) content(a *v1alpha1.Article) *v1alpha1.ArticleContent {
	content, _ := x.take(a, lifecycle.ContentHash(a.Spec.Content)).(*v1alpha1.ArticleContent)
	return content
}

// revision removes the current revision of an article, and returns it; nil if it is not remembered.
func (x *Texts) revision(a *v1alpha1.Article) *v1alpha1.ArticleRevision {
	rev, _ := x.take(a, a.Status.Revision.Digest).(*v1alpha1.ArticleRevision)
	return rev
}

// keep remembers an object with a text if that is small.
func (x *Texts) keep(a *v1alpha1.Article, hash, markdown string, faq []v1alpha1.FAQ, object any) {
	bytes := len(markdown)
	for _, entry := range faq {
		bytes += len(entry.Question) + len(entry.Answer)
	}
	if x != nil && bytes <= maxTextBytes {
		x.recent.Add(textKey{a.UID, hash}, object)
	}
}

// take removes an object, and returns it; nil if it is not remembered.
func (x *Texts) take(a *v1alpha1.Article, hash string) any {
	if x == nil {
		return nil
	}
	object, _ := x.recent.Get(textKey{a.UID, hash})
	x.recent.Remove(textKey{a.UID, hash})
	return object
}
