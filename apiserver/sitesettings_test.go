package apiserver_test

import (
	"maps"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// newSite connects a site by a webhook, and returns its path and the site.
func (t *tenant) newSite() (path string, site *v1alpha1.Site) {
	GinkgoHelper()
	body := byWebhook(hook)
	maps.Copy(body, map[string]any{"name": "New", "minimum_score": 70, "voice": map[string]any{"tone": "dry", "avoid_words": []string{"unleash"}}})
	made := shared.ask(t, "POST", "/v1/api/sites", body)
	Expect(made.Status).To(Equal(http.StatusCreated), made.Raw)
	return "/v1/api/sites/" + made.Text("uid"), t.siteNamed(made.Text("uid"))
}

// settingsOf are the members of a site that update-site takes.
func settingsOf(got testkit.Answer) map[string]any {
	settings := map[string]any{}
	for _, name := range []string{
		"domain", "cms_type", "name", "voice", "review_policy", "minimum_score", "default_stage", "suspended", "connection",
	} {
		settings[name] = got.Body[name]
	}
	return settings
}

var _ = Describe("The settings of a site over REST", func() {
	It("can be written as they were read", func() {
		t := newManager(shared)
		path, before := t.newSite()
		read := shared.ask(t, "GET", path, nil)
		Expect(read.Body).To(HaveKeyWithValue("connection", map[string]any{"url": hook, "payload_format": "json", "disclosure": ""}))
		got := shared.ask(t, "PATCH", path, settingsOf(read))
		Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
		Expect(settingsOf(got)).To(Equal(settingsOf(read)))
		Expect(got.Raw).NotTo(ContainSubstring("signing_secret"))
		after := t.siteNamed(before.Name)
		Expect(after.Spec.CMS).To(Equal(before.Spec.CMS), "the credential stays")
		Expect(after.Spec.Review).To(Equal(before.Spec.Review))
	})

	It("say how the site is connected to those alone who manage it", func() {
		t := newManager(shared)
		path, _ := t.newSite()
		reader := t.with(t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove))
		Expect(shared.ask(t, "GET", path, nil).Raw).To(ContainSubstring(hook))
		got := shared.ask(reader, "GET", path, nil)
		Expect(got.Body).To(And(HaveKeyWithValue("connection", BeEmpty()), HaveKeyWithValue("host", "new.example.com")))
		Expect(got.Raw).NotTo(ContainSubstring(hook))
	})

	It("have the default again after null", func() {
		t := newManager(shared)
		path, site := t.newSite()
		got := shared.ask(t, "PATCH", path, map[string]any{
			"name": nil, "minimum_score": nil, "voice": map[string]any{"tone": nil, "avoid_words": nil}, "domain": nil,
			"connection": map[string]any{"payload_format": "html"},
		})
		Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
		Expect(got.Body).To(And(HaveKeyWithValue("name", "new.example.com"), HaveKeyWithValue("minimum_score", 0.0),
			HaveKeyWithValue("voice", And(HaveKeyWithValue("tone", ""), HaveKeyWithValue("avoid_words", BeEmpty())))))
		got = shared.ask(t, "PATCH", path, map[string]any{"connection": map[string]any{"payload_format": nil}})
		Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
		Expect(t.siteNamed(site.Name).Spec.CMS.Headless.PayloadFormat).To(Equal(v1alpha1.PayloadJSON))
	})

	It("are guarded by If-Match, which the controller's own writes do not break", func() {
		t := newManager(shared)
		path, site := t.newSite()
		read := shared.ask(t, "GET", path, nil).Header.Get("ETag")
		Expect(shared.ask(t, "PATCH", path, map[string]any{"name": "x"}, "If-Match", `"nope"`)).To(failing(412, "PRECONDITION_FAILED"))
		Expect(t.siteNamed(site.Name).Spec.DisplayName).To(Equal("New"))

		seen := t.siteNamed(site.Name)
		old := seen.DeepCopy()
		seen.Status.ObservedGeneration = seen.Generation
		Expect(api.Status().Patch(ctx, seen, client.MergeFrom(old))).To(Succeed())
		mine := shared.ask(t, "PATCH", path, map[string]any{"name": "Mine"}, "If-Match", read)
		Expect(mine.Status).To(Equal(http.StatusOK), mine.Raw)
		Expect(shared.ask(t, "PATCH", path, map[string]any{"name": "Other"}, "If-Match", read)).To(failing(412, "PRECONDITION_FAILED"))
		Expect(shared.ask(t, "DELETE", path, nil, "If-Match", read)).To(failing(412, "PRECONDITION_FAILED"))
		Expect(shared.ask(t, "DELETE", path, nil, "If-Match", mine.Header.Get("ETag")).Status).To(Equal(http.StatusNoContent))
	})

	It("are not changed by somebody who expects others", func() {
		t := newManager(shared)
		path, site := t.newSite()
		read := settingsOf(shared.ask(t, "GET", path, nil))
		Expect(shared.ask(t, "PATCH", path, map[string]any{"review_policy": "automatic", "voice": map[string]any{"tone": "calm"}}).Status).To(Equal(200))
		got := shared.ask(t, "PATCH", path, map[string]any{"name": "Other", "expected": read})
		Expect(got).To(failing(409, "CONFLICT"))
		Expect(got.Body["error"]).To(HaveKeyWithValue("reason", "settings_changed"))
		Expect(got.Fields()).To(Equal([]string{"review_policy", "voice.tone"}), got.Raw)
		Expect(got.Raw).To(ContainSubstring(`is \"automatic\" now`))
		Expect(t.siteNamed(site.Name).Spec.DisplayName).To(Equal("New"))
		some := map[string]any{"domain": read["domain"], "connection": read["connection"]}
		Expect(shared.ask(t, "PATCH", path, map[string]any{"name": "Other", "expected": some}).Status).To(Equal(200), "the rest may be anything")
	})

	It("suspend the site, unless an operator has", func() {
		t := newManager(shared)
		path, site := t.newSite()
		for _, suspended := range []bool{true, false, true} {
			got := shared.ask(t, "PATCH", path, map[string]any{"suspended": suspended})
			Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
			Expect(got.Body).To(HaveKeyWithValue("suspended", suspended))
			Expect(t.siteNamed(site.Name).Spec.Suspend).To(Equal(suspended))
		}
		Expect(shared.ask(t, "PATCH", path, map[string]any{"suspended": nil}).Body).To(HaveKeyWithValue("suspended", false))

		byOperator := t.siteNamed(site.Name)
		old := byOperator.DeepCopy()
		byOperator.Spec.Suspend = true
		Expect(api.Patch(ctx, byOperator, client.MergeFrom(old), client.FieldOwner("pressroom-operator"))).To(Succeed())
		for _, suspended := range []any{false, nil} {
			got := shared.ask(t, "PATCH", path, map[string]any{"suspended": suspended})
			Expect(got).To(failing(409, "CONFLICT"))
			Expect(got.Body["error"]).To(HaveKeyWithValue("reason", "suspended"))
		}
		Expect(shared.ask(t, "PATCH", path, map[string]any{"suspended": true, "name": "Other"}).Status).To(Equal(http.StatusOK))
	})

	It("say when the site was created, and when they were last written", func() {
		t := newManager(shared)
		path, _ := t.newSite()
		got := shared.ask(t, "PATCH", path, map[string]any{"name": "Other"})
		created, err := time.Parse(time.RFC3339Nano, got.Text("created_at"))
		Expect(err).NotTo(HaveOccurred())
		updated, err := time.Parse(time.RFC3339Nano, got.Text("updated_at"))
		Expect(err).NotTo(HaveOccurred())
		Expect(updated).NotTo(BeTemporally("<", created))
		Eventually(func(g Gomega) {
			indexed := shared.ask(t, "GET", path, nil, "x-workspace-id", "")
			g.Expect(indexed.Header.Get("ETag")).To(Equal(got.Header.Get("ETag")), "the index says the same as kube-apiserver")
		}).Should(Succeed())
	})

	It("speak to clients, and not to operators", func() {
		t := newManager(shared)
		path, site := t.newSite()
		old := site.DeepCopy()
		site.Status.Conditions = []metav1.Condition{
			{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonSecretNotFound,
				Message: `the Secret "s" does not exist in this namespace`, LastTransitionTime: metav1.Now(), ObservedGeneration: site.Generation},
			{Type: v1alpha1.ConditionConnected, Status: metav1.ConditionUnknown, Reason: v1alpha1.ReasonNotTested,
				Message: "not tested; pressroom.dev/test-connection tests it", LastTransitionTime: metav1.Now(), ObservedGeneration: site.Generation},
		}
		Expect(api.Status().Patch(ctx, site, client.MergeFrom(old))).To(Succeed())
		Eventually(func(g Gomega) {
			got := shared.ask(t, "GET", path, nil)
			g.Expect(got.Body).To(HaveKeyWithValue("status_message", "a credential is missing: enter it again, or make a new one"))
			g.Expect(got.Body["connection_status"]).To(HaveKeyWithValue("message", "the connection has not been tested as it is now"))
		}).Should(Succeed())
	})
})
