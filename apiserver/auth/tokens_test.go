package auth_test

import (
	"context"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// newToken creates a grant whose code has been exchanged, with its client and its account, and returns its token.
func newToken() (*v1alpha1.OAuthGrant, string) {
	GinkgoHelper()
	return newTokenOf("mara@acme.example", newAccount(), v1alpha1.ScopeRead)
}

// newTokenBy is newToken with the scopes read and write, given by a person in an account.
func newTokenBy(person, account string) (*v1alpha1.OAuthGrant, string) {
	GinkgoHelper()
	return newTokenOf(person, account, v1alpha1.ScopeRead, v1alpha1.ScopeWrite)
}

func newTokenOf(person, account string, scopes ...v1alpha1.Scope) (*v1alpha1.OAuthGrant, string) {
	GinkgoHelper()
	return newTokenFor(nil, person, account, scopes...)
}

// newTokenFor is newTokenOf with a client that an account has registered, if it is not nil.
func newTokenFor(vendor *v1alpha1.Account, person, account string, scopes ...v1alpha1.Scope) (*v1alpha1.OAuthGrant, string) {
	GinkgoHelper()
	ctx, c := context.Background(), testkit.NewCredential(credential.AccessToken)
	oauthClient := &v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{
		DisplayName: "A tool", RedirectURIs: []string{"https://tool.example"}, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
		Type: v1alpha1.OAuthClientPublic,
	}}
	oauthClient.Name = "client-" + c.ID
	if vendor != nil {
		oauthClient.Spec.AccountRef = &v1alpha1.AccountReference{Name: vendor.Name}
	}
	Expect(api.Create(ctx, oauthClient)).To(Succeed())
	grant := &v1alpha1.OAuthGrant{Spec: v1alpha1.OAuthGrantSpec{
		ClientRef: v1alpha1.LocalReference{Name: oauthClient.Name}, AccountRef: v1alpha1.AccountReference{Name: account},
		Person: person, Groups: []string{"editors"}, Scopes: scopes, RedirectURI: "https://tool.example",
		CodeHash: strings.Repeat("0", 64), ExpirationTime: v1alpha1.NewMicroTime(start.Add(10 * time.Minute)),
	}}
	grant.Name = c.ID
	grant.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient", Name: oauthClient.Name, UID: oauthClient.UID,
	}}
	Expect(api.Create(ctx, grant)).To(Succeed())
	grant.Status.TokenHash = c.Hash()
	grant.Status.RedemptionTime = new(v1alpha1.NewMicroTime(start))
	grant.Status.TokenExpirationTime = new(v1alpha1.NewMicroTime(start.Add(time.Hour)))
	Expect(api.Status().Update(ctx, grant)).To(Succeed())
	return grant, c.Reveal()
}

var _ = Describe("A token", func() {
	It("opens what its grant says, without a call to kube-apiserver if the cache holds it", func() {
		grant, token := newToken()
		d := newAuthenticator(informers)
		Eventually(func() int32 {
			d.live.calls.Store(0)
			Expect(d.try(token)).To(Succeed())
			return d.live.calls.Load()
		}).Should(BeZero())
		p, err := d.Authenticate(context.Background(), token)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.ExpiresAt).To(BeTemporally("==", grant.Status.TokenExpirationTime.Time))
		p.ExpiresAt = time.Time{}
		Expect(p).To(Equal(auth.Principal{
			ID: grant.Name, Account: grant.Spec.AccountRef.Name, Name: "mara@acme.example (app " + grant.Spec.ClientRef.Name + ")",
			Client: grant.Spec.ClientRef.Name, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
		}))
	})

	It("is refused with another secret, in the cache and live, and junk without asking", func() {
		grant, token := newToken()
		other := testkit.NewCredential(credential.AccessToken)
		other.ID = grant.Name
		Expect(newAuthenticator(informers).try(other.Reveal())).To(refused)
		Expect(newAuthenticator(testkit.Blind{}).try(other.Reveal())).To(refused)
		d := newAuthenticator(testkit.Blind{})
		Expect(d.try(token[:len(token)-1] + "!")).To(refused)
		Expect(d.live.calls.Load()).To(BeZero())
	})

	It("is refused as a code and as a client secret", func() {
		grant, _ := newToken()
		for _, t := range []credential.Type{credential.AuthorizationCode, credential.ClientSecret} {
			c := testkit.NewCredential(t)
			c.ID = grant.Name
			Expect(newAuthenticator(testkit.Blind{}).try(c.Reveal())).To(refused)
		}
	})

	It("is refused where its grant does not say until when", func() {
		grant, token := newToken()
		grant.Status.TokenExpirationTime = nil
		Expect(api.Status().Update(context.Background(), grant)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused)
	})

	It("ends with its time, and not a moment before", func() {
		_, token := newToken()
		d := newAuthenticator(testkit.Blind{})
		d.clock.SetTime(start.Add(time.Hour - time.Microsecond))
		Expect(d.try(token)).To(Succeed())
		d.clock.SetTime(start.Add(time.Hour))
		Expect(d.try(token)).To(refused)
	})

	DescribeTable("ends while what it hangs on is being deleted", func(of func(*v1alpha1.OAuthGrant) client.Object) {
		ctx := context.Background()
		grant, token := newToken()
		o := of(grant)
		Expect(api.Get(ctx, client.ObjectKeyFromObject(o), o)).To(Succeed())
		o.SetFinalizers([]string{"example.com/wait"})
		Expect(api.Update(ctx, o)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(Succeed())
		Expect(api.Delete(ctx, o)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused)
	},
		Entry("its grant", func(g *v1alpha1.OAuthGrant) client.Object { return g }),
		Entry("its client", func(g *v1alpha1.OAuthGrant) client.Object {
			return &v1alpha1.OAuthClient{ObjectMeta: metav1.ObjectMeta{Namespace: g.Namespace, Name: g.Spec.ClientRef.Name}}
		}),
		Entry("its account", func(g *v1alpha1.OAuthGrant) client.Object {
			return &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: g.Spec.AccountRef.Name}}
		}),
	)

	It("that is made up for a code which was not exchanged yet is asked about once in two seconds, and only so often", func() {
		grant, _ := newToken()
		grant.Status = v1alpha1.OAuthGrantStatus{}
		Expect(api.Status().Update(context.Background(), grant)).To(Succeed())
		d, made := newAuthenticator(api), func() string {
			c := testkit.NewCredential(credential.AccessToken)
			c.ID = grant.Name
			return c.Reveal()
		}
		one := made()
		for range 20 {
			Expect(d.try(one)).To(refused)
		}
		Expect(d.live.calls.Load()).To(BeEquivalentTo(1))
		for range 600 {
			Expect(d.try(made())).To(Or(refused, MatchError(auth.ErrUnavailable)))
		}
		Expect(d.live.calls.Load()).To(BeEquivalentTo(500))
	})

	It("that was revoked before it was given costs no call to kube-apiserver", func() {
		grant, token := newToken()
		grant.Status = v1alpha1.OAuthGrantStatus{RevocationTime: new(v1alpha1.NewMicroTime(start))}
		Expect(api.Status().Update(context.Background(), grant)).To(Succeed())
		d := newAuthenticator(informers)
		// The cache may see it given before it sees it revoked.
		Eventually(func(g Gomega) {
			d.live.calls.Store(0)
			g.Expect(d.try(token)).To(refused)
			g.Expect(d.live.calls.Load()).To(BeZero())
		}).Should(Succeed())
	})
})
