package base

import (
	"context"
	"testing"
	"testing/synctest"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// unsynced is the client of a cache that has not read its objects yet: a read waits for them.
type unsynced struct{ client.Client }

// Get implements client.Client.
func (unsynced) Get(ctx context.Context, _ client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
	<-ctx.Done()
	return ctx.Err()
}

// A controller that is stopped while it starts did not stop before its grace was over.
func TestTheOrderOfAQueueDoesNotWaitForTheCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &Base{Client: unsynced{}}
		if got := b.QueueAccount("acme-blog"); got != "acme-blog" {
			t.Errorf("the account is %q, want the namespace", got)
		}
	})
}
