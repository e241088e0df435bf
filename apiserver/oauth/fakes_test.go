package oauth_test

import (
	"context"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// frozen is a cache that has a grant as it once was, and everything else as it is.
type frozen struct {
	client.Reader
	grant *v1alpha1.OAuthGrant
}

func (f frozen) Get(ctx context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	if grant, ok := into.(*v1alpha1.OAuthGrant); ok && key.Name == f.grant.Name {
		f.grant.DeepCopyInto(grant)
		return nil
	}
	return f.Reader.Get(ctx, key, into)
}

// grantOf returns the name of the grant of a code or a token.
func grantOf(of string) string {
	GinkgoHelper()
	c, err := credential.Parse(of)
	Expect(err).NotTo(HaveOccurred())
	return c.ID
}

// grantNow returns the grant of a code or a token.
func grantNow(of string) *v1alpha1.OAuthGrant {
	GinkgoHelper()
	grant := &v1alpha1.OAuthGrant{}
	key := client.ObjectKey{Namespace: systemNamespace, Name: grantOf(of)}
	Expect(api.Get(context.Background(), key, grant)).To(Succeed())
	return grant
}

// meddling is an API server where somebody else writes the conditions of a grant right after it was read for the first
// time.
type meddling struct {
	client.Client
	once sync.Once
}

func (m *meddling) Get(ctx context.Context, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	if err := m.Client.Get(ctx, key, into, opts...); err != nil {
		return err
	}
	grant, ok := into.(*v1alpha1.OAuthGrant)
	if !ok {
		return nil
	}
	var err error
	m.once.Do(func() {
		other := grant.DeepCopy()
		other.Status.Conditions = []metav1.Condition{{
			Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonAwaitingExchange,
			LastTransitionTime: metav1.NewTime(start),
		}}
		err = m.Client.Status().Patch(ctx, other, client.MergeFrom(grant))
	})
	return err
}
