package apiserver_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/testkit"
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
	if app, ok := a.Body["data"].(map[string]any); ok {
		secret, _ := app["client_secret"].(string)
		return secret
	}
	return a.Text("secret")
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
	rotateSubscription = func(t *tenant) secretCall {
		return rotating(subscriptions+"/", "/rotate-secret", func() string {
			return shared.ask(t, "POST", subscriptions, subscribing("*")).Text("uid")
		})
	}
	rotateClient = func(t *tenant) secretCall {
		return rotating("/v1/api/oauth/clients/", "/rotate", func() string {
			return shared.ask(t, "POST", "/v1/api/oauth/clients", registering("Tool")).Body["data"].(map[string]any)["client_id"].(string)
		})
	}
)

func rotating(before, after string, made func() string) secretCall {
	return secretCall{path: before + made() + after, other: func(c secretCall) secretCall {
		c.path = before + made() + after
		return c
	}}
}

// lists are all that is stored about tenants, but for Secrets.
func lists() []client.ObjectList {
	GinkgoHelper()
	all := []client.ObjectList{
		&v1alpha1.EventSubscriptionList{}, &internalv1alpha1.IdempotencyRecordList{}, &v1alpha1.OAuthClientList{}, &v1alpha1.AccountList{},
	}
	for _, list := range all {
		Expect(api.List(ctx, list)).To(Succeed())
	}
	return all
}

// everything is all that is stored, but for Secrets, as JSON.
func everything() string {
	GinkgoHelper()
	data, err := json.Marshal(lists())
	Expect(err).NotTo(HaveOccurred())
	return string(data)
}

// intents are the generations of all that is stored, by name and uid: the facade changes no status, and controllers do at any time.
func intents() map[string]int64 {
	GinkgoHelper()
	generations := map[string]int64{}
	for _, list := range lists() {
		Expect(meta.EachListItem(list, func(object runtime.Object) error {
			item, err := meta.Accessor(object)
			if err == nil {
				generations[fmt.Sprintf("%T %s/%s %s", object, item.GetNamespace(), item.GetName(), item.GetUID())] = item.GetGeneration()
			}
			return err
		})).To(Succeed())
	}
	return generations
}

// interrupt leaves the records of a namespace as a process does that ends before it has answered.
func interrupt(namespace string) {
	GinkgoHelper()
	var list internalv1alpha1.IdempotencyRecordList
	Expect(api.List(ctx, &list, client.InNamespace(namespace))).To(Succeed())
	Expect(list.Items).NotTo(BeEmpty())
	for i := range list.Items {
		begun := &internalv1alpha1.IdempotencyRecord{Spec: list.Items[i].Spec}
		begun.Namespace, begun.Name, begun.Spec.ObjectUID = list.Items[i].Namespace, list.Items[i].Name, ""
		Expect(api.Delete(ctx, &list.Items[i])).To(Succeed())
		Expect(api.Create(ctx, begun)).To(Succeed())
	}
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
	operations := []TableEntry{
		Entry("create an event subscription", createSubscription), Entry("rotate its secret", rotateSubscription),
		Entry("register an OAuth client", createClient), Entry("rotate its secret", rotateClient),
	}

	DescribeTable("is done once, and answers its repeat with the secret", func(operation func(*tenant) secretCall) {
		t := newTenant(shared)
		call := operation(t)
		first := call.by(t)
		Expect(first.Status).To(BeNumerically("<", 300), first.Raw)
		Expect(shownSecret(first)).NotTo(BeEmpty())
		stored := intents()
		again := call.by(t)
		Expect(again.Status).To(Equal(first.Status))
		Expect(again.Raw).To(Equal(first.Raw))
		Expect(intents()).To(Equal(stored), "the repeat changes nothing")

		By("refusing another request, and another credential, under the same key")
		Expect(call.other(call).by(t)).To(failing(409, "CONFLICT"))
		colleague := t.with(t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite))
		Expect(call.by(colleague)).To(failing(409, "CONFLICT"))
	}, operations)

	DescribeTable("reveals no secret in what is stored", func(operation func(*tenant) secretCall) {
		t := newTenant(shared)
		secret := shownSecret(operation(t).by(t))
		stored := everything()
		Expect(stored).To(ContainSubstring(`"salt"`))
		bare := strings.TrimPrefix(secret, "whsec_")
		if strings.HasPrefix(secret, "pr_cs_") {
			bare = strings.Split(secret, "_")[3]
		}
		Expect(len(bare)).To(BeNumerically(">", 40))
		Expect(stored).NotTo(ContainSubstring(bare))
	}, operations)

	DescribeTable("goes on where it was interrupted", func(operation func(*tenant) secretCall, namespace func(*tenant) string) {
		t := newTenant(shared)
		call := operation(t)
		first := call.by(t)
		secrets := t.subscriptionSecrets()
		interrupt(namespace(t))
		again := call.by(t)
		Expect(again.Raw).To(Equal(first.Raw))
		Expect(t.subscriptionSecrets()).To(Equal(secrets))
		Expect(call.by(t).Raw).To(Equal(first.Raw))
	},
		Entry("creating an event subscription", createSubscription, func(t *tenant) string { return t.Workspace }),
		Entry("rotating its secret", rotateSubscription, func(t *tenant) string { return t.Workspace }),
		Entry("registering an OAuth client", createClient, func(*tenant) string { return systemNamespace }),
		Entry("rotating its secret", rotateClient, func(*tenant) string { return systemNamespace }),
	)

	It("creates again what an interrupted request has not created, with the same secret", func() {
		t := newTenant(shared)
		call := createSubscription(t)
		first := call.by(t)
		Expect(shared.ask(t, "DELETE", subscriptions+"/"+first.Text("uid"), nil).Status).To(Equal(204))
		Expect(call.by(t)).To(failing(409, "CONFLICT"), "it was created, and is gone")
		for _, name := range t.subscriptionSecrets() {
			gone := &corev1.Secret{}
			gone.Namespace, gone.Name = t.Workspace, name
			Expect(api.Delete(ctx, gone)).To(Succeed())
		}
		interrupt(t.Workspace)
		again := call.by(t)
		Expect(again.Text("secret")).To(Equal(first.Text("secret")))
		Expect(again.Text("uid")).To(Equal(first.Text("uid")))
		Expect(t.secret(t.subscription(again.Text("uid")).Spec.SigningSecretRef)).To(Equal(again.Text("secret")))
	})

	It("does not rotate again when it is repeated after another rotation", func() {
		t := newTenant(shared)
		call := rotateSubscription(t)
		first := call.by(t)
		later := shared.ask(t, "POST", call.path, nil)
		Expect(later.Text("secret")).NotTo(Equal(first.Text("secret")))
		Expect(call.by(t).Text("secret")).To(Equal(first.Text("secret")))
		Expect(t.secret(t.subscription(first.Text("uid")).Spec.SigningSecretRef)).To(Equal(later.Text("secret")))
	})
})
