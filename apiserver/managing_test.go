package apiserver_test

import (
	"fmt"
	"maps"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/connectortest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// newManager makes a tenant whose key has every scope.
func newManager(replicas ...*replica) *tenant {
	GinkgoHelper()
	t := newTenant(replicas...)
	return t.with(t.newKey(auth.Scopes()...))
}

// siteSecrets are the Secrets of sites in the tenant's workspace, by name.
func (t *tenant) siteSecrets() map[string]corev1.Secret {
	GinkgoHelper()
	var list corev1.SecretList
	Expect(api.List(ctx, &list, client.InNamespace(t.Workspace))).To(Succeed())
	found := map[string]corev1.Secret{}
	for _, s := range list.Items {
		if strings.HasPrefix(s.Name, "pressroom-site-") {
			found[s.Name] = s
		}
	}
	return found
}

func (t *tenant) siteNamed(name string) *v1alpha1.Site {
	GinkgoHelper()
	site := &v1alpha1.Site{}
	t.Get(name, site)
	return site
}

// connection is what a site sends to, with the value that it sends.
func (t *tenant) connection(site *v1alpha1.Site) (address, secret, boundTo string) {
	GinkgoHelper()
	name, key := "", ""
	switch cms := site.Spec.CMS; {
	case cms.Headless != nil:
		address, name, key = cms.Headless.URL, cms.Headless.SigningSecretRef.Name, cms.Headless.SigningSecretRef.Key
	case cms.WordPress != nil:
		address, name, key = cms.WordPress.URL, cms.WordPress.CredentialsSecretRef.Name, "password"
	}
	stored := t.siteSecrets()[name]
	return address, string(stored.Data[key]), stored.Annotations[v1alpha1.AddressAnnotation]
}

func byWebhook(url string, more ...any) map[string]any {
	connection := map[string]any{"url": url}
	for i := 0; i+1 < len(more); i += 2 {
		connection[more[i].(string)] = more[i+1]
	}
	return map[string]any{"domain": "new.example.com", "cms_type": "headless", "connection": connection}
}

func toWordPress(url, password string) map[string]any {
	return map[string]any{"domain": "new.example.com", "cms_type": "wordpress", "connection": map[string]any{
		"url": url, "username": "pressroom", "password": password, "categories": "news, shoes",
	}}
}

const (
	hook  = "https://new.example.com/hook"
	typed = "a long random string, typed by a person"
)

var _ = Describe("Sites over REST", func() {
	It("are connected with a signing secret that is shown once, changed and deleted", func() {
		t := newManager(shared)
		body := byWebhook(hook, "payload_format", "markdown")
		maps.Copy(body, map[string]any{"name": "New", "voice": map[string]any{"tone": "dry", "avoid_words": []string{"unleash"}}, "default_stage": "published"})
		made := shared.ask(t, "POST", "/v1/api/sites", body)
		Expect(made.Status).To(Equal(201), made.Raw)
		Expect(made.Header.Get("Cache-Control")).To(Equal("no-store"))
		path := "/v1/api/sites/" + made.Text("uid")
		site := t.siteNamed(made.Text("uid"))
		Expect(site.Spec.CMS.Headless.PayloadFormat).To(Equal(v1alpha1.PayloadMarkdown))
		Expect(site.Annotations).To(HaveKey(v1alpha1.TestConnectionAnnotation), "the connection is tested at once")
		address, secret, boundTo := t.connection(site)
		Expect([]string{address, secret, boundTo}).To(Equal([]string{hook, made.Text("signing_secret"), hook}))
		Expect(len(secret)).To(BeNumerically(">=", 40))
		stored := t.siteSecrets()[site.Spec.CMS.Headless.SigningSecretRef.Name]
		Expect(stored.OwnerReferences).To(ConsistOf(And(HaveField("Kind", "Site"), HaveField("UID", site.UID))))

		// A replica whose memory does not have the site yet finds it by its workspace.
		settings := shared.ask(t, "GET", path, nil)
		Expect(settings.Status).To(Equal(200), settings.Raw)
		Expect(settings.Raw).NotTo(ContainSubstring(secret))
		Expect(settings.Body).To(And(HaveKeyWithValue("voice", HaveKeyWithValue("tone", "dry")), HaveKeyWithValue("default_stage", "published"),
			HaveKeyWithValue("connection", map[string]any{"url": hook, "payload_format": "markdown", "disclosure": ""})))

		got := shared.ask(t, "PATCH", path, map[string]any{"name": "Newer", "voice": map[string]any{"tone": ""}, "connection": map[string]any{"payload_format": "html"}})
		Expect(got.Status).To(Equal(200), got.Raw)
		Expect(got.Raw).NotTo(ContainSubstring("signing_secret"))
		after := t.siteNamed(site.Name)
		Expect(after.Spec.CMS.Headless.SigningSecretRef).To(Equal(site.Spec.CMS.Headless.SigningSecretRef))
		Expect(after.Spec.CMS.Headless.PayloadFormat).To(Equal(v1alpha1.PayloadHTML))
		Expect(after.Spec.BrandVoice).To(Equal(v1alpha1.BrandVoice{AvoidWords: []string{"unleash"}}))

		Expect(shared.ask(t, "DELETE", path, nil).Status).To(Equal(204))
		Eventually(func() int { return shared.ask(t, "GET", path, nil).Status }).Should(Equal(404))
	})

	It("take what a person has typed, and show it nowhere", func() {
		t := newManager(shared)
		made := shared.ask(t, "POST", "/v1/api/sites", toWordPress("https://new.example.com", typed))
		Expect(made.Status).To(Equal(201), made.Raw)
		Expect(made.Raw).NotTo(Or(ContainSubstring(typed), ContainSubstring("signing_secret")))
		site := t.siteNamed(made.Text("uid"))
		address, secret, boundTo := t.connection(site)
		Expect([]string{address, secret, boundTo}).To(Equal([]string{"https://new.example.com", typed, "https://new.example.com"}))
		Expect(site.Spec.CMS.WordPress.Categories).To(Equal([]string{"news", "shoes"}))
		given := shared.ask(t, "POST", "/v1/api/sites", byWebhook(hook, "signing_secret", typed))
		Expect(given.Status).To(Equal(201), given.Raw)
		Expect(given.Raw).NotTo(ContainSubstring(typed))
		_, secret, _ = t.connection(t.siteNamed(given.Text("uid")))
		Expect(secret).To(Equal(typed))
	})

	It("are connected in each way that list-cms-types says", func() {
		t := newManager(shared)
		types := shared.ask(t, "GET", "/v1/api/cms-types", nil).Body["data"].([]any)
		Expect(types).To(HaveLen(len(connectors.Forms())))
		for _, one := range types {
			form, connection := one.(map[string]any), map[string]any{}
			known, _ := connectors.FormOf(form["cms_type"].(string))
			examples := connectortest.Values(known, typed)
			for _, f := range form["fields"].([]any) {
				field := f.(map[string]any)
				name := field["name"].(string)
				switch options := field["options"].([]any); {
				case len(options) > 0:
					connection[name] = options[len(options)-1]
				case field["secret"].(bool):
					connection[name] = typed
				case examples[name] != "":
					connection[name] = examples[name]
				}
			}
			body := map[string]any{"domain": "new.example.com", "cms_type": form["cms_type"], "connection": connection}
			made := shared.ask(t, "POST", "/v1/api/sites", body)
			Expect(made.Status).To(Equal(201), "%s: %s", form["cms_type"], made.Raw)
			for name, value := range connection {
				if value != typed {
					Expect(made.Body["connection"]).To(HaveKeyWithValue(name, value), name)
				}
			}
		}
	})

	It("are refused with what is missing or wrong, by field", func() {
		t := newManager(shared)
		for field, body := range map[string]map[string]any{
			"connection.url":            byWebhook("ftp://example.com"),
			"connection.password":       {"domain": "a.example", "cms_type": "wordpress", "connection": map[string]any{"url": "https://a.example", "username": "u"}},
			"connection.token":          {"domain": "a.example", "cms_type": "shopify", "connection": map[string]any{"shop": "a.myshopify.com", "blog_id": "1", "author": "A"}},
			"connection.shop":           {"domain": "a.example", "cms_type": "shopify", "connection": map[string]any{"shop": "a.example", "blog_id": "1", "author": "A", "token": typed}},
			"connection.collection_id":  {"domain": "a.example", "cms_type": "webflow", "connection": map[string]any{"site_id": strings.Repeat("a", 24), "token": typed, "body_field": "b"}},
			"connection.signing_secret": byWebhook(hook, "signing_secret", "short"),
			"connection.username":       byWebhook(hook, "username", "u"),
			"connection.payload_format": byWebhook(hook, "payload_format", "xml"),
			"domain":                    {"domain": "https://a.example", "cms_type": "none"},
			"cms_type":                  {"domain": "a.example", "cms_type": "drupal"},
			"voice.language":            {"domain": "a.example", "cms_type": "none", "voice": map[string]any{"language": "!"}},
		} {
			got := shared.ask(t, "POST", "/v1/api/sites", body)
			Expect(got).To(failing(400, "VALIDATION_ERROR"), got.Raw)
			Expect(got.Fields()).To(Equal([]string{field}), got.Raw)
			Expect(got.Raw).NotTo(ContainSubstring(typed))
		}
		Expect(t.siteSecrets()).To(BeEmpty())
	})

	It("need the scope manage, and approve as well for the review policy", func() {
		t := newManager(shared)
		made := shared.ask(t, "POST", "/v1/api/sites", byWebhook(hook))
		path := "/v1/api/sites/" + made.Text("uid")
		others := t.with(t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove))
		for _, call := range [][]any{
			{"POST", "/v1/api/sites", byWebhook(hook)}, {"PATCH", path, map[string]any{"name": "x"}}, {"DELETE", path, nil},
		} {
			got := shared.ask(others, call[0].(string), call[1].(string), call[2])
			Expect(got).To(failing(403, "INSUFFICIENT_SCOPE"), got.Raw)
			Expect(got.Raw).To(ContainSubstring("manage"))
		}
		manager := t.with(t.newKey(v1alpha1.ScopeManage))
		Expect(shared.ask(t, "PATCH", path, map[string]any{"minimum_score": 80}).Status).To(Equal(200))
		for _, asked := range []struct {
			method, path string
			fields       map[string]any
		}{
			{"POST", "/v1/api/sites", map[string]any{"review_policy": "automatic"}},
			{"POST", "/v1/api/sites", map[string]any{"minimum_score": 1}},
			{"PATCH", path, map[string]any{"review_policy": "automatic"}},
			{"PATCH", path, map[string]any{"minimum_score": 79}},
			{"PATCH", path, map[string]any{"minimum_score": 81}},
			{"PATCH", path, map[string]any{"minimum_score": nil}},
		} {
			body := asked.fields
			if asked.method == "POST" {
				body = byWebhook(hook)
				maps.Copy(body, asked.fields)
			}
			got := shared.ask(manager, asked.method, asked.path, body)
			Expect(got).To(failing(403, "INSUFFICIENT_SCOPE"), "%v: %s", asked, got.Raw)
			Expect(got.Raw).To(ContainSubstring("approve"))
		}
		Expect(shared.ask(manager, "PATCH", path, map[string]any{"review_policy": "manual", "minimum_score": 80, "name": "x"}).Status).To(Equal(200))
		Expect(shared.ask(t, "PATCH", path, map[string]any{"review_policy": "automatic"}).Status).To(Equal(200))
		Expect(t.siteNamed(made.Text("uid")).Spec.Review.Policy).To(Equal(v1alpha1.ReviewAutomatic))
	})

	It("are another tenant's business", func() {
		t, other := newManager(shared), newManager(shared)
		path := "/v1/api/sites/" + shared.ask(t, "POST", "/v1/api/sites", byWebhook(hook)).Text("uid")
		for _, method := range []string{"PATCH", "DELETE"} {
			body := any(map[string]any{"name": "mine"})
			if method == "DELETE" {
				body = nil
			}
			Expect(shared.ask(other, method, path, body)).To(failing(404, "NOT_FOUND"))
			Expect(shared.ask(other, method, path, body, "x-workspace-id", t.Workspace)).To(failing(404, "NOT_FOUND"))
		}
		Expect(shared.ask(other, "POST", "/v1/api/sites", byWebhook(hook), "x-workspace-id", t.Workspace)).To(failing(404, "NOT_FOUND"))
	})

	It("are left to the manifest that has them", func() {
		t := newManager(shared)
		site := &v1alpha1.Site{
			TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Site"},
			ObjectMeta: metav1.ObjectMeta{Namespace: t.Workspace, Name: "applied"},
			Spec:       v1alpha1.SiteSpec{Domain: "a.example", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}},
		}
		Expect(api.Patch(ctx, site, client.Apply, client.FieldOwner("flux"))).To(Succeed()) //nolint:staticcheck // as Flux does
		path := "/v1/api/sites/" + identity.UID(identity.KindSite, t.Workspace, "applied")
		Eventually(func() int { return shared.ask(t, "GET", path, nil).Status }).Should(Equal(200))
		got := shared.ask(t, "PATCH", path, map[string]any{"domain": "b.example", "name": "x"})
		Expect(got).To(failing(409, "CONFLICT"))
		Expect(got.Fields()).To(Equal([]string{"domain"}), got.Raw)
		Expect(shared.ask(t, "PATCH", path, map[string]any{"name": "x"}).Status).To(Equal(200), "the manifest is silent about it")
		got = shared.ask(t, "DELETE", path, nil)
		Expect(got).To(failing(409, "CONFLICT"))
		Expect(got.Raw).To(ContainSubstring("flux"))
	})

	It("are no more than the account may have", func() {
		t := newManager(shared)
		t.changeAccount(func(a *v1alpha1.Account) { a.Spec.Limits.Sites = new(int32(1)) })
		var got testkit.Answer
		Eventually(func() int {
			got = shared.ask(t, "POST", "/v1/api/sites", byWebhook(hook))
			return got.Status
		}).Should(Equal(409))
		Expect(got).To(failing(409, "LIMIT_REACHED"))
	})

	It("are made once under an Idempotency-Key, and show the secret once", func() {
		t := newManager(shared)
		first := shared.ask(t, "POST", "/v1/api/sites", byWebhook(hook), "Idempotency-Key", "one")
		again := shared.ask(t, "POST", "/v1/api/sites", byWebhook(hook), "Idempotency-Key", "one")
		Expect(first.Status).To(Equal(201), first.Raw)
		Expect(again).To(failing(409, "CONFLICT"))
		Expect(again.Raw).To(ContainSubstring(first.Text("uid")))
		Expect(t.siteSecrets()).To(HaveLen(1))
		Expect(shared.ask(t, "POST", "/v1/api/sites", byWebhook(hook+"s"), "Idempotency-Key", "one")).To(failing(409, "CONFLICT"))
	})
})

