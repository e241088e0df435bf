package oauth_test

import (
	"context"
	"errors"
	"reflect"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// staleCache is a cache that has an object as it once was, and everything else as it is.
type staleCache struct {
	client.Reader
	object client.Object
}

func (f staleCache) Get(ctx context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	if reflect.TypeOf(into) == reflect.TypeOf(f.object) && key.Name == f.object.GetName() {
		reflect.ValueOf(into).Elem().Set(reflect.ValueOf(f.object.DeepCopyObject()).Elem())
		return nil
	}
	return f.Reader.Get(ctx, key, into)
}

// counting counts what is read of kube-apiserver.
type counting struct {
	client.Client
	reads atomic.Int32
}

func (c *counting) Get(ctx context.Context, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	c.reads.Add(1)
	return c.Client.Get(ctx, key, into, opts...)
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
	key := client.ObjectKey{Name: grantOf(of)}
	Expect(api.Get(context.Background(), key, grant)).To(Succeed())
	return grant
}

// interfering is a kube-apiserver where somebody does something right after a grant was read, for the first few times.
type interfering struct {
	client.Client
	left int
	do   func(*v1alpha1.OAuthGrant)
}

func (m *interfering) Get(ctx context.Context, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	if err := m.Client.Get(ctx, key, into, opts...); err != nil {
		return err
	}
	if grant, ok := into.(*v1alpha1.OAuthGrant); ok && m.left > 0 {
		m.left--
		m.do(grant.DeepCopy())
	}
	return nil
}

// readOnly is a kube-apiserver that takes no status.
func readOnly() client.Client {
	return interceptor.NewClient(cluster.Client, interceptor.Funcs{
		SubResourcePatch: func(context.Context, client.Client, string, client.Object, client.Patch, ...client.SubResourcePatchOption) error {
			return errors.New("etcdserver: no leader")
		},
	})
}

// writeConditions writes the conditions of a grant, as the controller does.
func writeConditions(grant *v1alpha1.OAuthGrant) {
	GinkgoHelper()
	before := grant.DeepCopy()
	grant.Status.Conditions = []metav1.Condition{{
		Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonAwaitingExchange,
		Message: grant.ResourceVersion, LastTransitionTime: metav1.NewTime(start),
	}}
	Expect(api.Status().Patch(context.Background(), grant, client.MergeFrom(before))).To(Succeed())
}
