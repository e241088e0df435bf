package apiserver_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const keys = "/v1/api/keys"

func making(name string, scopes ...string) map[string]any {
	return map[string]any{"name": name, "scopes": scopes}
}

var _ = Describe("API keys over REST", func() {
	It("are made, shown once, listed, used and revoked", func() {
		t := newManager(shared)
		made := shared.ask(t, "POST", keys, making("newsletter tool", "read", "write"))
		Expect(made.Status).To(Equal(201), made.Raw)
		Expect(made.Header.Get("Cache-Control")).To(Equal("no-store"))
		secret, id := made.Text("secret"), made.Text("id")
		Expect(grantOf(secret)).To(Equal(id))
		stored := &v1alpha1.APIKey{}
		Expect(api.Get(ctx, client.ObjectKey{Name: id}, stored)).To(Succeed())
		Expect(stored.Spec.Scopes).To(Equal([]v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}))
		Expect(stored.Spec.CreatedByRef).To(Equal(&v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: grantOf(t.Key)}))
		Expect(stored.ManagedFields).To(HaveExactElements(HaveField("Manager", "pressroom-apiserver")))

		list := shared.ask(t, "GET", keys, nil)
		Expect(list.Raw).To(And(ContainSubstring(id), ContainSubstring("newsletter tool"), ContainSubstring(`"created_by":"`+t.reviewer()),
			Not(ContainSubstring(secretPart(secret))), Not(ContainSubstring(stored.Spec.SecretHash))))
		Expect(shared.ask(t.with(secret), "GET", "/v1/api/sites", nil).Status).To(Equal(200))
		Expect(shared.ask(t.with(secret), "GET", keys, nil)).To(failing(403, "INSUFFICIENT_SCOPE"))

		Expect(shared.ask(t, "DELETE", keys+"/"+id, nil).Status).To(Equal(204))
		Expect(shared.ask(t, "DELETE", keys+"/"+id, nil)).To(failing(404, "NOT_FOUND"))
		Expect(shared.ask(t, "GET", keys, nil).Raw).NotTo(ContainSubstring(id))
		Eventually(func() int { return shared.ask(t.with(secret), "GET", "/v1/api/sites", nil).Status }).Should(Equal(401))
	})

	It("are made once under an Idempotency-Key, as long as they exist", func() {
		t := newManager(shared)
		first := shared.ask(t, "POST", keys, making("once", "read"), "Idempotency-Key", "one")
		again := shared.ask(t, "POST", keys, making("once", "read"), "Idempotency-Key", "one")
		Expect(first.Status).To(Equal(201), first.Raw)
		Expect(again).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "POST", keys, making("twice", "read"), "Idempotency-Key", "one")).To(failing(409, "CONFLICT"))
		Expect(shared.ask(t, "DELETE", keys+"/"+first.Text("id"), nil).Status).To(Equal(204))
		made := shared.ask(t, "POST", keys, making("once", "read"), "Idempotency-Key", "one")
		Expect(made.Status).To(Equal(201), made.Raw)
		Expect(made.Text("secret")).NotTo(Equal(first.Text("secret")))
		Expect(made.Text("id")).NotTo(Equal(first.Text("id")), "what knows the id of the revoked key must not mean the new one")
	})

	It("are made once by requests that come at the same time", func() {
		t := newManager(shared)
		before := records()
		answers := make(chan testkit.Answer, 8)
		for range cap(answers) {
			go func() {
				defer GinkgoRecover()
				answers <- shared.ask(t, "POST", keys, making("once", "read"), "Idempotency-Key", "together")
			}()
		}
		made, refused := []string{}, []testkit.Answer{}
		for range cap(answers) {
			if a := <-answers; a.Status == 201 {
				made = append(made, a.Text("id"))
			} else {
				refused = append(refused, a)
			}
		}
		Expect(made).To(HaveLen(1))
		for _, a := range refused {
			Expect(a).To(failing(409, "CONFLICT"))
			Expect(a.Raw).To(ContainSubstring(made[0]), "it names what was created")
		}
		Expect(strings.Count(shared.ask(t, "GET", keys, nil).Raw, `"once"`)).To(Equal(1))
		Expect(records() - before).To(BeNumerically("<=", 1))
	})

	It("are refused by the replica that has answered their revocation, from then on", func() {
		t := newManager(shared)
		for range 20 {
			made := shared.ask(t, "POST", keys, making("short", "read", "manage"))
			key := t.with(made.Text("secret"))
			child := t.with(shared.ask(key, "POST", keys, making("child", "read")).Text("secret"))
			Expect(shared.ask(child, "GET", "/v1/api/sites", nil).Status).To(Equal(200))
			Expect(shared.ask(t, "DELETE", keys+"/"+made.Text("id"), nil).Status).To(Equal(204))
			Expect(shared.ask(key, "GET", "/v1/api/sites", nil).Status).To(Equal(401))
			Expect(shared.ask(child, "GET", "/v1/api/sites", nil).Status).To(Equal(401))
		}
	})

	It("get another name and another end", func() {
		t := newManager(shared)
		made := shared.ask(t, "POST", keys, making("tool", "read"))
		path := keys + "/" + made.Text("id")
		got := shared.ask(t, "GET", path, nil)
		Expect(got.Status).To(Equal(200), got.Raw)
		Expect(got.Raw).NotTo(ContainSubstring(secretPart(made.Text("secret"))))
		Expect(got.Body).To(And(HaveKeyWithValue("name", "tool"), HaveKeyWithValue("expires_at", BeNil()), HaveKeyWithValue("created_by", t.reviewer())))

		read, end := got.Header.Get("ETag"), time.Now().Add(30*time.Minute).UTC().Truncate(time.Second).Format(time.RFC3339)
		changed := shared.ask(t, "PATCH", path, map[string]any{"name": "newsletter", "expires_at": end}, "If-Match", read)
		Expect(changed.Status).To(Equal(200), changed.Raw)
		Expect(changed.Text("name")).To(Equal("newsletter"))
		Expect(changed.Text("expires_at")).To(HavePrefix(strings.TrimSuffix(end, "Z")))
		Expect(shared.ask(t, "PATCH", path, map[string]any{"name": "late"}, "If-Match", read)).To(failing(412, "PRECONDITION_FAILED"))
		Expect(shared.ask(t, "DELETE", path, nil, "If-Match", read)).To(failing(412, "PRECONDITION_FAILED"))

		Expect(shared.ask(t, "PATCH", path, map[string]any{"expires_at": nil}).Body).To(HaveKeyWithValue("expires_at", BeNil()))
	})

	It("fall with the key that made them, and with them what they made", func() {
		t := newManager(shared)
		leaked := t.with(t.newKey(auth.Scopes()...))
		second := leaked.with(shared.ask(leaked, "POST", keys, making("second", "read", "write", "manage")).Text("secret"))
		third := second.with(shared.ask(second, "POST", keys, making("third", "read")).Text("secret"))
		subscribed := shared.ask(second, "POST", subscriptions, subscribing("*"))
		Expect(t.subscription(subscribed.Text("uid")).Spec.CreatedByRef).To(
			Equal(&v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: grantOf(second.Key)}))
		for _, key := range []*tenant{second, third} {
			Expect(shared.ask(key, "GET", "/v1/api/sites", nil).Status).To(Equal(200))
		}
		Expect(shared.ask(t, "DELETE", keys+"/"+grantOf(leaked.Key), nil).Status).To(Equal(204))
		for _, key := range []*tenant{leaked, second, third} {
			Eventually(func() int { return shared.ask(key, "GET", "/v1/api/sites", nil).Status }).WithTimeout(2 * time.Second).Should(Equal(401))
		}
	})

	It("that are named like a person approve under their id", func() {
		t := newManager(shared)
		t.changeAccount(func(a *v1alpha1.Account) {
			a.Spec.Members = []v1alpha1.AccountMember{{Kind: v1alpha1.MemberUser, Name: "mara@acme.example", Scopes: []v1alpha1.Scope{v1alpha1.ScopeApprove}}}
		})
		made := shared.ask(t, "POST", keys, making("mara@acme.example", "read", "approve"))
		uid := t.inReview(shared)
		got := shared.ask(t.with(made.Text("secret")), "POST", "/v1/api/blogs/"+uid+"/approve", map[string]any{})
		Expect(got.Status).To(Equal(200), got.Raw)
		Expect(t.article(uid).Spec.Review.By).To(Equal("mara@acme.example (api-key:" + made.Text("id") + ")"))
	})
})
