package auth_test

import (
	"context"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// within is how soon a token ends with what it stands on.
const within = 2 * time.Second

var _ = Describe("The token of a grant that was given with an API key", func() {
	ctx := context.Background()

	It("ends within 2 seconds of the key's deletion", func() {
		key, _ := newKey(newAccount())
		_, token := newTokenBy("api-key:"+key.Name, key.Spec.AccountRef.Name)
		d := newAuthenticator(informers)
		Eventually(func() error { return d.try(token) }).Should(Succeed())
		Expect(api.Delete(ctx, key)).To(Succeed())
		Eventually(func() error { return d.try(token) }, within).Should(refused)
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused, "a replica that has just started")
	})

	It("ends while the key is being deleted", func() {
		key, _ := newKey(newAccount())
		_, token := newTokenBy("api-key:"+key.Name, key.Spec.AccountRef.Name)
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(Succeed())
		testkit.BeginDelete(api, key)
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused)
	})

	It("outlives the key's expiry, for the 365 days of the contract", func() {
		key, given := newKey(newAccount(), func(k *v1alpha1.APIKey) { k.Spec.ExpirationTime = &v1alpha1.Time{Time: start.Add(-time.Minute)} })
		_, token := newTokenBy("api-key:"+key.Name, key.Spec.AccountRef.Name)
		d := newAuthenticator(testkit.Blind{})
		Expect(d.try(given)).To(refused)
		Expect(d.try(token)).To(Succeed())
	})

	It("is not that of a key of another account, or with another id", func() {
		key, _ := newKey(newAccount())
		_, token := newTokenBy("api-key:"+key.Name, newAccount())
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused)
		_, token = newTokenBy("api-key:bbbbbbbbbbbbbbbb", key.Spec.AccountRef.Name)
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused)
	})

	It("has no more than the key has now", func() {
		key, _ := newKey(newAccount(), func(k *v1alpha1.APIKey) { k.Spec.Scopes = auth.Scopes() })
		_, token := newTokenBy("api-key:"+key.Name, key.Spec.AccountRef.Name)
		p, err := newAuthenticator(testkit.Blind{}).Authenticate(ctx, token)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Scopes).To(Equal([]v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}))
		Expect(p.Opens("anywhere")).To(BeTrue())

		key.Spec.Scopes, key.Spec.Workspaces = []v1alpha1.Scope{v1alpha1.ScopeRead}, []string{"acme-blog"}
		Expect(api.Update(ctx, key)).To(Succeed())
		p, err = newAuthenticator(testkit.Blind{}).Authenticate(ctx, token)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Scopes).To(Equal([]v1alpha1.Scope{v1alpha1.ScopeRead}))
		Expect(p.Workspaces).To(Equal([]string{"acme-blog"}))

		key.Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeApprove}
		Expect(api.Update(ctx, key)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused, "nothing is left of what was granted")
	})
})

var _ = Describe("The token of a grant that a member gave", func() {
	ctx := context.Background()
	change := func(account string, members ...v1alpha1.AccountMember) {
		GinkgoHelper()
		a := &v1alpha1.Account{}
		Expect(api.Get(ctx, client.ObjectKey{Name: account}, a)).To(Succeed())
		a.Spec.Members = members
		Expect(api.Update(ctx, a)).To(Succeed())
	}

	It("ends within 2 seconds of the membership's end", func() {
		grant, token := newToken()
		d := newAuthenticator(informers)
		Eventually(func() error { return d.try(token) }).Should(Succeed())
		change(grant.Spec.AccountRef.Name, v1alpha1.AccountMember{Kind: v1alpha1.MemberUser, Name: "other@acme.example", Scopes: auth.Scopes()})
		Eventually(func() error { return d.try(token) }, within).Should(refused)
	})

	It("lasts while the account names the person or one of the groups that made them a member", func() {
		grant, token := newTokenBy("mara@acme.example", newAccount())
		account := grant.Spec.AccountRef.Name
		change(account, v1alpha1.AccountMember{Kind: v1alpha1.MemberGroup, Name: "editors", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}})
		p, err := newAuthenticator(testkit.Blind{}).Authenticate(ctx, token)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Scopes).To(Equal([]v1alpha1.Scope{v1alpha1.ScopeRead}), "and has the rights of that entry")
		change(account, v1alpha1.AccountMember{Kind: v1alpha1.MemberGroup, Name: "board", Scopes: auth.Scopes()})
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused)
		change(account, v1alpha1.AccountMember{Kind: v1alpha1.MemberUser, Name: "mara@acme.example", Scopes: auth.Scopes()})
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(Succeed())
	})
})

var _ = Describe("An account that is made again under the name of an earlier one", func() {
	ctx := context.Background()

	It("brings no key and no token of the earlier one back", func() {
		k, key := newKey(newAccount())
		g, token := newTokenBy("mara@acme.example", k.Spec.AccountRef.Name)
		a := &v1alpha1.Account{}
		Expect(api.Get(ctx, client.ObjectKey{Name: k.Spec.AccountRef.Name}, a)).To(Succeed())
		// The controller writes this when it first sees the two together.
		k.Status.AccountUID, g.Status.AccountUID = string(a.UID), string(a.UID)
		Expect(api.Status().Update(ctx, k)).To(Succeed())
		Expect(api.Status().Update(ctx, g)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(key)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(Succeed())

		Expect(api.Delete(ctx, a)).To(Succeed())
		a.ResourceVersion, a.UID = "", ""
		Expect(api.Create(ctx, a)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(key)).To(refused)
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused)
		other, fresh := newKey(a.Name)
		Expect(newAuthenticator(testkit.Blind{}).try(fresh)).To(Succeed(), other.Name)
	})
})

