package auth_test

import (
	"context"
	"errors"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// refused matches the one error that gives no hint.
var refused = BeIdenticalTo(auth.ErrUnauthorized)

// newKnownKey creates a key that the informers have seen, with its account.
func newKnownKey(change ...func(*v1alpha1.APIKey)) (*v1alpha1.APIKey, string) {
	GinkgoHelper()
	k, key := newKey(newAccount(), change...)
	awaitSeen(k)
	account := &v1alpha1.Account{}
	account.Name = k.Spec.AccountRef.Name
	awaitSeen(account)
	return k, key
}

var _ = Describe("A key that the cache holds", func() {
	It("opens what it says, without a call to kube-apiserver", func() {
		k, key := newKnownKey(func(k *v1alpha1.APIKey) {
			k.Spec.DisplayName = "Mara's laptop"
			k.Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeApprove}
			k.Spec.Workspaces = []string{"acme-blog"}
		})
		d := newAuthenticator(informers)
		p, err := d.Authenticate(context.Background(), key)
		Expect(err).NotTo(HaveOccurred())
		Expect(p).To(Equal(auth.Principal{
			ID: k.Name, KeyUID: k.UID, Account: k.Spec.AccountRef.Name, Name: "Mara's laptop (api-key:" + k.Name + ")",
			Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeApprove}, Workspaces: []string{"acme-blog"},
		}))
		Expect(d.live.calls.Load()).To(BeZero())
		Expect(p.Has(v1alpha1.ScopeApprove)).To(BeTrue())
		Expect(p.Has(v1alpha1.ScopeWrite)).To(BeFalse())
		Expect(p.Opens("acme-blog")).To(BeTrue())
		Expect(p.Opens("acme-shop")).To(BeFalse())
	})

	It("has a name for reviews and opens every workspace where it says nothing", func() {
		k, key := newKnownKey()
		p, err := newAuthenticator(informers).Authenticate(context.Background(), key)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Name).To(Equal("api-key:" + k.Name))
		Expect(p.Opens("acme-shop")).To(BeTrue())
	})

	It("works until its time and not a moment longer", func() {
		_, key := newKnownKey(func(k *v1alpha1.APIKey) { k.Spec.ExpirationTime = &v1alpha1.Time{Time: start.Add(time.Hour)} })
		d := newAuthenticator(informers)
		d.clock.SetTime(start.Add(time.Hour - time.Nanosecond))
		Expect(d.try(key)).To(Succeed())
		d.clock.SetTime(start.Add(time.Hour))
		Expect(d.try(key)).To(refused)
	})

	It("works on while kube-apiserver is unavailable", func() {
		_, key := newKnownKey()
		d := newAuthenticator(informers)
		d.live.failure = errors.New("connection refused")
		Expect(d.try(key)).To(Succeed())
	})

	It("ends as soon as the informers see it deleted", func() {
		k, key := newKnownKey()
		d := newAuthenticator(informers)
		Expect(d.try(key)).To(Succeed())
		Expect(api.Delete(context.Background(), k)).To(Succeed())
		Eventually(func() error { return d.try(key) }).Should(refused)
	})

	It("ends while it is being deleted", func() {
		k, key := newKnownKey(func(k *v1alpha1.APIKey) { k.Finalizers = []string{"example.com/wait"} })
		Expect(api.Delete(context.Background(), k)).To(Succeed())
		Eventually(func() error { return newAuthenticator(informers).try(key) }).Should(refused)
	})

	It("ends with its account", func() {
		k, key := newKnownKey()
		account := &v1alpha1.Account{}
		account.Name = k.Spec.AccountRef.Name
		d := newAuthenticator(informers)
		Expect(d.try(key)).To(Succeed())
		Expect(api.Delete(context.Background(), account)).To(Succeed())
		Eventually(func() error { return d.try(key) }).Should(refused)
	})
})

var _ = Describe("What opens nothing", func() {
	It("is refused without a call to kube-apiserver if it is junk", func() {
		_, key := newKnownKey()
		d := newAuthenticator(testkit.Blind{})
		for _, junk := range []string{"", "junk", key[:len(key)-1], key[:len(key)-1] + "!", key + " "} {
			Expect(d.try(junk)).To(refused)
		}
		Expect(d.live.calls.Load()).To(BeZero())
	})

	It("is refused with the right id and another secret, in the cache and live", func() {
		k, _ := newKnownKey()
		other := testkit.NewCredential(credential.APIKey)
		other.ID = k.Name
		Expect(newAuthenticator(informers).try(other.Reveal())).To(refused)
		Expect(newAuthenticator(testkit.Blind{}).try(other.Reveal())).To(refused)
	})

	It("is refused where it is a credential for something else", func() {
		for _, t := range []credential.Type{credential.AccessToken, credential.AuthorizationCode, credential.ClientSecret} {
			c := testkit.NewCredential(t)
			newKeyOf(c)
			Expect(newAuthenticator(testkit.Blind{}).try(c.Reveal())).To(refused)
		}
	})

	It("is refused where the account never existed", func() {
		_, key := newKey("nobody")
		Expect(newAuthenticator(testkit.Blind{}).try(key)).To(refused)
	})
})

// newKeyOf creates an API key with the id and the secret of any credential.
func newKeyOf(c credential.Credential) {
	GinkgoHelper()
	newKey(newAccount(), func(k *v1alpha1.APIKey) { k.Name, k.Spec.SecretHash = c.ID, c.Hash() })
}

