package apiserver_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("A site's connection over REST", func() {
	It("is tested by a nonce, and its outcome is shown with the site", func() {
		t := newTenant(shared)
		t.connect()
		path := "/v1/api/sites/" + t.SiteUID
		started := shared.ask(t, "POST", path+"/test", nil)
		Expect(started.Status).To(Equal(202), started.Raw)
		site := t.SiteObject()
		Expect(site.Annotations).To(HaveKeyWithValue(v1alpha1.TestConnectionAnnotation, started.Text("nonce")))
		Expect(shared.ask(t, "POST", path+"/test", nil)).To(failing(409, "CONFLICT"), "it is asked for already")

		t.tested(started.Text("nonce"))
		Eventually(func(g Gomega) {
			got := shared.ask(t, "GET", path, nil, "x-workspace-id", "")
			g.Expect(got.Status).To(Equal(200), got.Raw)
			g.Expect(got.Body).To(And(HaveKeyWithValue("success", true), HaveKeyWithValue("uid", t.SiteUID),
				HaveKeyWithValue("cms_type", "headless"), HaveKeyWithValue("status", "active")))
			g.Expect(got.Body["connection_status"]).To(Equal(map[string]any{
				"state": "failed", "reason": "receiver_rejected", "message": "the receiver answered 503",
				"last_test": map[string]any{
					"nonce": started.Text("nonce"), "started_at": "2026-11-20T09:00:00.000Z", "outcome": "rejected",
					"error_class": "server_error", "http_status": float64(503), "milliseconds": float64(12),
					"message": "the receiver answered 503", "snippet": "down",
				},
			}))
		}).Should(Succeed())
		Expect(shared.ask(t, "POST", path+"/test", nil).Status).To(Equal(202), "once it has ended")
	})

	It("is tested once under an Idempotency-Key", func() {
		t := newTenant(shared)
		t.connect()
		path := "/v1/api/sites/" + t.SiteUID + "/test"
		first := shared.ask(t, "POST", path, nil, "Idempotency-Key", "k")
		Expect(first.Status).To(Equal(202), first.Raw)
		t.tested(first.Text("nonce"))
		version := t.SiteObject().ResourceVersion
		again := shared.ask(t, "POST", path, nil, "Idempotency-Key", "k")
		Expect(again.Status).To(Equal(202), again.Raw)
		Expect(again.Raw).To(Equal(first.Raw))
		Expect(again.Header.Get("Idempotent-Replayed")).To(Equal("true"))
		Expect(first.Header.Get("Idempotent-Replayed")).To(BeEmpty())
		Expect(t.SiteObject().ResourceVersion).To(Equal(version), "nothing is sent again")
		other := shared.ask(t, "POST", "/v1/api/generate", t.generate("trail shoes"), "Idempotency-Key", "k")
		Expect(other).To(failing(409, "CONFLICT"))
		Expect(other.Raw).To(ContainSubstring("idempotency_key_reused"))
		Expect(shared.ask(t, "POST", path, nil, "Idempotency-Key", "another").Text("nonce")).NotTo(Equal(first.Text("nonce")))
	})

	It("cannot be tested if nothing is sent, by other accounts, or without the scope", func() {
		t, other := newTenant(shared), newTenant(shared)
		path := "/v1/api/sites/" + t.SiteUID
		Expect(shared.ask(t, "POST", path+"/test", nil)).To(failing(409, "CONFLICT"), "a site that pulls")
		for _, stranger := range []*tenant{other, t.with(other.Key)} {
			Expect(shared.ask(stranger, "GET", path, nil)).To(failing(404, "NOT_FOUND"))
			Expect(shared.ask(stranger, "POST", path+"/test", nil)).To(failing(404, "NOT_FOUND"))
		}
		reader := t.with(t.newKey(v1alpha1.ScopeRead))
		Expect(shared.ask(reader, "GET", path, nil).Status).To(Equal(200))
		Expect(shared.ask(reader, "POST", path+"/test", nil)).To(failing(403, "INSUFFICIENT_SCOPE"))
		for _, uid := range []string{"acme", "0198f0a1-0000-7000-8000-000000000009"} {
			Expect(shared.ask(t, "GET", "/v1/api/sites/"+uid, nil)).To(failing(404, "NOT_FOUND"))
		}
		Expect(t.SiteObject().Annotations).NotTo(HaveKey(v1alpha1.TestConnectionAnnotation))
	})
})

// connect gives the tenant's site a webhook.
func (t *tenant) connect() {
	GinkgoHelper()
	site := t.SiteObject()
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
		URL: "https://hooks.example.com/articles", SigningSecretRef: v1alpha1.SecretKeyReference{Name: "hook", Key: "secret"},
	}}
	Expect(api.Update(ctx, site)).To(Succeed())
}

// tested writes a test's outcome as the controller does.
func (t *tenant) tested(nonce string) {
	GinkgoHelper()
	site := t.SiteObject()
	site.Status.ObservedGeneration = site.Generation
	site.Status.Conditions = []metav1.Condition{
		{
			Type: v1alpha1.ConditionConnected, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonReceiverRejected,
			Message: "the receiver answered 503", ObservedGeneration: site.Generation, LastTransitionTime: metav1.Now(),
		},
		{
			Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonConfigured,
			ObservedGeneration: site.Generation, LastTransitionTime: metav1.Now(),
		},
	}
	site.Status.HandledRequests = []v1alpha1.HandledRequest{{Name: "test-connection", Nonce: nonce}}
	site.Status.ConnectionTest = &v1alpha1.ConnectionTest{
		ConnectionHash: strings.Repeat("0", 64), ID: "0198f0a1-0000-7000-8000-000000000001",
		StartTime: v1alpha1.NewMicroTime(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)), Snippet: "down",
		AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptRejected, ErrorClass: v1alpha1.ErrorServer, HTTPStatus: 503, Milliseconds: 12,
			Message: "the receiver answered 503",
		},
	}
	Expect(api.Status().Update(ctx, site)).To(Succeed())
}
