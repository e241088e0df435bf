package operation

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// Record is one IdempotencyRecord. Records remember keyed requests for 24 hours, whatever becomes of what they create. An operation that
// creates an object under a key
//
//  1. begins a record, and answers like the first time if that is completed,
//  2. creates the object, under a name that is the same for the same key, so that requests at the same time meet AlreadyExists,
//  3. completes the record with the object's uid before it answers, or abandons it if there will be no object.
//
// If a process ends in between, the client has no answer, and its repeat goes on.
type Record struct {
	core   *Core
	Stored *internalv1alpha1.IdempotencyRecord
	// begun means that this request has created the record.
	begun bool
	// answer is kept for repeats when the record is completed; empty if the object itself answers them.
	answer string
	// place is what this request has taken of the account's limit; nil if something else counts it.
	place Place
}

// Completed reports whether an earlier request has created the object.
func (r *Record) Completed() bool { return r.Stored.Spec.ObjectUID != "" }

// FindRecord returns the record of a request; nil if there is none. It returns a conflict if the record is of another body.
func (s *Core) FindRecord(ctx context.Context, namespace string, request Request) (*Record, error) {
	stored := &internalv1alpha1.IdempotencyRecord{}
	err := s.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: request.Name}, stored)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if stored.Spec.RequestHash != request.Hash {
		return nil, problem.KeyReused()
	}
	return &Record{core: s, Stored: stored}, nil
}

// BeginRecord creates the record of a request, or returns the one that exists. It returns a conflict if that is of another body.
func (s *Core) BeginRecord(ctx context.Context, namespace string, request Request) (*Record, error) {
	for {
		stored := &internalv1alpha1.IdempotencyRecord{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: request.Name},
			Spec: internalv1alpha1.IdempotencyRecordSpec{
				Operation: request.Operation, RequestHash: request.Hash, Object: request.Name,
			},
		}
		err := s.Client.Create(ctx, stored, client.FieldOwner(FieldManager))
		if err == nil {
			return &Record{core: s, Stored: stored, begun: true}, nil
		}
		if !apierrors.IsAlreadyExists(err) {
			return nil, err
		}
		// A record that has been abandoned meanwhile is started again.
		if r, err := s.FindRecord(ctx, namespace, request); r != nil || err != nil {
			return r, err
		}
	}
}

// Complete records the uid of the object. It returns the uid that the record has then: that of another object if a request at
// the same time has completed it, and what this one created is one too many.
func (r *Record) Complete(ctx context.Context, uid types.UID) (types.UID, error) {
	request := Request{Name: r.Stored.Name, Operation: r.Stored.Spec.Operation, Hash: r.Stored.Spec.RequestHash}
	for !r.Completed() {
		changed := r.Stored.DeepCopy()
		changed.Complete(uid)
		changed.Keep(r.answer)
		unchanged := client.MergeFromWithOptions(r.Stored, client.MergeFromWithOptimisticLock{})
		err := r.core.Client.Patch(ctx, changed, unchanged, client.FieldOwner(FieldManager))
		if !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return uid, err
		}
		// The controller or a request at the same time has completed it, or a request has abandoned it.
		again, err := r.core.FindRecord(ctx, r.Stored.Namespace, request)
		if again == nil && err == nil {
			again, err = r.core.BeginRecord(ctx, r.Stored.Namespace, request)
		}
		if err != nil {
			return "", err
		}
		r.Stored = again.Stored
	}
	return types.UID(r.Stored.Spec.ObjectUID), nil
}

// Abandon deletes the record if this request has begun it and nothing was done for it: there will be no object, and a repeat starts again.
// If that is unknown or deleting fails, a repeat goes on with the record.
func (r *Record) Abandon(ctx context.Context, cause error) {
	if !r.begun || problem.IsUnavailable(cause) {
		return
	}
	r.Forget(ctx)
}

// Forget deletes the record, if it has not changed. If that fails, the controller deletes it after a day.
func (r *Record) Forget(ctx context.Context) {
	seen := client.Preconditions{UID: &r.Stored.UID, ResourceVersion: &r.Stored.ResourceVersion}
	if err := client.IgnoreNotFound(r.core.Client.Delete(context.WithoutCancel(ctx), r.Stored, seen)); err != nil {
		r.core.Log.Info("a record of an Idempotency-Key stays for a day",
			"record", client.ObjectKeyFromObject(r.Stored), "error", err.Error())
		return
	}
	if r.place != nil {
		r.place.Release()
	}
}
