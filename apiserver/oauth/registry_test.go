package oauth_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// ofAccount has an account register the client.
func ofAccount(name string) func(*v1alpha1.OAuthClientSpec) {
	return func(spec *v1alpha1.OAuthClientSpec) { spec.AccountRef = &v1alpha1.AccountReference{Name: name} }
}

var _ = Describe("The registry", func() {
	ctx := context.Background()

	It("makes the secret itself, and keeps its hash alone", func() {
		theirs := testkit.NewCredential(credential.ClientSecret)
		a := newClient(func(spec *v1alpha1.OAuthClientSpec) { spec.SecretHashes = []string{theirs.Hash()} })
		secret, err := credential.Parse(a.secret)
		Expect(err).NotTo(HaveOccurred())
		Expect(secret.Type).To(Equal(credential.ClientSecret))
		Expect(a.Spec.SecretHashes).To(Equal([]string{secret.Hash()}), "a hash that was given does not count")
		Expect(a.ClientID()).To(Equal("pr_ci_" + a.Name))
		none := newClient(public, func(spec *v1alpha1.OAuthClientSpec) { spec.SecretHashes = []string{theirs.Hash()} })
		Expect(none.secret).To(BeEmpty())
		Expect(none.Spec.SecretHashes).To(BeEmpty())
	})

	It("lists, finds and deletes the clients of an account, and no others", func() {
		registry := oauth.NewRegistry(api, credential.DefaultCell)
		one, two, foreign, ours := newClient(ofAccount("shop")), newClient(ofAccount("shop")), newClient(ofAccount("rival")), newClient()
		list, err := registry.List(ctx, "shop")
		Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, client := range list {
			names = append(names, client.Name)
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

	It("drops no secret that it has just shown where two rotate at once", func() {
		a := newClient()
		var wg sync.WaitGroup
		shown := make([]string, 2)
		both := &rendezvous{Client: api}
		both.wait.Add(len(shown))
		both.left.Store(int32(len(shown)))
		for i := range shown {
			wg.Go(func() {
				defer GinkgoRecover()
				_, secret, err := oauth.NewRegistry(both, credential.DefaultCell).Rotate(ctx, a.Name)
				Expect(err).NotTo(HaveOccurred())
				shown[i] = secret
			})
		}
		wg.Wait()
		for _, secret := range shown {
			Expect(a.introspect(newReplica(testkit.Blind{}), secret)).To(Equal(http.StatusOK))
		}
		Expect(a.introspect(newReplica(testkit.Blind{}), a.secret)).To(Equal(http.StatusUnauthorized))
	})

	It("gives a manifest for Git in place of rotating, with the client as it is and nothing of its own", func() {
		a := newClient()
		a.Labels = map[string]string{"team": "letters"}
		Expect(api.Update(ctx, a.OAuthClient)).To(Succeed())
		manifest, secret, err := oauth.NewRegistry(api, credential.DefaultCell).PrepareRotation(ctx, a.Name)
		Expect(err).NotTo(HaveOccurred())
		Expect(a.introspect(newReplica(testkit.Blind{}), secret)).To(Equal(http.StatusUnauthorized), "nothing is stored")
		Expect(manifest.ObjectMeta).To(Equal(metav1.ObjectMeta{Name: a.Name, Labels: a.Labels}))
		Expect(manifest.Spec.SecretHashes[1:]).To(Equal(a.Spec.SecretHashes))
		manifest.ResourceVersion = a.ResourceVersion
		Expect(api.Update(ctx, manifest)).To(Succeed())
		Expect(a.introspect(newReplica(testkit.Blind{}), secret)).To(Equal(http.StatusOK))
		_, _, err = oauth.NewRegistry(api, credential.DefaultCell).PrepareRotation(ctx, newClient(public).Name)
		Expect(err).To(MatchError(oauth.ErrPublic))
	})
})

// rendezvous is a kube-apiserver where the first who read wait for each other.
type rendezvous struct {
	client.Client
	left atomic.Int32
	wait sync.WaitGroup
}

func (r *rendezvous) Get(ctx context.Context, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	err := r.Client.Get(ctx, key, into, opts...)
	if r.left.Add(-1) >= 0 {
		r.wait.Done()
		r.wait.Wait()
	}
	return err
}
