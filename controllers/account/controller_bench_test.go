package account_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/account"
	"github.com/pressroom-dev/pressroom/controllers/base"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// accountOf is a cache with an account that has one workspace with some Posts, copied into lists as that of the manager copies them.
type accountOf struct {
	client.Client
	account *v1alpha1.Account
	posts   []v1alpha1.Post
	lists   int
}

func (c *accountOf) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	switch o := obj.(type) {
	case *v1alpha1.Account:
		c.account.DeepCopyInto(o)
	case *v1alpha1.AccountLedger:
		o.Name = key.Name
	default:
		return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
	}
	return nil
}

func (c *accountOf) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	switch l := list.(type) {
	case *v1alpha1.PostList:
		c.lists++
		l.Items = make([]v1alpha1.Post, len(c.posts))
		copy(l.Items, c.posts)
	case *metav1.PartialObjectMetadataList:
		if l.Kind == "NamespaceList" || l.Kind == "Namespace" {
			l.Items = []metav1.PartialObjectMetadata{{ObjectMeta: metav1.ObjectMeta{Name: "acme-blog"}}}
		}
	}
	return nil
}

// Status implements client.Client.
func (c *accountOf) Status() client.SubResourceWriter { return accountStatus{c} }

type accountStatus struct{ of *accountOf }

func (accountStatus) Create(context.Context, client.Object, client.Object, ...client.SubResourceCreateOption) error {
	return nil
}

func (s accountStatus) Update(_ context.Context, obj client.Object, _ ...client.SubResourceUpdateOption) error {
	s.of.account = obj.(*v1alpha1.Account).DeepCopy()
	return nil
}

func (accountStatus) Patch(context.Context, client.Object, client.Patch, ...client.SubResourcePatchOption) error {
	return nil
}

func (accountStatus) Apply(context.Context, runtime.ApplyConfiguration, ...client.SubResourceApplyOption) error {
	return nil
}

// BenchmarkCharges reconciles an account with 20,000 Posts after each of 40 charges, one each second.
func BenchmarkCharges(b *testing.B) {
	clock := clocktesting.NewFakeClock(Started)
	c := &accountOf{account: &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{
		Name: "acme", Annotations: map[string]string{v1alpha1.UIDAnnotation: "1"},
	}}}
	for i := range 20_000 {
		c.posts = append(c.posts, v1alpha1.Post{ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: strconv.Itoa(i)}})
	}
	r := &account.Reconciler{Base: base.Base{Client: c, Live: c, Clock: clock}}
	reconcile := func() {
		if _, err := r.Reconcile(b.Context(), Request(client.ObjectKey{Name: "acme"})); err != nil {
			b.Fatal(err)
		}
	}
	reconcile()
	clock.Step(10 * time.Minute) // The numbers have been the same since.
	b.ReportAllocs()
	for b.Loop() {
		c.lists = 0
		for range 40 {
			reconcile()
			clock.Step(time.Second)
		}
	}
	b.ReportMetric(float64(c.lists), "lists")
}
