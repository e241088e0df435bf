package base

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// +kubebuilder:rbac:groups=internal.pressroom.dev,resources=idempotencyrecords,verbs=get;create;patch

// BindRequest binds the Idempotency-Key that an article was created with to the article, in the record of the key, before the article
// is charged or gets a revision. Two requests at the same time can create an article each, if the first article is deleted in between
// or a process ends. The record names one of them permanently; for the others, BindRequest returns a *lifecycle.BlockedError for which
// IsRepeated holds. It returns another one if kube-apiserver refuses the record.
func (b *Base) BindRequest(ctx context.Context, a *v1alpha1.Article) error {
	if a.Annotations[v1alpha1.RequestHashAnnotation] == "" || !lifecycle.Unknown(a) {
		return nil
	}
	repeated := func(c metav1.Condition) bool { return c.Reason == v1alpha1.ReasonRequestRepeated }
	if slices.ContainsFunc(a.Status.Conditions, repeated) {
		return requestRepeated()
	}
	for {
		record := &internalv1alpha1.IdempotencyRecord{}
		err := b.Live.Get(ctx, client.ObjectKeyFromObject(a), record)
		if apierrors.IsNotFound(err) {
			err = b.recordRequest(ctx, a)
		} else if err == nil {
			err = b.completeRecord(ctx, a, record)
		}
		if !apierrors.IsAlreadyExists(err) && !apierrors.IsConflict(err) {
			return err
		}
	}
}

// completeRecord writes an article into a record, unless the record names another one. A record that was restored from a backup names
// the uid that the article had before.
func (b *Base) completeRecord(ctx context.Context, a *v1alpha1.Article, record *internalv1alpha1.IdempotencyRecord) error {
	switch record.Spec.ObjectUID {
	case string(a.UID):
		return nil
	case "":
	default:
		if v1alpha1.Copied(record) {
			return nil
		}
		return requestRepeated()
	}
	if record.Spec.RequestHash != a.Annotations[v1alpha1.RequestHashAnnotation] {
		return nil
	}
	old := record.DeepCopy()
	record.Complete(a.UID)
	err := b.Client.Patch(ctx, record, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{}))
	if apierrors.IsNotFound(err) {
		return CacheBehind("idempotencyrecords", record.Name)
	}
	if err != nil {
		return b.requestRefused(fmt.Errorf("completing the record of a request: %w", err))
	}
	return nil
}

// recordRequest creates the record of an article again if it is missing: a request with the same key at the same time was refused, and
// has deleted it. A day after the article was created, it does nothing.
func (b *Base) recordRequest(ctx context.Context, a *v1alpha1.Article) error {
	if b.Clock.Since(a.CreationTimestamp.Time) >= RecordRetention {
		return nil
	}
	record := &internalv1alpha1.IdempotencyRecord{
		ObjectMeta: metav1.ObjectMeta{Namespace: a.Namespace, Name: a.Name},
		Spec: internalv1alpha1.IdempotencyRecordSpec{
			Operation: "create", RequestHash: a.Annotations[v1alpha1.RequestHashAnnotation], Object: a.Name, ObjectUID: string(a.UID),
		},
	}
	if lifecycle.MakingOf(a, nil) == lifecycle.RunDue {
		record.Spec.Operation = "generate"
	}
	if err := b.Create(ctx, record); err != nil {
		return b.requestRefused(fmt.Errorf("recording the request of an article: %w", err))
	}
	return nil
}

// requestRefused returns the error for a record that was not written.
func (b *Base) requestRefused(err error) error {
	return b.BlockedIfRefused(err, v1alpha1.ReasonRequestRefused, "IdempotencyRecord of the article's request")
}

// IsRepeated reports whether an error says that another Article was created with the same Idempotency-Key.
func IsRepeated(err error) bool {
	blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
	return ok && blocked.Reason == v1alpha1.ReasonRequestRepeated
}

func requestRepeated() *lifecycle.BlockedError {
	return &lifecycle.BlockedError{Reason: v1alpha1.ReasonRequestRepeated,
		Message: "another Article was created with the same Idempotency-Key; " +
			"delete this one, or remove its annotation " + v1alpha1.RequestHashAnnotation + " to go on with it"}
}

// RecordRetention is how long an Idempotency-Key is remembered.
const RecordRetention = 24 * time.Hour
