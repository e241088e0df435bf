package article_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
	"github.com/pressroom-dev/pressroom/test/imagehost"
)

var _ = Describe("A featured image", func() {
	var (
		t *tenant
		h *imagehost.Host
	)
	BeforeEach(func() {
		t, h = newTenant(), imagehost.New()
		DeferCleanup(h.Close)
	})
	illustrated := func() client.ObjectKey {
		GinkgoHelper()
		return t.CreateArticle("shoes", WithText("Shoes", "Grip is all."), func(a *v1alpha1.Article) { a.Spec.Content.Image = h.Image() })
	}

	It("is fetched for the revision, which names the file, and sent while it is the same", func() {
		t.CreateSite()
		key := illustrated()
		a := t.ReconcileUntilStable(key)
		Expect(t.Revision(a).Spec.Image).To(Equal(h.Reviewed()))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/AwaitingReview"))
		t.Client.Writes()
		t.ReconcileUntilStable(key)
		Expect(t.Client.Writes()).To(BeEmpty())
		Expect(h.Fetched()).To(Equal(1))
		t.ApproveAndPublish(key)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.Receiver.Received()).To(HaveExactElements(HaveField("Body",
			ContainSubstring(`"featured_image":{"url":"`+h.URL+`/shoes.png","alt":"A pair of shoes"}`))))
		Expect(h.Fetched()).To(Equal(2))
	})

	It("is not sent if it has changed since the review; an edit has the new one reviewed", func() {
		t.CreateSite()
		key := illustrated()
		first := t.ReconcileUntilStable(key)
		h.Put(imagehost.PNG(60, 40))
		t.ApproveAndPublish(key)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/ImageChanged"))
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/DeliveryFailed"))
		Expect(a.Status.Publication.Attempts).To(HaveExactElements(And(
			HaveField("Outcome", v1alpha1.AttemptNotSent), HaveField("ErrorClass", v1alpha1.ErrorImageChanged))))
		Expect(t.Receiver.Received()).To(BeEmpty())

		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content.Image.URL += "?v=2" })
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Revision.Digest).NotTo(Equal(first.Status.Revision.Digest))
		Expect(t.Revision(a).Spec.Image.Width).To(Equal(int32(60)))
		Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("False/ContentChanged"))
		t.ApproveAndPublish(key)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.Receiver.Received()).To(HaveLen(1))
	})

	It("is fetched again later if its host fails, or the file is no image, and not before", func() {
		t.CreateSite()
		h.Answer(http.StatusBadGateway)
		key := illustrated()
		expectWaiting := func(reason string, message string, fetched int) {
			GinkgoHelper()
			a := t.ReconcileUntilStable(key)
			Expect(a.Status.Revision).To(BeNil())
			Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/" + reason))
			Expect(Reason(a, v1alpha1.ConditionApproved)).To(Equal("False/" + reason))
			Expect(a.Status.Conditions).To(ContainElement(HaveField("Message", ContainSubstring(message))))
			Expect(h.Fetched()).To(Equal(fetched))
		}
		expectWaiting(v1alpha1.ReasonImageUnavailable, "502 Bad Gateway", 1)
		t.Clock.Step(9 * time.Second)
		expectWaiting(v1alpha1.ReasonImageUnavailable, "502 Bad Gateway", 1)
		h.Answer(http.StatusOK)
		h.Put([]byte("<!DOCTYPE html>"))
		t.Clock.Step(time.Second)
		expectWaiting(v1alpha1.ReasonInvalidImage, "no JPEG, PNG, WebP or GIF", 2)
		t.Clock.Step(39 * time.Second)
		expectWaiting(v1alpha1.ReasonInvalidImage, "no JPEG, PNG, WebP or GIF", 2)
		h.Put(imagehost.PNG(30, 20))
		t.Clock.Step(time.Second)
		Expect(t.Revision(t.ReconcileUntilStable(key)).Spec.Image).To(Equal(h.Reviewed()))
	})

	It("is not fetched from an address that is not public", func() {
		t.CreateSite()
		key := t.CreateArticle("shoes", WithText("Shoes", "Grip is all."), func(a *v1alpha1.Article) {
			a.Spec.Content.Image = &v1alpha1.ArticleImage{URL: "http://169.254.169.254/latest/meta-data/", Alt: "Shoes"}
		})
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/InvalidImage"))
		Expect(a.Status.Revision).To(BeNil())
	})

	It("is retried at publication while its host fails", func() {
		t.CreateSite()
		key := illustrated()
		t.ReconcileUntilStable(key)
		h.Answer(http.StatusServiceUnavailable)
		t.ApproveAndPublish(key)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/RetryScheduled"))
		Expect(t.Receiver.Received()).To(BeEmpty())
		h.Answer(http.StatusOK)
		t.Clock.Step(time.Minute)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("is not sent by a retry if it has changed since the attempt before", func() {
		t.CreateSite()
		key := illustrated()
		t.ReconcileUntilStable(key)
		t.Receiver.AnswersStatus(http.StatusServiceUnavailable)
		t.ApproveAndPublish(key)
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("False/RetryScheduled"))
		h.Put(imagehost.PNG(60, 40))
		t.Receiver.AnswersStatus(http.StatusOK)
		t.Clock.Step(time.Minute)
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("False/ImageChanged"))
		Expect(t.Receiver.Received()).To(HaveLen(1))
	})

	It("is fetched by the process that follows one which ended during that", func() {
		t.CreateSite()
		key := illustrated()
		t.Reconcile(key)
		t.Restart()
		Expect(t.Revision(t.ReconcileUntilStable(key)).Spec.Image).To(Equal(h.Reviewed()))
	})

	It("is that of the revision which the site has after the article was created again, without a fetch", func() {
		t.CreateSite()
		key := illustrated()
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		before := t.ReconcileUntilStable(key)
		rev := t.Revision(before)
		rev.OwnerReferences = nil
		Expect(t.API.Update(t.Ctx, rev)).To(Succeed())
		Expect(t.API.Delete(t.Ctx, before)).To(Succeed())
		t.Reconcile(key)
		again := t.ReconcileUntilStable(illustrated())
		Expect(again.Status.Revision.Digest).To(Equal(before.Status.Revision.Digest))
		Expect(again.Status.Revision.Number).To(Equal(before.Status.Revision.Number))
		Expect(again.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(h.Fetched()).To(Equal(2))
	})

	It("is uploaded to WordPress and shown there", func() {
		b := fakewordpress.New()
		DeferCleanup(b.Close)
		t.createCredentials(b.Password)
		t.CreateSite(t.isWordPress(b.URL))
		key := illustrated()
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(b.Files()).To(HaveExactElements(And(
			HaveField("AltText", "A pair of shoes"), HaveField("File", imagehost.PNG(30, 20)),
			HaveField("Name", HavePrefix(h.Reviewed().SHA256)))))
		Expect(b.Posts()).To(HaveExactElements(HaveField("FeaturedMedia", b.Files()[0].ID)))
	})
})
