package apiserver_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("A request to publish", func() {
	It("can be taken back, with its time", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		path := "/v1/api/blogs/" + uid
		shared.ask(t, "POST", path+"/approve", nil)
		at := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
		Expect(shared.ask(t, "POST", path+"/publish", map[string]any{"publish_at": at}).Text("publish_at")).To(HavePrefix(at.Format("2006-01-02T15:04:05")))

		back := shared.ask(t, "POST", path+"/cancel-publication", nil)
		Expect(back).To(havingStatus(200, "approved"))
		Expect(back.Body).To(HaveKeyWithValue("publish_at", BeNil()))
		Expect(t.article(uid).Spec.Stage).To(Equal(v1alpha1.StageReview))
		Expect(t.article(uid).Spec.PublishAfter).To(BeNil())
		before := t.article(uid).ResourceVersion
		Expect(shared.ask(t, "POST", path+"/cancel-publication", "{}")).To(havingStatus(200, "approved"))
		Expect(t.article(uid).ResourceVersion).To(Equal(before), "what changes nothing writes nothing")

		By("leaving a time that was set by hand, which then means nothing")
		patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"stage":"Published","publishAfter":"2099-01-01T00:00:00Z"}}`))
		Expect(api.Patch(ctx, t.article(uid), patch, client.FieldOwner("kubectl-edit"))).To(Succeed())
		Expect(shared.ask(t, "POST", path+"/cancel-publication", nil).Body).To(HaveKeyWithValue("publish_at", BeNil()))
		Expect(shared.ask(t, "POST", path+"/publish", nil)).To(havingStatus(200, "approved"))
	})

	It("cannot be taken back once the article is published or archived", func() {
		t := newTenant(shared)
		path := "/v1/api/blogs/" + t.pulled(shared)
		Expect(shared.ask(t, "POST", path+"/cancel-publication", nil)).To(failing(409, "CONFLICT"))
		shared.ask(t, "POST", path+"/archive", nil)
		Expect(shared.ask(t, "POST", path+"/cancel-publication", nil)).To(failing(409, "CONFLICT"))
	})
})

var _ = Describe("The delivery of an article", func() {
	It("shows its attempts and the receiver's last answer", func() {
		t := newTenant(shared)
		uid := t.approved(shared)
		path := "/v1/api/blogs/" + uid + "/deliveries"
		none := shared.ask(t, "GET", path, nil)
		Expect(none.Status).To(Equal(200), none.Raw)
		Expect(none.Body).To(And(HaveKeyWithValue("state", "none"), HaveKeyWithValue("data", BeEmpty()), HaveKeyWithValue("last_answer", BeNil())))

		t.deliver(uid, http.StatusServiceUnavailable)
		var got testkit.Answer
		Eventually(func() string { got = shared.ask(t, "GET", path, nil); return got.Text("state") }).Should(Equal("retry_scheduled"))
		Expect(got.Body).To(HaveKeyWithValue("next_attempt_at", Not(BeNil())))
		Expect(got.Body["data"]).To(ConsistOf(HaveKeyWithValue("attempts", ConsistOf(And(
			HaveKeyWithValue("number", BeEquivalentTo(1)), HaveKeyWithValue("outcome", "rejected"), HaveKeyWithValue("http_status", BeEquivalentTo(503)),
		)))))
		Expect(got.Body["last_answer"]).To(HaveKeyWithValue("http_status", BeEquivalentTo(503)))
		Expect(shared.ask(newTenant(shared), "GET", path, nil)).To(failing(404, "NOT_FOUND"))
	})
})

var _ = Describe("What a manifest has", func() {
	It("is not deleted: the tool that applies it would make it again", func() {
		t := newTenant(shared)
		a := &v1alpha1.Article{}
		a.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Article"))
		a.Namespace, a.Name = t.Workspace, "in-git"
		a.Spec = v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: t.Site}, Content: &v1alpha1.ArticleContent{Title: "T", Markdown: "M"},
		}
		Expect(api.Patch(ctx, a, client.Apply, client.FieldOwner("flux"))).To(Succeed()) //nolint:staticcheck // as Flux does
		path := "/v1/api/blogs/" + identity.UID(identity.KindArticle, t.Workspace, "in-git")
		Eventually(func() testkit.Answer { return shared.ask(t, "GET", path, nil) }).Should(havingStatus(200, "review"))
		refused := shared.ask(t, "DELETE", path, nil)
		Expect(refused).To(failing(409, "CONFLICT"))
		Expect(refused.Raw).To(ContainSubstring("flux"))
		Expect(t.articles()).To(HaveLen(1))

		s := &v1alpha1.EventSubscription{Spec: v1alpha1.EventSubscriptionSpec{
			URL: "https://hooks.example.com/x", Events: []v1alpha1.EventSelector{v1alpha1.SelectAll},
			SigningSecretRef: v1alpha1.SecretKeyReference{Name: "hook", Key: "secret"},
		}}
		s.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("EventSubscription"))
		s.Namespace, s.Name = t.Workspace, "in-git"
		Expect(api.Patch(ctx, s, client.Apply, client.FieldOwner("flux"))).To(Succeed()) //nolint:staticcheck // as Flux does
		one := subscriptions + "/" + identity.UID(identity.KindEventSubscription, t.Workspace, "in-git")
		Expect(shared.ask(t, "DELETE", one, nil)).To(failing(409, "CONFLICT"))
		Expect(t.subscription("in-git").DeletionTimestamp).To(BeNil())
	})

	It("is deleted if a tool applies only labels to it", func() {
		t := newTenant(shared)
		uid := t.inReview(shared)
		shared.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil)
		labels := &metav1.PartialObjectMetadata{}
		labels.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Article"))
		labels.Namespace, labels.Name, labels.Labels = t.Workspace, uid, map[string]string{"team": "a"}
		Expect(api.Patch(ctx, labels, client.Apply, client.FieldOwner("labeler"))).To(Succeed()) //nolint:staticcheck // as such tools do
		Expect(shared.ask(t, "DELETE", "/v1/api/blogs/"+uid, nil).Status).To(Equal(204))
	})
})
