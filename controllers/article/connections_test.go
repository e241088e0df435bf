package article_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("Attempts at one site", func() {
	// changeSecret changes the signing secret of the site, which is under the key "secret", or another value.
	changeSecret := func(t *tenant, key, value string) {
		GinkgoHelper()
		secret := &corev1.Secret{}
		Expect(api.Get(t.Ctx, client.ObjectKey{Namespace: t.Namespace, Name: "webhook"}, secret)).To(Succeed())
		secret.Data[key] = []byte(value)
		Expect(api.Update(t.Ctx, secret)).To(Succeed())
	}
	// publish publishes an article, and returns which of the secrets has signed the request.
	publish := func(t *tenant, key client.ObjectKey, secrets ...string) string {
		GinkgoHelper()
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		received := t.Receiver.Received()
		request := received[len(received)-1]
		for _, secret := range secrets {
			mac := hmac.New(sha256.New, []byte(secret))
			mac.Write([]byte(request.Body))
			if hex.EncodeToString(mac.Sum(nil)) == request.Header.Get("X-SERVICE-Signature") {
				return secret
			}
		}
		return "none"
	}
	const second, third = "the second random string of the customer", "the third random string of the customer"
	const another = "a random string under another key"

	It("share what they read for a second, unless the article was written later or the site has changed", func() {
		t := newTenant()
		t.CreateSite()
		var keys []client.ObjectKey
		for _, name := range []string{"shoes", "boots", "socks", "laces", "soles"} {
			keys = append(keys, t.CreateArticle(name, WithText(name, "Text of "+name), ApprovedInManifest, ToBePublished))
		}
		last := t.CreateArticle("insoles", WithText("insoles", "Text of insoles"), ApprovedInManifest, ToBePublished)
		Expect(publish(t, last, SigningSecret)).To(Equal(SigningSecret))
		changeSecret(t, "secret", second)
		Expect(publish(t, keys[0], SigningSecret, second)).To(Equal(SigningSecret))
		t.EditArticle(keys[1], func(a *v1alpha1.Article) { a.Annotations = map[string]string{"acme.example/changed": "later"} })
		Expect(publish(t, keys[1], SigningSecret, second)).To(Equal(second))
		changeSecret(t, "secret", third)
		Expect(publish(t, keys[2], SigningSecret, second, third)).To(Equal(second))
		t.Clock.Step(2 * time.Second)
		Expect(publish(t, keys[3], SigningSecret, second, third)).To(Equal(third))
		changeSecret(t, "another", another)
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.SigningSecretRef.Key = "another" })
		Expect(publish(t, keys[4], third, another)).To(Equal(another))
	})

	for _, c := range []struct {
		name   string
		change func(t *tenant, waiting client.ObjectKey)
		want   string
	}{
		{"use what was read before an article began to wait for a slot", func(*tenant, client.ObjectKey) {}, SigningSecret},
		{"read again for an article that somebody has written while it waited for a slot", func(t *tenant, waiting client.ObjectKey) {
			t.EditArticle(waiting, func(a *v1alpha1.Article) { a.Annotations = map[string]string{"acme.example/changed": "later"} })
		}, second},
	} {
		It(c.name, func() {
			t := newTenant()
			t.Limits = inflight.Limits{Total: 1}
			t.Restart()
			t.CreateSite()
			waiting := t.CreateArticle("waiting", WithText("Waiting", "Text."), ApprovedInManifest, ToBePublished)
			first := t.CreateArticle("first", WithText("First", "Text."), ApprovedInManifest, ToBePublished)
			answer := t.HoldReceiver()
			t.Reconcile(first)
			t.Reconcile(waiting)
			Expect(Reason(t.GetArticle(waiting), v1alpha1.ConditionPublished)).To(Equal("False/Progressing"))
			changeSecret(t, "secret", second)
			c.change(t, waiting)
			answer()
			t.AwaitWork()
			Expect(Reason(t.ReconcileUntilStable(first), v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
			Expect(publish(t, waiting, SigningSecret, second)).To(Equal(c.want))
		})
	}
})
