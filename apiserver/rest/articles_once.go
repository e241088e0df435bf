package rest

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// isRepeated reports whether an earlier request with the same Idempotency-Key has created the article. The article may be gone.
func (s *service) isRepeated(ctx context.Context, c *call, request articleRequest) (bool, error) {
	if request.hash == "" {
		return false, nil
	}
	// Another article may have the name by now: the record decides then.
	if found, ok := s.Index.Get(c.workspace, request.name); ok && request.checkRepeated(found.Object) == nil {
		return true, s.keepRecord(ctx, found.Object, request)
	}
	_, err := s.earlier(ctx, client.ObjectKey{Namespace: c.workspace, Name: request.name}, request)
	return err == nil, client.IgnoreNotFound(err)
}

// earlier returns the article that an earlier request with the same Idempotency-Key created, or nil if the article is gone. It
// returns an error for which apierrors.IsNotFound is true if there was no such request, and a conflict if the key was used for
// another request, or somebody else's article has the name. The article is read before its record: whatever has become of it since
// the request was completed, the record says that it was.
func (s *service) earlier(ctx context.Context, key client.ObjectKey, request articleRequest) (*v1alpha1.Article, error) {
	a, missing := s.articles.get(ctx, key)
	if missing == nil {
		missing = request.checkRepeated(a)
	}
	if missing == nil {
		return a, s.keepRecord(ctx, a, request)
	}
	if problem.IsUnavailable(missing) {
		return nil, missing
	}
	r, err := s.records.find(ctx, request.keyed(key.Namespace))
	switch {
	case err != nil:
		return nil, err
	case r != nil && r.completed():
		return nil, nil
	default:
		return nil, missing
	}
}

// keepRecord completes the record of an article that an earlier request created, before a repeat is answered: the process of that
// request may have ended before it did, and once there is an answer no second article may be created.
func (s *service) keepRecord(ctx context.Context, a *v1alpha1.Article, request articleRequest) error {
	keyed := request.keyed(a.Namespace)
	r, err := s.records.find(ctx, keyed)
	if r == nil && err == nil {
		r, err = s.records.begin(ctx, keyed)
	}
	if err != nil {
		return err
	}
	_, err = r.complete(ctx, a.UID)
	return err
}

// createOnce creates an article, once under an Idempotency-Key. The article that is returned is nil if an earlier request has created
// it and it is gone. An error for which problem.IsUnavailable is false means that there is no article.
func (s *service) createOnce(ctx context.Context, a *v1alpha1.Article, request articleRequest) (*v1alpha1.Article, error) {
	if request.hash == "" {
		return a, s.articles.create(ctx, a)
	}
	r, err := s.records.begin(ctx, request.keyed(a.Namespace))
	if err != nil {
		return nil, err
	}
	if r.completed() {
		return s.earlier(ctx, client.ObjectKeyFromObject(a), request)
	}
	err = s.articles.create(ctx, a)
	if apierrors.IsAlreadyExists(err) {
		return s.join(ctx, r, client.ObjectKeyFromObject(a), request)
	}
	if err != nil {
		s.abandon(ctx, r, err)
		return nil, err
	}
	recorded, err := r.complete(ctx, a.UID)
	if err != nil {
		return nil, err
	}
	if recorded != a.UID {
		// Between the beginning and the creation, a request at the same time has created an article, and that has been deleted.
		return nil, s.articles.deleteThis(ctx, a)
	}
	return a, nil
}

// join ends a request whose article's name is taken: by the article of an earlier request with the same key, or by another one.
func (s *service) join(ctx context.Context, r *record, key client.ObjectKey, request articleRequest) (*v1alpha1.Article, error) {
	a, err := s.earlier(ctx, key, request)
	if apierrors.IsNotFound(err) {
		// It has just been deleted: the repeat finds whether it was recorded.
		return nil, problem.Unavailable("the article of the first request was deleted at the same time", problem.DefaultRetryAfter)
	}
	if err != nil {
		s.abandon(ctx, r, err)
	}
	return a, err
}

// abandon forgets the record of a request for which there is no article.
func (s *service) abandon(ctx context.Context, r *record, cause error) {
	if problem.IsUnavailable(cause) {
		return
	}
	if err := r.abandon(ctx); err != nil {
		s.Log.Info("a record of an Idempotency-Key stays for a day", "record", client.ObjectKeyFromObject(r.stored), "error", err.Error())
	}
}

// deleteThis deletes an article, and no other one of its name. It is not an error if the article is gone.
func (s *articles) deleteThis(ctx context.Context, a *v1alpha1.Article) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeout)
	defer cancel()
	this := client.Preconditions{UID: &a.UID}
	err := s.client.Delete(ctx, a, this, client.PropagationPolicy(metav1.DeletePropagationBackground))
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return problem.MarkUnreachable(err)
}
