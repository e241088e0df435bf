package article_test

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// storeAndFail has a receiver store each request and answer 500.
func (t *tenant) storeAndFail() { t.Receiver.AnswersStatus(http.StatusInternalServerError) }

// storesAndFails has a blog do what it is asked for, and answer each write with 500.
func storesAndFails(b *fakewordpress.Blog) {
	b.Intercept(func(rw http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost {
			return false
		}
		b.Serve(discarded{http.Header{}}, r)
		rw.WriteHeader(http.StatusInternalServerError)
		return true
	})
}

// discarded is an answer that is lost.
type discarded struct{ header http.Header }

func (d discarded) Header() http.Header         { return d.header }
func (d discarded) Write(b []byte) (int, error) { return len(b), nil }
func (d discarded) WriteHeader(int)             {}

var _ = Describe("What the site may have of an article", func() {
	var (
		t     *tenant
		key   client.ObjectKey
		first *v1alpha1.Article
	)

	Context("that is sent by webhook, and whose update was stored and answered with 500", func() {
		BeforeEach(func() {
			t = newTenant()
			t.CreateSite(updated)
			key = t.CreateArticle("shoes", WithText("Shoes", "Run far."))
			t.ReconcileUntilStable(key)
			t.ApproveAndPublish(key)
			first = t.ReconcileUntilStable(key)
			t.storeAndFail()
			t.edit(key, "Run near.")
			a := t.decide(key, v1alpha1.DecisionApproved)
			Expect(a.Status.Publication.Post).To(And(HaveField("State", v1alpha1.PostUncertain),
				HaveField("Revision.Digest", live(first)), HaveField("Maybe.Revision.Digest", a.Status.Revision.Digest)))
			t.Receiver.AnswersStatus(http.StatusOK)
		})

		It("becomes the approved text again if the manifest goes back to it", func() {
			a := t.edit(key, "Run far.")
			Expect(t.received()).To(HaveExactElements("Run far.", "Run near.", "Run far."))
			Expect(live(a)).To(Equal(live(first)))
			Expect(a.Status.Publication.Post.State).To(Equal(v1alpha1.PostPresent))
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		})

		It("becomes the approved text again if the new one is rejected", func() {
			a := t.decide(key, v1alpha1.DecisionRejected)
			Expect(t.received()).To(HaveExactElements("Run far.", "Run near.", "Run far."))
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/Rejected"))
			Expect(a.Status.Publication.Post.State).To(Equal(v1alpha1.PostPresent))
		})

		It("stays in doubt while the site does not accept the approved text, and says so", func() {
			t.storeAndFail()
			t.edit(key, "Run far.")
			var a *v1alpha1.Article
			for range 4 {
				t.Clock.Step(10 * time.Minute)
				a = t.ReconcileUntilStable(key)
			}
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/SiteUncertain"))
			Expect(Reason(a, v1alpha1.ConditionReady)).To(HavePrefix("True/"))
			t.Receiver.AnswersStatus(http.StatusOK)
			t.EditArticle(key, func(a *v1alpha1.Article) {
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RedeliverAnnotation, "again")
			})
			Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		})

		It("is said of an article that is archived and keeps its post, and nothing is sent", func() {
			t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageArchived })
			a := t.ReconcileUntilStable(key)
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/SiteUncertain"))
			Expect(t.received()).To(HaveLen(2))
		})
	})

	Context("at a CMS whose answers are lost", func() {
		var b *fakewordpress.Blog
		stage := func(stage v1alpha1.ArticleStage) *v1alpha1.Article {
			GinkgoHelper()
			t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Stage = stage })
			return t.ReconcileUntilStable(key)
		}
		BeforeEach(func() {
			t, b = newTenant(), fakewordpress.New()
			DeferCleanup(b.Close)
			t.createCredentials(b.Password)
			t.CreateSite(t.isWordPress(b.URL), func(s *v1alpha1.Site) { s.Spec.Publishing.Removal = v1alpha1.RemovalUnpublish })
		})

		It("is published again if the article comes back from the archive before the post is known to be taken back", func() {
			key = t.CreateArticle("shoes", WithText("Shoes", "Grip."), ToBePublished, ApprovedInManifest)
			t.ReconcileUntilStable(key)
			storesAndFails(b)
			stage(v1alpha1.StageArchived)
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))
			b.Intercept(nil)
			a := stage(v1alpha1.StagePublished)
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "publish")))
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		})

		It("is taken back if the article is archived before its first text is known to be there", func() {
			storesAndFails(b)
			key = t.CreateArticle("shoes", WithText("Shoes", "Grip."), ToBePublished, ApprovedInManifest)
			t.ReconcileUntilStable(key)
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "publish")))
			b.Intercept(nil)
			a := stage(v1alpha1.StageArchived)
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))
			Expect(a.Status.Publication.Post.State).To(Equal(v1alpha1.PostAbsent))
		})

		It("is taken back if somebody asks for that before the first text is known to be there", func() {
			storesAndFails(b)
			key = t.CreateArticle("shoes", WithText("Shoes", "Grip."), ToBePublished, ApprovedInManifest)
			t.ReconcileUntilStable(key)
			b.Intercept(nil)
			t.EditArticle(key, func(a *v1alpha1.Article) {
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.UnpublishAnnotation, "1")
			})
			Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("False/Unpublished"))
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))
		})

		It("is written again where a lost answer was of another text, and not where a person has changed it since", func() {
			t.EditSite(updated)
			key = t.CreateArticle("shoes", WithText("Shoes", "Grip."))
			t.ReconcileUntilStable(key)
			t.ApproveAndPublish(key)
			t.ReconcileUntilStable(key)
			storesAndFails(b)
			t.edit(key, "Slip.")
			t.decide(key, v1alpha1.DecisionApproved)
			Expect(b.Posts()).To(ConsistOf(HaveField("Content", ContainSubstring("Slip."))))
			b.Intercept(nil)
			a := t.decide(key, v1alpha1.DecisionRejected)
			Expect(b.Posts()).To(ConsistOf(HaveField("Content", ContainSubstring("Grip."))))
			Expect(a.Status.Publication.Post.State).To(Equal(v1alpha1.PostPresent))
		})
	})

	It("sends the same bytes in every retry of a cycle, even if somebody approves meanwhile", func() {
		t = newTenant()
		t.CreateSite(func(s *v1alpha1.Site) {
			s.Spec.Review.Policy, s.Spec.CMS.Headless.Disclosure = v1alpha1.ReviewAutomatic, v1alpha1.HeadlessDisclosureSend
		})
		t.storeAndFail()
		key = t.CreateArticle("shoes", WithKeyword, ToBePublished)
		t.ReconcileUntilStable(key)
		t.decide(key, v1alpha1.DecisionApproved)
		t.Receiver.AnswersStatus(http.StatusOK)
		t.Clock.Step(time.Hour)
		a := t.ReconcileUntilStable(key)
		sent := t.Receiver.Received()
		Expect(sent).To(HaveLen(2))
		Expect(sent[1].Body).To(Equal(sent[0].Body))
		Expect(a.Status.Publication.Post.Revision.Disclosure).To(Equal(v1alpha1.DisclosureAIAutonomous))
	})

	It("is said of the address that accepted it, and not of one that refused", func() {
		t = newTenant()
		t.CreateSite()
		key = t.CreateArticle("shoes", WithText("Shoes", "Run far."), ToBePublished, ApprovedInManifest)
		t.ReconcileUntilStable(key)
		t.storeAndFail()
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL += "/elsewhere" })
		t.EditArticle(key, func(a *v1alpha1.Article) {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RedeliverAnnotation, "there")
		})
		a := t.ReconcileUntilStable(key)
		var list v1alpha1.PostList
		Expect(api.List(t.Ctx, &list, client.InNamespace(t.Namespace))).To(Succeed())
		states := map[string]string{}
		for i := range list.Items {
			states[strconv.FormatBool(list.Items[i].Name == a.Status.Publication.Post.Name)] = fmt.Sprint(
				list.Items[i].Spec.State, " ", list.Items[i].Spec.PublishTime != nil, " ", len(list.Items[i].Spec.Records))
		}
		Expect(states).To(Equal(map[string]string{"true": "Published true 1", "false": "Sent false 0"}))
	})

	It("is in no way changed by a setting of the Site", func() {
		t = newTenant()
		t.CreateSite()
		key = t.CreateArticle("shoes", WithText("Shoes", "Run far."), ToBePublished, ApprovedInManifest)
		before := t.ReconcileUntilStable(key)
		t.EditSite(updated)
		Expect(t.ReconcileUntilStable(key).ResourceVersion).To(Equal(before.ResourceVersion))
	})

	It("is delivered by a redelivery once the site is sent webhooks", func() {
		t = newTenant()
		hook := t.CreateSite().Spec.CMS
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		key = t.CreateArticle("shoes", WithText("Shoes", "Run far."), ToBePublished, ApprovedInManifest)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.CMS = hook })
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.Receiver.Received()).To(BeEmpty())
		t.EditArticle(key, func(a *v1alpha1.Article) {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RedeliverAnnotation, "1")
		})
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		Expect(t.Receiver.Received()).To(HaveLen(1))
	})
})
