package oauth_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// ofAccount has an account register the client.
func ofAccount(name string) func(*v1alpha1.OAuthClientSpec) {
	return func(spec *v1alpha1.OAuthClientSpec) { spec.AccountRef = &v1alpha1.AccountReference{Name: name} }
}

var _ = Describe("The registry", func() {
	ctx := context.Background()

	It("makes the secret itself, and keeps its hash alone", func() {
		theirs := testkit.NewCredential(credential.ClientSecret)
		a := newClient(func(spec *v1alpha1.OAuthClientSpec) {
			spec.Secrets = []v1alpha1.OAuthClientSecret{{Hash: theirs.Hash()}}
		})
		secret, err := credential.Parse(a.secret)
		Expect(err).NotTo(HaveOccurred())
		Expect(secret.Type).To(Equal(credential.ClientSecret))
		Expect(a.Spec.Secrets).To(Equal([]v1alpha1.OAuthClientSecret{{Hash: secret.Hash()}}), "a hash that was given does not count")
		Expect(a.ClientID()).To(Equal("pr_ci_" + a.Name))
		none := newClient(public, func(spec *v1alpha1.OAuthClientSpec) {
			spec.Secrets = []v1alpha1.OAuthClientSecret{{Hash: theirs.Hash()}}
		})
		Expect(none.secret).To(BeEmpty())
		Expect(none.Spec.Secrets).To(BeEmpty())
	})

	It("lists, finds and deletes the clients of an account, and no others", func() {
		registry := registryOf(api)
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
		_, _, err = registry.Rotate(ctx, one.Name, overlap)
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
				_, secret, err := registryOf(both).Rotate(ctx, a.Name, overlap)
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

	It("ends the overlap of a rotation, and never later than the secret would have ended", func() {
		a := newClient()
		works := func(secret string, at time.Time) int {
			GinkgoHelper()
			r := newReplica(testkit.Blind{})
			r.clock.SetTime(at)
			return a.introspect(r, secret)
		}
		_, second, err := registryOf(api).Rotate(ctx, a.Name, time.Hour)
		Expect(err).NotTo(HaveOccurred())
		Expect(works(a.secret, start.Add(time.Hour-time.Second))).To(Equal(http.StatusOK))
		Expect(works(a.secret, start.Add(time.Hour))).To(Equal(http.StatusUnauthorized))
		Expect(works(second, start.AddDate(9, 0, 0))).To(Equal(http.StatusOK))

		stored := &v1alpha1.OAuthClient{}
		Expect(api.Get(ctx, client.ObjectKeyFromObject(a.OAuthClient), stored)).To(Succeed())
		soon := v1alpha1.NewTime(start.Add(time.Minute))
		for i := range stored.Spec.Secrets {
			stored.Spec.Secrets[i].ExpirationTime = &soon
		}
		Expect(api.Update(ctx, stored)).To(Succeed())
		_, third, err := registryOf(api).Rotate(ctx, a.Name, time.Hour)
		Expect(err).NotTo(HaveOccurred())
		Expect(works(second, start.Add(time.Minute))).To(Equal(http.StatusUnauthorized))

		_, _, err = registryOf(api).Rotate(ctx, a.Name, 0)
		Expect(err).NotTo(HaveOccurred())
		Expect(works(third, start)).To(Equal(http.StatusUnauthorized), "there is no overlap after a leak")
	})

	It("gives a manifest for Git in place of rotating, with the client as it is and nothing of its own", func() {
		a := newClient()
		a.Labels = map[string]string{"team": "letters"}
		Expect(api.Update(ctx, a.OAuthClient)).To(Succeed())
		manifest, secret, err := registryOf(api).PrepareRotation(ctx, a.Name, overlap)
		Expect(err).NotTo(HaveOccurred())
		Expect(a.introspect(newReplica(testkit.Blind{}), secret)).To(Equal(http.StatusUnauthorized), "nothing is stored")
		Expect(manifest.ObjectMeta).To(Equal(metav1.ObjectMeta{Name: a.Name, Labels: a.Labels}))
		Expect(manifest.Spec.Secrets).To(HaveLen(2))
		Expect(manifest.Spec.Secrets[1].Hash).To(Equal(a.Spec.Secrets[0].Hash))
		manifest.ResourceVersion = a.ResourceVersion
		Expect(api.Update(ctx, manifest)).To(Succeed())
		Expect(a.introspect(newReplica(testkit.Blind{}), secret)).To(Equal(http.StatusOK))
		_, _, err = registryOf(api).PrepareRotation(ctx, newClient(public).Name, overlap)
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
