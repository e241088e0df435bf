package base

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
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

// refusing is the client of a kube-apiserver that refuses to create anything.
type refusing struct {
	client.Client
	err error
}

// Create implements client.Client.
func (r refusing) Create(context.Context, client.Object, ...client.CreateOption) error { return r.err }

func TestOnlyADeletedWorkspaceLeavesNothingToCreate(t *testing.T) {
	terminating := apierrors.NewForbidden(schema.GroupResource{Resource: "posts"}, "shoes", errors.New("the namespace is being terminated"))
	terminating.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	for name, tt := range map[string]struct {
		err  error
		want bool
	}{
		"the namespace is being deleted": {terminating, true},
		"the namespace does not exist":   {apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, "acme-blog"), true},
		"the CRD is missing":             {apierrors.NewGenericServerResponse(404, "post", schema.GroupResource{}, "", "", 0, true), false},
		"a quota is used up":             {apierrors.NewForbidden(schema.GroupResource{Resource: "posts"}, "shoes", errors.New("exceeded quota")), false},
	} {
		t.Run(name, func(t *testing.T) {
			b := &Base{Client: refusing{err: tt.err}}
			err := b.Create(t.Context(), &v1alpha1.Post{})
			if !errors.Is(err, tt.err) || errors.Is(err, ErrDeleted) != tt.want {
				t.Errorf("%v, want deleted: %t", err, tt.want)
			}
		})
	}
}
