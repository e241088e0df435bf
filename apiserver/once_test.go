package apiserver_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// secretCall is a request whose answer has a secret that is shown once.
type secretCall struct {
	path string
	body any
	// other is another request for the same operation.
	other func(secretCall) secretCall
}

func (c secretCall) by(t *tenant) testkit.Answer {
	GinkgoHelper()
	return shared.ask(t, "POST", c.path, c.body, "Idempotency-Key", "k")
}

// shownSecret is the secret in an answer.
func shownSecret(a testkit.Answer) string {
	return cmp.Or(a.Text("secret"), a.Text("signing_secret"), a.Text("client_secret"))
}

// idIn is the id of what an answer shows.
func idIn(a testkit.Answer) string {
	return cmp.Or(a.Text("uid"), a.Text("id"), a.Text("client_id"))
}

func registering(name string) map[string]any {
	return map[string]any{"name": name, "redirect_uris": []string{callback}}
}

// The operations, each for a tenant that has what it needs.
var (
	createSubscription = func(*tenant) secretCall {
		return secretCall{path: subscriptions, body: subscribing("*"), other: func(c secretCall) secretCall {
			c.body = subscribing("blog.failed")
			return c
		}}
	}
	createClient = func(*tenant) secretCall {
		return secretCall{path: "/v1/api/oauth/clients", body: registering("Tool"), other: func(c secretCall) secretCall {
			c.body = registering("Other")
			return c
		}}
	}
	createKey = func(*tenant) secretCall {
		return secretCall{path: keys, body: making("tool", "read"), other: func(c secretCall) secretCall {
			c.body = making("other", "read")
			return c
		}}
	}
	createWebhook = func(*tenant) secretCall {
		webhook := func(domain string) map[string]any {
			return map[string]any{
				"domain": domain, "cms_type": "headless", "connection": map[string]any{"url": "https://new.example.com/hook"},
			}
		}
		return secretCall{path: "/v1/api/sites", body: webhook("new.example.com"), other: func(c secretCall) secretCall {
			c.body = webhook("other.example.com")
			return c
		}}
	}
	rotateSubscription = func(t *tenant) secretCall {
		return rotating(subscriptions+"/", "/rotate-secret", func() string {
			return shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		})
	}
	rotateClient = func(t *tenant) secretCall {
		return rotating("/v1/api/oauth/clients/", "/rotate-secret", func() string {
			return shared.ask(t, "POST", "/v1/api/oauth/clients", registering("Tool")).Text("client_id")
		})
	}
)

func rotating(before, after string, made func() string) secretCall {
	return secretCall{path: before + made() + after}
}

// everything is all that is stored about tenants, but for Secrets, as JSON without what controllers write at any time.
func everything() string {
	GinkgoHelper()
	var stored []any
	for _, list := range []client.ObjectList{
		&v1alpha1.EventSubscriptionList{}, &internalv1alpha1.IdempotencyRecordList{}, &v1alpha1.OAuthClientList{}, &v1alpha1.APIKeyList{},
		&v1alpha1.SiteList{},
	} {
		Expect(api.List(ctx, list)).To(Succeed())
		Expect(meta.EachListItem(list, func(object runtime.Object) error {
			fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
			stored = append(stored, fields["metadata"].(map[string]any)["annotations"], fields["metadata"].(map[string]any)["uid"], fields["spec"])
			return err
		})).To(Succeed())
	}
	data, err := json.Marshal(stored)
	Expect(err).NotTo(HaveOccurred())
	return string(data)
}

// records is how many IdempotencyRecords there are.
func records() int {
	GinkgoHelper()
	var list internalv1alpha1.IdempotencyRecordList
	Expect(api.List(ctx, &list)).To(Succeed())
	return len(list.Items)
}

// subscriptionSecrets are the names of the tenant's Secrets.
func (t *tenant) subscriptionSecrets() []string {
	GinkgoHelper()
	var list corev1.SecretList
	Expect(api.List(ctx, &list, client.InNamespace(t.Workspace))).To(Succeed())
	var names []string
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	return names
}

