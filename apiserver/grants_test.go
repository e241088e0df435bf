package apiserver_test

import (
	"net/http"
	"net/url"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// soon is how long a token may outlive what it stands on.
const soon = 2 * time.Second

// members of a list, by one of their members.
func listed(a testkit.Answer, name string) []string {
	data, _ := a.Body["data"].([]any)
	out := []string{}
	for _, one := range data {
		member, _ := one.(map[string]any)
		text, _ := member[name].(string)
		out = append(out, text)
	}
	return out
}

var _ = Describe("Access that people gave to apps", Ordered, func() {
	var (
		r *replica
		t *tenant
		o *oauthClient
	)
	BeforeAll(func() {
		pages := withPages()
		r = startForSpec(func(o *apiserver.Options) {
			o.BaseURL = "https://api.pressroom.example"
			pages(o)
		})
		t = newTenant(r)
		o = newOAuthClient(t, r)
	})
	keyOf := func(t *tenant) *v1alpha1.APIKey {
		GinkgoHelper()
		key := &v1alpha1.APIKey{}
		Expect(api.Get(ctx, client.ObjectKey{Name: grantOf(t.Key)}, key)).To(Succeed())
		return key
	}

	It("ends within 2 seconds of the revocation of the key that it was given with, and no other does", func() {
		leaked := t.with(t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove))
		leaked.awaitKnown(r)
		kept := o.consent(r, allTicks).token(r)
		theirs := *o
		theirs.tenant = leaked
		token := theirs.consent(r, allTicks).token(r)
		Expect(t.statusWith(r, token)).To(Equal(200))
		Expect(api.Delete(ctx, keyOf(leaked))).To(Succeed())
		Eventually(func() int { return t.statusWith(r, token) }, soon).Should(Equal(401))
		Expect(t.statusWith(r, kept)).To(Equal(200))
	})

	It("is over for the replica that has answered its revocation, or that of the app, from then on", func() {
		for range 10 {
			token := o.consent(r, allTicks).token(r)
			Expect(t.statusWith(r, token)).To(Equal(200))
			Expect(r.ask(t, "DELETE", "/v1/api/oauth/grants/"+grantOf(token), nil).Status).To(Equal(204))
			Expect(t.statusWith(r, token)).To(Equal(401))
		}
		theirs := newOAuthClient(t, r)
		token := theirs.consent(r, allTicks).token(r)
		Expect(t.statusWith(r, token)).To(Equal(200))
		Expect(r.ask(t, "DELETE", "/v1/api/oauth/clients/"+theirs.ClientID, nil).Status).To(Equal(204))
		Expect(t.statusWith(r, token)).To(Equal(401))
	})

	It("is listed to the account's administrators, who end it regardless of who gave it", func() {
		token := o.consent(r, allTicks).token(r)
		list := func(query string) testkit.Answer {
			GinkgoHelper()
			return r.ask(t, "GET", "/v1/api/oauth/grants"+query, nil)
		}
		Eventually(func() []string { return listed(list(""), "id") }).Should(ContainElement(grantOf(token)))
		got := list("?person=" + url.QueryEscape("api-key:"+grantOf(t.Key)) + "&client_id=" + o.ClientID)
		Expect(listed(got, "id")).To(ContainElement(grantOf(token)))
		Expect(listed(got, "app_name")).To(ContainElement("Newsletter tool"), got.Raw)
		Expect(got.Raw).NotTo(ContainSubstring("sha256"))
		Expect(listed(list("?person=nobody@acme.example"), "id")).To(BeEmpty())
		Expect(listed(list("?client_id=pr_ci_other"), "id")).To(BeEmpty())

		rival := newTenant(r)
		Expect(listed(r.ask(rival, "GET", "/v1/api/oauth/grants", nil), "id")).To(BeEmpty())
		Expect(r.ask(rival, "DELETE", "/v1/api/oauth/grants/"+grantOf(token), nil)).To(failing(404, "NOT_FOUND"))
		Expect(r.ask(t.with(token), "DELETE", "/v1/api/oauth/grants/"+grantOf(token), nil)).To(failing(403, "INSUFFICIENT_SCOPE"), "an app is no administrator")
		Expect(r.ask(t.with(t.newKey(v1alpha1.ScopeRead)), "DELETE", "/v1/api/oauth/grants/"+grantOf(token), nil)).To(failing(403, "INSUFFICIENT_SCOPE"))
		Expect(t.statusWith(r, token)).To(Equal(200))

		other := t.with(t.newKey(v1alpha1.ScopeWrite))
		Expect(r.ask(other, "DELETE", "/v1/api/oauth/grants/"+grantOf(token), nil).Status).To(Equal(204))
		Eventually(func() int { return t.statusWith(r, token) }, soon).Should(Equal(401))
		Eventually(func() []string { return listed(list(""), "id") }).ShouldNot(ContainElement(grantOf(token)))
		Expect(r.ask(other, "DELETE", "/v1/api/oauth/grants/"+grantOf(token), nil).Status).To(Equal(204), "again")
		Expect(r.ask(other, "DELETE", "/v1/api/oauth/grants/nothing", nil)).To(failing(404, "NOT_FOUND"))
	})

	It("covers the event subscriptions that the app made, and no others", func() {
		subscribe := func(by *tenant) testkit.Answer {
			GinkgoHelper()
			got := r.ask(by, "POST", "/v1/api/event-subscriptions", map[string]any{"url": "https://hooks.example.com/secret-path", "events": []string{"*"}})
			Expect(got.Status).To(Equal(http.StatusCreated), got.Raw)
			return got
		}
		own := subscribe(t).Text("uid")
		app := t.with(o.consent(r, allTicks).token(r))
		made := subscribe(app).Text("uid")
		s := &v1alpha1.EventSubscription{}
		t.Get(made, s)
		Expect(s.Labels).To(And(HaveKeyWithValue(v1alpha1.GrantLabel, grantOf(app.Key)), HaveKey(v1alpha1.ClientLabel)))
		t.Get(own, s)
		Expect(s.Labels).NotTo(HaveKey(v1alpha1.GrantLabel))

		Expect(listed(r.ask(app, "GET", "/v1/api/event-subscriptions", nil), "uid")).To(Equal([]string{made}), "the URLs of others can be secrets")
		for _, path := range []string{"", "/deliveries"} {
			Expect(r.ask(app, "GET", "/v1/api/event-subscriptions/"+own+path, nil)).To(failing(404, "NOT_FOUND"))
			Expect(r.ask(app, "GET", "/v1/api/event-subscriptions/"+made+path, nil).Status).To(Equal(200))
		}
		Expect(r.ask(app, "POST", "/v1/api/event-subscriptions/"+own+"/rotate-secret", nil)).To(failing(404, "NOT_FOUND"))
		Expect(r.ask(app, "DELETE", "/v1/api/event-subscriptions/"+own, nil)).To(failing(404, "NOT_FOUND"))
		Expect(listed(r.ask(t, "GET", "/v1/api/event-subscriptions", nil), "uid")).To(ConsistOf(own, made), "the account sees all")
		Expect(r.ask(t, "DELETE", "/v1/api/event-subscriptions/"+made, nil).Status).To(Equal(204))
		Eventually(func() bool {
			return apierrors.IsNotFound(api.Get(ctx, client.ObjectKey{Namespace: t.Workspace, Name: made}, s))
		}).Should(BeTrue())
	})
})