var _ = Describe("A key that the cache has not seen", func() {
	It("works at once", func() {
		_, key := newKey(newAccount())
		d := newAuthenticator(testkit.Blind{})
		Expect(d.try(key)).To(Succeed())
		Expect(d.live.calls.Load()).To(BeEquivalentTo(2), "calls: the key and its account")
	})

	It("is asked for once by requests that come together", func() {
		_, key := newKey(newAccount())
		d := newAuthenticator(testkit.Blind{})
		var wg sync.WaitGroup
		for range 200 {
			wg.Go(func() {
				defer GinkgoRecover()
				Expect(d.try(key)).To(Succeed())
			})
		}
		wg.Wait()
		Expect(d.live.calls.Load()).To(BeNumerically("<", 200), "calls for 200 requests")
	})

	It("is asked for once in two seconds where it does not exist", func() {
		c := testkit.NewCredential(credential.APIKey)
		d := newAuthenticator(testkit.Blind{})
		for range 50 {
			Expect(d.try(c.Reveal())).To(refused)
		}
		Expect(d.live.calls.Load()).To(BeEquivalentTo(1))
		d.clock.SetTime(start.Add(2*time.Second + time.Millisecond))
		Expect(d.try(c.Reveal())).To(refused)
		Expect(d.live.calls.Load()).To(BeEquivalentTo(2))
	})

	It("works as soon as the informers see it, even where it was asked for too early", func() {
		c := testkit.NewCredential(credential.APIKey)
		d := newAuthenticator(informers)
		Expect(d.try(c.Reveal())).To(refused)
		newKeyOf(c)
		Eventually(func() error { return d.try(c.Reveal()) }).Should(Succeed())
	})

	DescribeTable("is not judged while kube-apiserver does not answer", func(failure error) {
		_, key := newKey(newAccount())
		d := newAuthenticator(testkit.Blind{})
		d.live.failure = failure
		Expect(d.try(key)).To(And(MatchError(auth.ErrUnavailable), MatchError(failure)))
		d.live.failure = nil
		Expect(d.try(key)).To(Succeed(), "that it failed is not remembered")
	},
		Entry("because it is away", errors.New("connection refused")),
		Entry("because it is overloaded", apierrors.NewTooManyRequests("later", 1)),
		Entry("because it does not let us", apierrors.NewForbidden(v1alpha1.GroupVersion.WithResource("apikeys").GroupResource(), "k", nil)),
	)

	It("does not hold up a request that has given up", func() {
		_, key := newKey(newAccount())
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		d := newAuthenticator(testkit.Blind{})
		d.live.Reader = stuck{}
		_, err := d.Authenticate(ctx, key)
		Expect(err).To(MatchError(auth.ErrUnavailable))
	})
})

// held is a kube-apiserver that answers when it is let go, and notes what came of it.
type held struct {
	client.Reader
	asked, letGo chan struct{}
	done         chan error
}

func (h held) Get(ctx context.Context, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
	close(h.asked)
	<-h.letGo
	err := h.Reader.Get(ctx, key, o, opts...)
	h.done <- err
	return err
}

var _ = Describe("A question to kube-apiserver", func() {
	It("goes on for others where the request that asked first has given up", func() {
		_, key := newKey(newAccount())
		ctx, cancel := context.WithCancel(context.Background())
		d := newAuthenticator(testkit.Blind{})
		h := held{Reader: api, asked: make(chan struct{}), letGo: make(chan struct{}), done: make(chan error, 1)}
		d.live.Reader = h
		gaveUp := make(chan error, 1)
		go func() {
			_, err := d.Authenticate(ctx, key)
			gaveUp <- err
		}()
		Eventually(h.asked).Should(BeClosed())
		cancel()
		Eventually(gaveUp).Should(Receive(MatchError(auth.ErrUnavailable)))
		close(h.letGo)
		Eventually(h.done).Should(Receive(BeNil()))
	})
})

// stuck is a kube-apiserver that does not answer.
type stuck struct{ client.Reader }

func (stuck) Get(ctx context.Context, _ client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
	<-ctx.Done()
	return ctx.Err()
}

var _ = Describe("A flood of credentials that do not exist", func() {
	It("reaches kube-apiserver only so often, and locks out nobody whom the cache knows", func() {
		_, key := newKnownKey()
		d := newAuthenticator(informers)
		unavailable := 0
		for range 1000 {
			err := d.try(testkit.NewCredential(credential.APIKey).Reveal())
			if errors.Is(err, auth.ErrUnavailable) {
				unavailable++
			} else {
				Expect(err).To(refused)
			}
		}
		Expect(d.live.calls.Load()).To(BeEquivalentTo(500))
		Expect(unavailable).To(Equal(500))
		Expect(d.try(key)).To(Succeed())
		d.clock.SetTime(start.Add(time.Second))
		Expect(d.try(testkit.NewCredential(credential.APIKey).Reveal())).To(refused)
	})
})

var _ = Describe("Registering", func() {
	It("makes it known when the cache has everything", func() {
		d := newAuthenticator(informers)
		Expect(d.lookup.HasSynced()).To(BeFalse())
		Expect(d.lookup.Register(context.Background(), informers)).To(Succeed())
		Eventually(d.lookup.HasSynced).Should(BeTrue())
	})
})