var _ = Describe("The secret of a site over REST", func() {
	It("is never sent to an address that is typed later", func() {
		t := newManager(shared)
		for _, from := range []map[string]any{byWebhook(hook, "signing_secret", typed), toWordPress("https://new.example.com", typed)} {
			made := shared.ask(t, "POST", "/v1/api/sites", from)
			Expect(made.Status).To(Equal(201), made.Raw)
			path := "/v1/api/sites/" + made.Text("uid")
			elsewhere := "https://elsewhere.example"
			for i, body := range []map[string]any{
				{"connection": map[string]any{"url": elsewhere}},
				{"connection": map[string]any{"url": elsewhere, "payload_format": "html"}},
				{"connection": map[string]any{"url": elsewhere, "password": ""}},
				{"connection": map[string]any{"url": elsewhere, "username": "me"}},
				{"connection": map[string]any{"url": elsewhere, "signing_secret": ""}},
				{"connection": map[string]any{"url": elsewhere, "signing_secret": nil}},
				{"connection": map[string]any{"url": hook + "/"}},
				{"connection": map[string]any{"url": "http://new.example.com/hook"}},
				{"connection": map[string]any{"url": "https://new.example.com@elsewhere.example"}},
				{"connection": map[string]any{"credentialsSecretRef": "x", "url": elsewhere}},
				{"connection": map[string]any{"secret": "x", "url": elsewhere}},
				{"cms_type": "headless", "connection": map[string]any{"url": elsewhere}},
				{"cms_type": "wordpress", "connection": map[string]any{"url": elsewhere}},
				{"cms_type": "wordpress", "connection": map[string]any{"url": elsewhere, "username": "me"}},
				{"cms_type": "shopify", "connection": map[string]any{"shop": "elsewhere.myshopify.com", "blog_id": "1", "author": "A"}},
				{"cms_type": "webflow", "connection": map[string]any{"site_id": strings.Repeat("a", 24), "collection_id": strings.Repeat("b", 24), "body_field": "b"}},
				{"new_signing_secret": true, "connection": map[string]any{"url": elsewhere}},
				{"generator": map[string]any{"baseURL": elsewhere}},
				{"connection": map[string]any{"post_type": "page"}},
				{"cms_type": "none"},
				{"cms_type": "headless", "connection": map[string]any{"url": elsewhere}},
				{"cms_type": "wordpress", "connection": map[string]any{"url": elsewhere, "username": "me", "password": "another password"}},
			} {
				got := shared.ask(t, "PATCH", path, body)
				Expect(got.Status).To(Or(Equal(200), Equal(400)), got.Raw)
				address, secret, boundTo := t.connection(t.siteNamed(made.Text("uid")))
				Expect(boundTo).To(Equal(address), "%d: %v", i, body)
				if address != from["connection"].(map[string]any)["url"] {
					Expect(secret).NotTo(Equal(typed), "%d: %v", i, body)
				}
			}
			Expect(t.siteNamed(made.Text("uid")).Spec.CMS.WordPress.URL).To(Equal(elsewhere))
			for _, stored := range t.siteSecrets() {
				if stored.OwnerReferences[0].Name == made.Text("uid") {
					Expect(stored.Data).To(HaveKeyWithValue("password", []byte("another password")), "what was replaced is deleted")
				}
			}
		}
	})

	It("stays with its address if twenty are typed at once", func() {
		t := newManager(shared)
		other := startForSpec(func(*apiserver.Options) {})
		made := shared.ask(t, "POST", "/v1/api/sites", byWebhook(hook))
		path := "/v1/api/sites/" + made.Text("uid")
		counts, _ := inParallel(20, []*replica{shared, other}, func(r *replica, i int) testkit.Answer {
			body := byWebhook(fmt.Sprintf("https://%d.example.com", i), "signing_secret", fmt.Sprintf("the secret for the address %d", i))
			delete(body, "domain")
			return r.ask(t, "PATCH", path, body)
		})
		Expect(counts).To(Or(HaveKey(200), HaveKey(409)))
		address, secret, boundTo := t.connection(t.siteNamed(made.Text("uid")))
		var n int
		_, err := fmt.Sscanf(address, "https://%d.example.com", &n)
		Expect(err).NotTo(HaveOccurred())
		Expect(secret).To(Equal(fmt.Sprintf("the secret for the address %d", n)))
		Expect(boundTo).To(Equal(address))
		Expect(t.siteSecrets()).To(HaveLen(1), "those that were replaced, and those of edits that failed, are deleted")
	})
})
