package testkit

import (
	"context"
	"crypto/rand"
	"encoding/base64"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// SessionKey makes a key that seals sessions, as a line of a key file.
func SessionKey() string {
	key := make([]byte, 32)
	rand.Read(key)
	return base64.StdEncoding.EncodeToString(key)
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

// NewWorkspace returns the namespace of a workspace of an account.
func NewWorkspace(name, account string) *corev1.Namespace {
	n := &corev1.Namespace{}
	n.Name, n.Labels = name, map[string]string{v1alpha1.AccountLabel: account}
	return n
}

// NewAPIKey returns an API key of an account, and what its holder has. It is not created yet.
func NewAPIKey(account string, scopes ...v1alpha1.Scope) (object *v1alpha1.APIKey, key string) {
	GinkgoHelper()
	c := NewCredential(credential.APIKey)
	object = &v1alpha1.APIKey{Spec: v1alpha1.APIKeySpec{
		AccountRef: v1alpha1.AccountReference{Name: account}, SecretHash: c.Hash(), Scopes: scopes,
	}}
	object.Name = c.ID
	return object, c.Reveal()
}

// NewCredential makes a credential of a type.
func NewCredential(t credential.Type) credential.Credential {
	GinkgoHelper()
	c, err := credential.New(t, credential.DefaultCell, rand.Reader)
	Expect(err).NotTo(HaveOccurred())
	return c
}