var _ = Describe("An operation that shows a secret once, with an Idempotency-Key", func() {
	DescribeTable("is done once, refuses its repeat, and reveals no secret in what is stored", func(operation func(*tenant) secretCall) {
		t := newManager(shared)
		call := operation(t)
		before := records()
		first := call.by(t)
		Expect(first.Status).To(BeNumerically("<", 300), first.Raw)
		secret := shownSecret(first)
		bare := strings.TrimPrefix(secret, "whsec_")
		if strings.HasPrefix(secret, "pr_") {
			bare = strings.Split(secret, "_")[3]
		}
		Expect(len(bare)).To(BeNumerically(">", 40))

		colleague := t.with(t.newKey(auth.Scopes()...))
		stored := everything()
		Expect(stored).NotTo(ContainSubstring(bare))
		for _, who := range []*tenant{t, colleague} {
			again := call.by(who)
			Expect(again).To(failing(409, "CONFLICT"))
			Expect(again.Raw).To(ContainSubstring(`"reason":"secret_already_shown"`))
			Expect(again.Raw).To(ContainSubstring(idIn(first)), "it names what was created")
		}
		Expect(records()).To(Equal(before), "no record is left")
		if call.other != nil {
			Expect(call.other(call).by(t).Raw).To(ContainSubstring(`"reason":"idempotency_key_reused"`))
		}
		Expect(everything()).To(Equal(stored), "the repeats change nothing")
	},
		Entry("create an event subscription", createSubscription), Entry("rotate its secret", rotateSubscription),
		Entry("register an OAuth client", createClient), Entry("rotate its secret", rotateClient),
		Entry("create an API key", createKey), Entry("create a site", createWebhook),
	)

	It("does not rotate again when it is repeated after another rotation", func() {
		t := newManager(shared)
		call := rotateSubscription(t)
		first := call.by(t)
		later := shared.ask(t, "POST", call.path, nil)
		Expect(shownSecret(later)).NotTo(Equal(shownSecret(first)))
		Expect(call.by(t)).To(failing(409, "CONFLICT"))
		Expect(t.secret(t.subscription(first.Text("uid")).Spec.SigningSecretRef)).To(Equal(shownSecret(later)))
	})

	It("leaves nothing behind, however often it is done", func() {
		t := newManager(shared)
		subscription, app := rotateSubscription(t).path, rotateClient(t).path
		before := records()
		for i := range 3 {
			key := fmt.Sprint("k", i)
			Expect(shared.ask(t, "POST", subscription, nil, "Idempotency-Key", key).Status).To(Equal(200))
			Expect(shared.ask(t, "POST", app, nil, "Idempotency-Key", key).Status).To(Equal(200))
		}
		Expect(records()).To(Equal(before))
		Expect(t.subscriptionSecrets()).To(HaveLen(2), "the present one and the one before")
	})

	It("goes on with the Secret of a site whose creation was interrupted", func() {
		t := newManager(shared)
		password := map[string]any{"url": "https://blog.example.com", "username": "editor", "password": "abcd efgh ijkl"}
		call := secretCall{path: "/v1/api/sites", body: map[string]any{"domain": "b.example.com", "cms_type": "wordpress", "connection": password}}
		first := call.by(t)
		Expect(first.Status).To(Equal(201), first.Raw)
		names := t.subscriptionSecrets()
		for _, name := range names {
			lost := &corev1.Secret{}
			lost.Namespace, lost.Name = t.Workspace, name
			Expect(api.Delete(ctx, lost)).To(Succeed())
		}
		again := call.by(t)
		Expect(again.Status).To(Equal(201), again.Raw)
		Expect(again.Text("uid")).To(Equal(first.Text("uid")))
		Expect(t.subscriptionSecrets()).To(Equal(names))
	})

	It("is done once, however many ask at once", func() {
		t := newManager(shared)
		call := createSubscription(t)
		answers := make([]testkit.Answer, 6)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				defer GinkgoRecover()
				answers[i] = call.by(t)
			})
		}
		all.Wait()
		shown := 0
		for _, a := range answers {
			if a.Status == 201 {
				shown++
				continue
			}
			Expect(a).To(failing(409, "CONFLICT"))
		}
		Expect(shown).To(Equal(1))
		var list v1alpha1.EventSubscriptionList
		Expect(api.List(ctx, &list, client.InNamespace(t.Workspace))).To(Succeed())
		Expect(list.Items).To(HaveLen(1))
	})
})
