package account

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// countObjects counts once a minute, in the cache, what the account's workspaces have that its limits bound, and returns when to come
// again: next, or earlier.
func (r *Reconciler) countObjects(ctx context.Context, account *v1alpha1.Account, next time.Duration) (time.Duration, error) {
	objects := &account.Status.Objects
	due := usedInterval - r.Clock.Since(ptr.Deref(objects.CountTime, metav1.Time{}).Time)
	if due > 0 {
		return sooner(next, due), nil
	}
	workspaces, err := r.Workspaces(ctx, account.Name)
	if err != nil {
		return 0, err
	}
	var counted v1alpha1.AccountObjects
	for i := range workspaces {
		in := client.InNamespace(workspaces[i].Name)
		var posts v1alpha1.PostList
		var records metav1.PartialObjectMetadataList
		records.SetGroupVersionKind(internalv1alpha1.GroupVersion.WithKind("IdempotencyRecordList"))
		for _, list := range []client.ObjectList{&posts, &records} {
			if err := r.Client.List(ctx, list, in, client.UnsafeDisableDeepCopy); err != nil {
				return 0, fmt.Errorf("counting the objects of %s: %w", workspaces[i].Name, err)
			}
		}
		counted.Posts += int64(len(posts.Items))
		counted.IdempotencyRecords += int64(len(records.Items))
	}
	if counted.Posts != objects.Posts || counted.IdempotencyRecords != objects.IdempotencyRecords {
		counted.CountTime = new(metav1.NewTime(r.Clock.Now()))
		*objects = counted
	}
	return sooner(next, usedInterval), nil
}

// sooner returns the shorter of two waits, of which 0 is none.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}
