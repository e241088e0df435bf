package article

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// maxWaiting bounds the answers of one account that wait for revisions at the same time, in a replica. Each of them holds a request.
const maxWaiting = 10

// waiting counts the answers of each account that wait for the controller.
type waiting struct {
	mu       sync.Mutex
	accounts map[string]int
}

// begin reports whether one more answer of an account may wait; end must be called then.
func (w *waiting) begin(account string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.accounts[account] >= maxWaiting {
		return false
	}
	if w.accounts == nil {
		w.accounts = map[string]int{}
	}
	w.accounts[account]++
	return true
}

func (w *waiting) end(account string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.accounts[account]--; w.accounts[account] == 0 {
		delete(w.accounts, account)
	}
}

// awaitRevision waits until the controller has taken the text of an article into a revision, or has found why it cannot, and returns the
// article as it is then. It returns what it was given if that takes too long, or too many answers of the account wait already.
func (s *Articles) awaitRevision(ctx context.Context, c *operation.Call, newest Item) Item {
	a, account := newest.Object, c.Principal.Account
	if !s.waiting.begin(account) {
		return newest
	}
	defer s.waiting.end(account)
	timeout := s.Limits.RevisionTimeout
	if hasImage(a) {
		timeout = s.Limits.ImageTimeout
	}
	waiting, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	answered := func(seen *v1alpha1.Article) bool {
		return seen.Status.ObservedGeneration >= a.Generation && !fetchesImage(seen)
	}
	s.Index.Await(waiting, a.Namespace, newest.UID, a.ResourceVersion, answered)
	found, ok := s.Index.Get(a.Namespace, newest.UID)
	if ok && found.Object.UID == a.UID && found.Object.Status.ObservedGeneration >= a.Generation {
		return Item{Article: found}
	}
	return newest
}

func hasImage(a *v1alpha1.Article) bool { return a.Spec.Content != nil && a.Spec.Content.Image != nil }

// fetchesImage reports whether the revision of an article waits for its image.
func fetchesImage(a *v1alpha1.Article) bool {
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	return c != nil && c.Reason == v1alpha1.ReasonFetchingImage
}

// awaitIndex waits until the index has the write of a change, for a short time.
func (s *Articles) awaitIndex(ctx context.Context, i Item) {
	waiting, cancel := context.WithTimeout(ctx, indexTimeout)
	defer cancel()
	s.Index.Await(waiting, i.Object.Namespace, i.UID, i.Object.ResourceVersion, func(*v1alpha1.Article) bool { return true })
}

// created returns the answer about an article that was just created. If somebody waits for it at a page, or its text has an image, the
// answer waits for the revision: it says why there can be none.
func (s *Articles) created(ctx context.Context, c *operation.Call, a *v1alpha1.Article) (*Output, error) {
	made := s.liveItem(a)
	if (c.Local || hasImage(a)) && s.edited(a) {
		waiting, cancel := context.WithTimeout(ctx, indexTimeout)
		s.Index.AwaitNew(waiting, a.Namespace, made.UID)
		cancel()
		made = s.awaitRevision(ctx, c, made)
	}
	return s.full(ctx, made)
}

// indexTimeout bounds how long an answer waits until the index has its change.
const indexTimeout = 2 * time.Second