var _ = Describe("The token of a client", func() {
	ctx := context.Background()
	clientOf := func(g *v1alpha1.OAuthGrant) *v1alpha1.OAuthClient {
		GinkgoHelper()
		c := &v1alpha1.OAuthClient{}
		Expect(api.Get(ctx, client.ObjectKey{Name: g.Spec.ClientRef.Name}, c)).To(Succeed())
		return c
	}

	It("does not work while the client is suspended", func() {
		grant, token := newToken()
		d := newAuthenticator(informers)
		Eventually(func() error { return d.try(token) }).Should(Succeed())
		for _, suspended := range []bool{true, false} {
			c := clientOf(grant)
			c.Spec.Suspend = suspended
			Expect(api.Update(ctx, c)).To(Succeed())
			if suspended {
				Eventually(func() error { return d.try(token) }, within).Should(refused)
			} else {
				Eventually(func() error { return d.try(token) }).Should(Succeed())
			}
		}
	})

	It("ends with the account that has registered the client, also where another one gets its name", func() {
		vendor := &v1alpha1.Account{}
		vendor.Name = newAccount()
		Expect(api.Get(ctx, client.ObjectKeyFromObject(vendor), vendor)).To(Succeed())
		grant, token := newTokenFor(vendor, "mara@acme.example", newAccount(), v1alpha1.ScopeRead)
		c := clientOf(grant)
		c.Status.AccountUID = string(vendor.UID)
		Expect(api.Status().Update(ctx, c)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(Succeed())
		Expect(api.Delete(ctx, vendor)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused)
		vendor.ResourceVersion, vendor.UID = "", ""
		Expect(api.Create(ctx, vendor)).To(Succeed())
		Expect(newAuthenticator(testkit.Blind{}).try(token)).To(refused)
	})
})

var _ = Describe("Who a key approves as", func() {
	It("ends with the key's id, so that no name makes it a person", func() {
		_, key := newKey(newAccount(), func(k *v1alpha1.APIKey) { k.Spec.DisplayName = "mara@acme.example" })
		p, err := newAuthenticator(testkit.Blind{}).Authenticate(context.Background(), key)
		Expect(err).NotTo(HaveOccurred())
		Expect(p.Name).To(Equal("mara@acme.example (api-key:" + p.ID + ")"))
	})

	It("has no marks in it that turn the direction of writing, and is the id alone if nothing can be seen", func() {
		for name, want := range map[string]string{"\u202Earam\u202C": "aram (api-key:%s)", "\u200B\u3164": "api-key:%s"} {
			_, key := newKey(newAccount(), func(k *v1alpha1.APIKey) { k.Spec.DisplayName = name })
			p, err := newAuthenticator(testkit.Blind{}).Authenticate(context.Background(), key)
			Expect(err).NotTo(HaveOccurred())
			Expect(p.Name).To(Equal(fmt.Sprintf(want, p.ID)))
		}
	})
})

var _ = Describe("What was made with an API key", func() {
	madeWith := func(maker *v1alpha1.APIKey) func(*v1alpha1.APIKey) {
		return func(k *v1alpha1.APIKey) {
			k.Spec.CreatedByRef = &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: maker.Name}
		}
	}

	It("opens nothing within 2 seconds of that key's deletion, nor does what was made with it in turn", func() {
		account := newAccount()
		leaked, _ := newKey(account)
		second, secondGiven := newKey(account, madeWith(leaked))
		_, thirdGiven := newKey(account, madeWith(second))
		_, token := newTokenBy("api-key:"+second.Name, account)
		d := newAuthenticator(informers)
		for _, credential := range []string{secondGiven, thirdGiven, token} {
			Eventually(func() error { return d.try(credential) }).Should(Succeed())
		}
		Expect(api.Delete(context.Background(), leaked)).To(Succeed())
		for _, credential := range []string{secondGiven, thirdGiven, token} {
			Eventually(func() error { return d.try(credential) }, within).Should(refused)
			Expect(newAuthenticator(testkit.Blind{}).try(credential)).To(refused, "a replica that has just started")
		}
	})

	It("goes on while that key has expired", func() {
		account := newAccount()
		expired, _ := newKey(account, func(k *v1alpha1.APIKey) { k.Spec.ExpirationTime = &v1alpha1.Time{Time: start.Add(-time.Minute)} })
		_, given := newKey(account, madeWith(expired))
		Expect(newAuthenticator(testkit.Blind{}).try(given)).To(Succeed())
	})

	It("opens nothing if keys have made each other, or one of another account has", func() {
		account := newAccount()
		foreign, _ := newKey(newAccount())
		_, given := newKey(account, madeWith(foreign))
		Expect(newAuthenticator(testkit.Blind{}).try(given)).To(refused)
		loop := &v1alpha1.APIKey{}
		loop.Name = testkit.NewCredential(credential.APIKey).ID
		_, given = newKey(account, madeWith(loop), func(k *v1alpha1.APIKey) { k.Spec.CreatedByRef.Name = k.Name })
		Expect(newAuthenticator(testkit.Blind{}).try(given)).To(refused)
	})

	It("goes on if a member made it who has left", func() {
		_, given := newKey(newAccount(), func(k *v1alpha1.APIKey) {
			k.Spec.CreatedByRef = &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorUser, Name: "gone@acme.example"}
		})
		Expect(newAuthenticator(testkit.Blind{}).try(given)).To(Succeed())
	})
})
