package oauth_test

import (
	"context"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

// ofAccount has an account register the app.
func ofAccount(name string) func(*v1alpha1.OAuthClientSpec) {
	return func(spec *v1alpha1.OAuthClientSpec) { spec.AccountRef = &v1alpha1.AccountReference{Name: name} }
}

var _ = Describe("The registry", func() {
	ctx := context.Background()

	It("makes the secret itself, and keeps its hash alone", func() {
		theirs := fresh(credential.ClientSecret)
		a := newApp(func(spec *v1alpha1.OAuthClientSpec) { spec.SecretHashes = []string{theirs.Hash()} })
		secret, err := credential.Parse(a.secret)
		Expect(err).NotTo(HaveOccurred())
		Expect(secret.Type).To(Equal(credential.ClientSecret))
		Expect(a.Spec.SecretHashes).To(Equal([]string{secret.Hash()}), "a hash that was given does not count")
		Expect(a.ClientID()).To(Equal("pr_ci_" + a.Name))
		none := newApp(public, func(spec *v1alpha1.OAuthClientSpec) { spec.SecretHashes = []string{theirs.Hash()} })
		Expect(none.secret).To(BeEmpty())
		Expect(none.Spec.SecretHashes).To(BeEmpty())
	})

	It("lists, finds and deletes the apps of an account, and no others", func() {
		registry := oauth.NewRegistry(api, systemNamespace)
		one, two, foreign, ours := newApp(ofAccount("shop")), newApp(ofAccount("shop")), newApp(ofAccount("rival")), newApp()
		list, err := registry.List(ctx, "shop")
		Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, app := range list {
			names = append(names, app.Name)
		}
		Expect(names).To(ConsistOf(one.Name, two.Name))
		found, err := registry.Find(ctx, "shop", one.ClientID())
		Expect(err).NotTo(HaveOccurred())
		Expect(found.UID).To(Equal(one.UID))
		for _, id := range []string{foreign.ClientID(), ours.ClientID(), one.Name, "pr_ci_nobody", "pr_ci_../accounts/acme"} {
			_, err := registry.Find(ctx, "shop", id)
			Expect(err).To(MatchError(oauth.ErrUnknownClient), id)
		}
		Expect(registry.Delete(ctx, one.Name)).To(Succeed())
		Expect(registry.Delete(ctx, one.Name)).To(MatchError(oauth.ErrUnknownClient))
		_, _, err = registry.Rotate(ctx, one.Name)
		Expect(err).To(MatchError(oauth.ErrUnknownClient))
	})

	It("drops no secret that it has just shown, however many rotate at once", func() {
		a := newApp()
		var (
			mu    sync.Mutex
			wg    sync.WaitGroup
			shown []string
		)
		both := &rendezvous{Client: api}
		both.Add(2)
		for range 2 {
			wg.Go(func() {
				defer GinkgoRecover()
				_, secret, err := oauth.NewRegistry(both, systemNamespace).Rotate(ctx, a.Name)
				if err != nil {
					Expect(apierrors.IsConflict(err)).To(BeTrue(), "%v", err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				shown = append(shown, secret)
			})
		}
		wg.Wait()
		Expect(shown).To(HaveLen(1))
		Expect(a.asks(newReplica(blind{}), shown[0])).To(Equal(200))
	})
})

// rendezvous is an API server where those who read wait for each other.
type rendezvous struct {
	client.Client
	sync.WaitGroup
}

func (r *rendezvous) Get(ctx context.Context, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	err := r.Client.Get(ctx, key, into, opts...)
	r.Done()
	r.Wait()
	return err
}
