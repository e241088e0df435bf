package controllers

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// refusals remembers, by article, content that cannot become a revision, so that it is not read and parsed again at each event.
// Another process looks at it once more: its bounds may be others.
type refusals struct {
	mu    sync.Mutex
	known map[types.NamespacedName]refusal
}

// refusal is about one content of one article, over one generated text.
type refusal struct {
	article   types.UID
	content   string
	generated int64
	message   string
}

func newRefusals() *refusals { return &refusals{known: map[types.NamespacedName]refusal{}} }

// add remembers why an article's content is refused, and returns it as what blocks the revision.
func (r *refusals) add(a *v1alpha1.Article, err error) *lifecycle.BlockedError {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[client.ObjectKeyFromObject(a)] = refusal{a.UID, lifecycle.ContentHash(a.Spec.Content), lifecycle.GeneratedNumber(a), err.Error()}
	return invalidContent(err.Error())
}

// of returns why an article's content is refused; nil if that is not known.
func (r *refusals) of(a *v1alpha1.Article) *lifecycle.BlockedError {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.known[client.ObjectKeyFromObject(a)]
	if !ok || known.article != a.UID || known.content != lifecycle.ContentHash(a.Spec.Content) ||
		known.generated != lifecycle.GeneratedNumber(a) {
		return nil
	}
	return invalidContent(known.message)
}

// forget drops what is known of an article that is gone, or whose content has become a revision.
func (r *refusals) forget(key types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.known, key)
}

func invalidContent(message string) *lifecycle.BlockedError {
	return &lifecycle.BlockedError{Reason: v1alpha1.ReasonInvalidContent, Message: message}
}
