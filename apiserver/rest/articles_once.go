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
		return true, nil
	}
	if completed, err := s.isCompleted(ctx, c, request); completed || err != nil {
		return completed, err
	}
	_, err := s.earlier(ctx, client.ObjectKey{Namespace: c.workspace, Name: request.name}, request)
	if err == nil || apierrors.IsNotFound(err) || problem.IsUnavailable(err) {
		return err == nil, client.IgnoreNotFound(err)
	}
	// Another article has the name. The first request may have been completed, and its article deleted, since the record was read.
	if completed, again := s.isCompleted(ctx, c, request); completed || again != nil {
		return completed, again
	}
	return false, err
}

// isCompleted reports whether the record of the request says that its article was created.
func (s *service) isCompleted(ctx context.Context, c *call, request articleRequest) (bool, error) {
	r, err := s.records.find(ctx, request.keyed(c.workspace))
	return r != nil && r.completed(), err
}

// earlier returns the article that an earlier request with the same Idempotency-Key created; a conflict if that was another
// request. A name that does not come from a key is new, so only the same request can have used it.
func (s *service) earlier(ctx context.Context, key client.ObjectKey, request articleRequest) (*v1alpha1.Article, error) {
	a, err := s.articles.get(ctx, key)
	if err != nil {
		return nil, err
	}
	return a, request.checkRepeated(a)
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
		found, err := s.earlier(ctx, client.ObjectKeyFromObject(a), request)
		return found, client.IgnoreNotFound(err)
	}
	err = s.articles.create(ctx, a)
	created := err == nil
	if apierrors.IsAlreadyExists(err) {
		a, err = s.earlier(ctx, client.ObjectKeyFromObject(a), request)
		if apierrors.IsNotFound(err) {
			// It has just been deleted: the repeat finds whether it was recorded.
			return nil, problem.Unavailable("the article of the first request was deleted at the same time", problem.DefaultRetryAfter)
		}
	}
	if err != nil {
		s.abandon(ctx, r, err)
		return nil, err
	}
	recorded, err := r.complete(ctx, a.UID)
	if err != nil {
		return nil, err
	}
	if created && recorded != a.UID {
		// Between the beginning and the creation, a request at the same time has created an article, and that has been deleted.
		return nil, s.articles.deleteThis(ctx, a)
	}
	return a, nil
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
