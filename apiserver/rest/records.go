package rest

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// keyedRequest is a request that came with an Idempotency-Key.
type keyedRequest struct {
	// namespace of its record, and name: a UUIDv5 of workspace, operation and key.
	namespace, name string
	// operation, such as generate, and hash of the body.
	operation, hash string
	// object is the name of what the operation creates or changes.
	object string
	// salt of the secret in the answer; empty if that has none.
	salt string
}

// errReplaced means that the record of a request was abandoned, and that another request has begun one of its own.
var errReplaced = errors.New("the record was replaced")

// records remember keyed requests for 24 hours, whatever becomes of what they create. An operation that creates or changes an
// object under a key
//
//  1. begins a record, and answers like the first time if that is completed,
//  2. creates the object, under a name that is the same for the same key, so that requests at the same time meet AlreadyExists,
//  3. completes the record with the object's uid before it answers, or abandons it if there will be no object.
//
// If a process ends in between, the client has no answer, and its repeat goes on.
type records struct {
	client  client.Client
	timeout time.Duration
}

// record is one IdempotencyRecord.
type record struct {
	records *records
	stored  *internalv1alpha1.IdempotencyRecord
	// begun means that this request has created the record.
	begun bool
}

// completed reports whether an earlier request has created the object.
func (r *record) completed() bool { return r.stored.Spec.ObjectUID != "" }

// find returns the record of a request; nil if there is none. It returns a conflict if the record is of another body.
func (s *records) find(ctx context.Context, request keyedRequest) (*record, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	stored := &internalv1alpha1.IdempotencyRecord{}
	err := s.client.Get(ctx, client.ObjectKey{Namespace: request.namespace, Name: request.name}, stored)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	if stored.Spec.RequestHash != request.hash {
		return nil, problem.Conflict("the Idempotency-Key was used for another request")
	}
	return &record{records: s, stored: stored}, nil
}

// begin creates the record of a request, or returns the one that exists. It returns a conflict if that is of another body.
func (s *records) begin(ctx context.Context, request keyedRequest) (*record, error) {
	for {
		r, err := s.create(ctx, request)
		if !apierrors.IsAlreadyExists(err) {
			return r, err
		}
		r, err = s.find(ctx, request)
		// A record that has been abandoned meanwhile is begun anew.
		if r != nil || err != nil {
			return r, err
		}
	}
}

func (s *records) create(ctx context.Context, request keyedRequest) (*record, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	stored := &internalv1alpha1.IdempotencyRecord{
		ObjectMeta: metav1.ObjectMeta{Namespace: request.namespace, Name: request.name},
		Spec: internalv1alpha1.IdempotencyRecordSpec{
			Operation: request.operation, RequestHash: request.hash, Object: request.object, Salt: request.salt,
		},
	}
	if err := s.client.Create(ctx, stored, client.FieldOwner(managerCreate)); err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	return &record{records: s, stored: stored, begun: true}, nil
}

// complete records the uid of the object. It returns the uid that the record has then: that of another object if a request at
// the same time has completed it, and what this one created is one too many. It returns errReplaced if the secret of this request is
// not the one of the record.
func (r *record) complete(ctx context.Context, uid types.UID) (types.UID, error) {
	request := keyedRequest{
		namespace: r.stored.Namespace, name: r.stored.Name,
		operation: r.stored.Spec.Operation, hash: r.stored.Spec.RequestHash, object: r.stored.Spec.Object, salt: r.stored.Spec.Salt,
	}
	for !r.completed() {
		err := r.records.setObject(ctx, r.stored, uid)
		if err == nil {
			break
		}
		var again *record
		switch {
		case apierrors.IsNotFound(err):
			// A request at the same time failed and abandoned it.
			again, err = r.records.create(ctx, request)
		case apierrors.IsConflict(err):
			again, err = r.records.find(ctx, request)
		}
		if again != nil {
			if again.stored.Spec.Salt != request.salt {
				return "", errReplaced
			}
			r.stored = again.stored
		} else if err != nil && !apierrors.IsAlreadyExists(err) {
			return "", err
		}
	}
	return types.UID(r.stored.Spec.ObjectUID), nil
}

// setObject writes the uid of the object, unless the record has changed since it was read.
func (s *records) setObject(ctx context.Context, stored *internalv1alpha1.IdempotencyRecord, uid types.UID) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	changed := stored.DeepCopy()
	changed.Complete(uid)
	patch := client.MergeFromWithOptions(stored, client.MergeFromWithOptimisticLock{})
	if err := s.client.Patch(ctx, changed, patch, client.FieldOwner(managerCreate)); err != nil {
		return problem.MarkUnreachable(err)
	}
	*stored = *changed
	return nil
}

// abandon deletes the record if this request has begun it: there will be no object, and a repeat begins anew. If that fails, a
// repeat goes on with the record.
func (r *record) abandon(ctx context.Context) error {
	if !r.begun {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.records.timeout)
	defer cancel()
	seen := client.Preconditions{UID: &r.stored.UID, ResourceVersion: &r.stored.ResourceVersion}
	return client.IgnoreNotFound(r.records.client.Delete(ctx, r.stored, seen))
}
