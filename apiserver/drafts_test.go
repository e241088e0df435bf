package apiserver_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

var _ = Describe("A draft", func() {
	// draft creates one, and returns its uid.
	draft := func(t *tenant) string {
		GinkgoHelper()
		body := t.written("Trail shoes")
		body["draft"] = true
		made := shared.ask(t, "POST", "/v1/api/blogs", body)
		Expect(made).To(havingStatus(201, "draft"), made.Raw)
		return made.Text("uid")
	}

	It("is no reviewer's business until it is submitted, however often it is edited", func() {
		t := newTenant(shared)
		body := map[string]any{"url": "https://news.example.com/hook", "events": []string{"*"}}
		Expect(shared.ask(t, "POST", "/v1/api/event-subscriptions", body)).To(HaveField("Status", 201))
		uid := draft(t)
		path := "/v1/api/blogs/" + uid
		t.reconcile(uid)
		Expect(shared.ask(t, "PATCH", path, map[string]any{"title": "Better shoes"})).To(havingStatus(200, "draft"))
		t.reconcile(uid)
		Expect(t.article(uid).Status.Transitions).To(BeEmpty())

		Expect(shared.ask(t, "POST", path+"/submit", nil)).To(havingStatus(200, "review"))
		Expect(t.article(uid).Spec.Stage).To(Equal(v1alpha1.StageReview))
		t.reconcile(uid)
		Expect(t.article(uid).Status.Transitions).To(ConsistOf(And(
			HaveField("Type", v1alpha1.EventReadyForReview), HaveField("Dispatch", v1alpha1.DispatchPending))))
		before := t.article(uid).ResourceVersion
		Expect(shared.ask(t, "POST", path+"/submit", "{}")).To(havingStatus(200, "review"))
		Expect(t.article(uid).ResourceVersion).To(Equal(before), "what changes nothing writes nothing")
	})

	It("continues like other articles of its site once it is submitted", func() {
		t := newTenant(shared)
		site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{
			Domain: "approved.example.com", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone},
			Publishing: v1alpha1.SitePublishing{DefaultStage: v1alpha1.DefaultStagePublished},
		}}
		site.Namespace, site.Name = t.Workspace, "approved"
		Expect(api.Create(ctx, site)).To(Succeed())
		t.SiteUID = identity.UID(identity.KindSite, t.Workspace, site.Name)
		t.awaitKnown(shared)
		uid := draft(t)
		Expect(shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/submit", nil)).To(havingStatus(200, "review"))
		Expect(t.article(uid).Spec.Stage).To(Equal(v1alpha1.StagePublished))
	})

	It("is submitted by publishing it, and not out of the archive", func() {
		t := newTenant(shared)
		uid := draft(t)
		path := "/v1/api/blogs/" + uid
		Expect(shared.ask(t, "POST", path+"/publish", nil)).To(havingStatus(200, "review"))
		Expect(shared.ask(t, "POST", path+"/archive", nil)).To(havingStatus(200, "archived"))
		Expect(shared.ask(t, "POST", path+"/submit", nil)).To(failing(409, "CONFLICT"))
	})
})
