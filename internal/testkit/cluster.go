package testkit

import (
	"context"
	"crypto/rand"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/internal/credential"
)

// Blind is a cache whose informers have seen nothing yet.
type Blind struct{ client.Reader }

// Get finds nothing.
func (Blind) Get(_ context.Context, key client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
	return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}

// BeginDelete deletes an object that a finalizer holds, so that it exists and is being deleted until the spec ends.
func BeginDelete(c client.Client, o client.Object) {
	GinkgoHelper()
	ctx := context.Background()
	o.SetFinalizers([]string{"example.com/wait"})
	Expect(c.Update(ctx, o)).To(Succeed())
	Expect(c.Delete(ctx, o)).To(Succeed())
	DeferCleanup(func() error {
		if err := c.Get(ctx, client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		o.SetFinalizers(nil)
		return c.Update(ctx, o)
	})
}

// NewCredential makes a credential of a type.
func NewCredential(t credential.Type) credential.Credential {
	GinkgoHelper()
	c, err := credential.New(t, rand.Reader)
	Expect(err).NotTo(HaveOccurred())
	return c
}
