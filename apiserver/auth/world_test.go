package auth_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// live reads from kube-apiserver, counts, and fails with an error that a spec sets.
type live struct {
	client.Reader
	calls   atomic.Int32
	failure error
}

func (l *live) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	l.calls.Add(1)
	if l.failure != nil {
		return l.failure
	}
	return l.Reader.Get(ctx, key, o, opts...)
}

// authenticator is an Authenticator with what a spec looks at.
type authenticator struct {
	*auth.Authenticator
	lookup *auth.Lookup
	live   *live
	clock  *clocktesting.FakePassiveClock
}

func newAuthenticator(cache client.Reader) *authenticator {
	d := &authenticator{live: &live{Reader: api}, clock: clocktesting.NewFakePassiveClock(start)}
	d.lookup = auth.NewLookup(cache, d.live, d.clock)
	d.Authenticator = &auth.Authenticator{Lookup: d.lookup, Clock: d.clock}
	return d
}

// try authenticates and forgets who it is.
func (d *authenticator) try(key string) error {
	_, err := d.Authenticate(context.Background(), key)
	return err
}

var accounts atomic.Int32

func newAccount() string {
	GinkgoHelper()
	a := &v1alpha1.Account{}
	a.Spec.Members = []v1alpha1.AccountMember{{Kind: v1alpha1.MemberUser, Name: "mara@acme.example", Scopes: auth.Scopes()}}
	a.Name = fmt.Sprintf("account-%d", accounts.Add(1))
	Expect(api.Create(context.Background(), a)).To(Succeed())
	return a.Name
}

// newKey creates an API key, changed before it is, and returns its object and the whole key.
func newKey(account string, change ...func(*v1alpha1.APIKey)) (*v1alpha1.APIKey, string) {
	GinkgoHelper()
	k, key := testkit.NewAPIKey(account, v1alpha1.ScopeRead)
	for _, f := range change {
		f(k)
	}
	Expect(api.Create(context.Background(), k)).To(Succeed())
	return k, key
}

// awaitSeen waits until the informers have seen an object.
func awaitSeen(objects ...client.Object) {
	GinkgoHelper()
	for _, o := range objects {
		Eventually(func() error {
			return informers.Get(context.Background(), client.ObjectKeyFromObject(o), o)
		}).Should(Succeed())
	}
}
