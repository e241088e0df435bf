package article

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// IsRepeated reports whether an earlier request with the same Idempotency-Key has created the article. The article may be gone.
func (s *Articles) IsRepeated(ctx context.Context, c *operation.Call, request operation.Request) (bool, error) {
	if request.Hash == "" {
		return false, nil
	}
	// Another article may have the name by now: the record decides then.
	if found, ok := s.Index.Get(c.Workspace, request.Name); ok && request.CheckRepeated(found.Object) == nil {
		return true, s.keepRecord(ctx, found.Object, request)
	}
	_, err := s.createdBefore(ctx, client.ObjectKey{Namespace: c.Workspace, Name: request.Name}, request)
	return err == nil, client.IgnoreNotFound(err)
}

// createdBefore returns the article that an earlier request with the same Idempotency-Key created, or nil if the article is gone. It
// returns an error for which apierrors.IsNotFound is true if there was no such request, and a conflict if the key was used for
// another request, or somebody else's article has the name. The article is read before its record: whatever has become of it since
// the request was completed, the record says that it was.
func (s *Articles) createdBefore(ctx context.Context, key client.ObjectKey, request operation.Request) (*v1alpha1.Article, error) {
	a, missing := s.get(ctx, key)
	if missing == nil {
		missing = request.CheckRepeated(a)
	}
	if missing == nil {
		return a, s.keepRecord(ctx, a, request)
	}
	if problem.IsUnavailable(missing) {
		return nil, missing
	}
	r, err := s.FindRecord(ctx, key.Namespace, request)
	switch {
	case err != nil:
		return nil, err
	case r != nil && r.Completed():
		return nil, nil
	default:
		return nil, missing
	}
}

// keepRecord completes the record of an article that an earlier request created, before a repeat is answered: the process of that
// request may have ended before it did, and once there is an answer no second article may be created.
func (s *Articles) keepRecord(ctx context.Context, a *v1alpha1.Article, request operation.Request) error {
	r, err := s.FindRecord(ctx, a.Namespace, request)
	if r == nil && err == nil {
		r, err = s.BeginRecord(ctx, a.Namespace, request)
	}
	if err != nil {
		return err
	}
	_, err = r.Complete(ctx, a.UID)
	return err
}

// CreateOnce creates an article, once under an Idempotency-Key. The article that is returned is nil if an earlier request has created
// it and it is gone. An error for which problem.IsUnavailable is false means that there is no article.
func (s *Articles) CreateOnce(ctx context.Context, a *v1alpha1.Article, request operation.Request) (*v1alpha1.Article, error) {
	if request.Hash == "" {
		return a, s.create(ctx, a)
	}
	r, err := s.BeginRecord(ctx, a.Namespace, request)
	if err != nil {
		return nil, err
	}
	if r.Completed() {
		operation.CallOf(ctx).Replayed()
		return s.createdBefore(ctx, client.ObjectKeyFromObject(a), request)
	}
	err = s.create(ctx, a)
	if apierrors.IsAlreadyExists(err) {
		return s.join(ctx, r, client.ObjectKeyFromObject(a), request)
	}
	if err != nil {
		r.Abandon(ctx, err)
		return nil, err
	}
	recorded, err := r.Complete(ctx, a.UID)
	if err != nil {
		return nil, err
	}
	if recorded != a.UID {
		// Between the beginning and the creation, a request at the same time has created an article, and that has been deleted.
		this := client.Preconditions{UID: &a.UID}
		err := s.Client.Delete(context.WithoutCancel(ctx), a, this, client.PropagationPolicy(metav1.DeletePropagationBackground))
		if apierrors.IsConflict(err) {
			err = nil
		}
		return nil, client.IgnoreNotFound(err)
	}
	return a, nil
}

// join ends a request whose article's name is taken: by the article of an earlier request with the same key, or by another one.
func (s *Articles) join(ctx context.Context, r *operation.Record, key client.ObjectKey,
	request operation.Request) (*v1alpha1.Article, error) {
	operation.CallOf(ctx).Replayed()
	a, err := s.createdBefore(ctx, key, request)
	if apierrors.IsNotFound(err) {
		// It has just been deleted: the repeat finds whether it was recorded.
		return nil, problem.Unavailable("the article of the first request was deleted at the same time", problem.DefaultRetryAfter)
	}
	if err != nil {
		r.Abandon(ctx, err)
	}
	return a, err
}

// create creates an article. The manager pressroom-apiserver owns its fields until a manifest takes them over.
func (s *Articles) create(ctx context.Context, a *v1alpha1.Article) error {
	return s.Client.Create(ctx, a, client.FieldOwner(operation.FieldManager))
}
