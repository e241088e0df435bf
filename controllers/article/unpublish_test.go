package article_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

var _ = Describe("Unpublishing", func() {
	var (
		t   *tenant
		b   *fakewordpress.Blog
		key client.ObjectKey
	)
	annotate := func(names ...string) *v1alpha1.Article {
		GinkgoHelper()
		t.Clock.Step(time.Minute)
		t.EditArticle(key, func(a *v1alpha1.Article) {
			for _, name := range names {
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, name, t.Clock.Now().String())
			}
		})
		return t.ReconcileUntilStable(key)
	}
	// endProcess asks to unpublish the article, and ends the process before the first write for which cut reports true.
	endProcess := func(cut func() bool) {
		GinkgoHelper()
		t.EditArticle(key, func(a *v1alpha1.Article) {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.UnpublishAnnotation, t.Clock.Now().String())
		})
		t.Client.Before = func(string) error {
			if cut() {
				return ErrCutOff
			}
			return nil
		}
		for range 3 {
			_, err := t.Articles.Reconcile(t.Ctx, Request(key))
			_, postErr := t.Posts.Reconcile(t.Ctx, Request(key))
			Expect(errors.Join(err, postErr)).To(Or(Not(HaveOccurred()), MatchError(ErrCutOff)))
			t.AwaitWork()
		}
		t.EndProcess()
	}
	stage := func(stage v1alpha1.ArticleStage) *v1alpha1.Article {
		GinkgoHelper()
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Stage = stage })
		return t.ReconcileUntilStable(key)
	}
	postOf := func() v1alpha1.PostSpec {
		GinkgoHelper()
		posts := &v1alpha1.PostList{}
		Expect(api.List(t.Ctx, posts, client.InNamespace(t.Namespace))).To(Succeed())
		Expect(posts.Items).To(HaveLen(1))
		return posts.Items[0].Spec
	}

	Context("at a CMS", func() {
		BeforeEach(func() {
			t, b = newTenant(), fakewordpress.New()
			DeferCleanup(b.Close)
			t.createCredentials(b.Password)
			t.CreateSite(t.isWordPress(b.URL))
			key = t.CreateArticle("shoes", WithText("Shoes", "Grip is all."), ToBePublished, ApprovedInManifest)
			Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		})

		It("makes a draft of the post, and keeps it so until somebody asks for it again", func() {
			first := t.GetArticle(key).Status.Publication.Post.PublishTime
			t.Client.Writes()
			a := annotate(v1alpha1.UnpublishAnnotation)
			Expect(t.Client.Writes()).To(HaveLen(5), "the request, the attempt ahead, the Post, its end, and the Post")
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseApproved))
			Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Unpublished"))
			Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Unpublished"))
			Expect(a.Status.Publication.Post.UnpublishTime.Time).To(BeTemporally("==", t.Clock.Now()))
			Expect(transitionsOf(a)).To(ContainElement("Unpublished 1"))
			Expect(postOf()).To(HaveField("State", v1alpha1.PostUnpublished))

			t.Restart()
			for range 3 {
				t.Clock.Step(time.Hour)
				a = t.ReconcileUntilStable(key)
			}
			Expect(a.Status.Publication.Attempts).To(HaveLen(2))
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))

			a = annotate(v1alpha1.RedeliverAnnotation)
			Expect(b.Posts()).To(ConsistOf(And(HaveField("Status", "publish"), HaveField("Title", "Shoes"))))
			Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
			Expect(a.Status.Publication.Post).To(HaveField("PublishTime", first))
			Expect(a.Status.Publication.Post).To(HaveField("UnpublishTime", BeNil()))
			Expect(postOf()).To(And(HaveField("State", v1alpha1.PostPublished), HaveField("RemovalTime", BeNil())))
		})

		It("comes back when the stage asks again, under the same slug", func() {
			annotate(v1alpha1.UnpublishAnnotation)
			stage(v1alpha1.StageReview)
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))
			a := stage(v1alpha1.StagePublished)
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
			Expect(b.Posts()).To(ConsistOf(And(HaveField("Status", "publish"), HaveField("Slug", "shoes"))))
		})

		It("is not said to be taken back while the text is sent again", func() {
			annotate(v1alpha1.UnpublishAnnotation)
			states := make(chan v1alpha1.PostState, 1)
			b.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodPost {
					states <- postOf().State
				}
				return false
			})
			annotate(v1alpha1.RedeliverAnnotation)
			Expect(states).To(Receive(Equal(v1alpha1.PostUpdating)))
		})

		It("leaves a post that somebody has changed, until somebody says overwrite", func() {
			b.Edit(1, func(p *fakewordpress.Post) { p.Content = "Better." })
			a := annotate(v1alpha1.UnpublishAnnotation)
			Expect(b.Posts()).To(ConsistOf(And(HaveField("Status", "publish"), HaveField("Content", "Better."))))
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/ChangedAtSite"))
			Expect(a.Status.Publication.Cycle.ConflictURL).To(Equal(b.URL + "/shoes/"))
			a = annotate(v1alpha1.UnpublishAnnotation, v1alpha1.OverwriteAnnotation)
			Expect(b.Posts()).To(ConsistOf(And(HaveField("Status", "draft"), HaveField("Content", "Better."))))
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseApproved))
		})

		It("happens to archived articles if the site says so", func() {
			Expect(stage(v1alpha1.StageArchived).Status.Publication.Post.UnpublishTime).To(BeNil())
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "publish")))
			t.EditSite(func(s *v1alpha1.Site) { s.Spec.Publishing.Removal = v1alpha1.RemovalUnpublish })
			a := t.ReconcileUntilStable(key)
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseArchived))
			Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Archived"))
			stage(v1alpha1.StagePublished)
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "publish")))
		})

		It("is tried again after failures, and waits for a person in the end", func() {
			b.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodPost {
					return false
				}
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			})
			a := annotate(v1alpha1.UnpublishAnnotation)
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/RetryScheduled"))
			for range 4 {
				t.Clock.Step(time.Hour)
				a = t.ReconcileUntilStable(key)
			}
			Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/Exhausted"))
			Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("False/DeliveryFailed"))
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
			b.Intercept(nil)
			Expect(annotate(v1alpha1.UnpublishAnnotation).Status.Phase).To(Equal(v1alpha1.PhaseApproved))
		})

		It("is not forgotten by a backup without status", func() {
			annotate(v1alpha1.UnpublishAnnotation)
			t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = nil })
			a := t.GetArticle(key)
			a.Status = v1alpha1.ArticleStatus{}
			Expect(api.Status().Update(t.Ctx, a)).To(Succeed())
			t.Restart()
			a = t.ReconcileUntilStable(key)
			Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Unpublished"))
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))
		})

		It("sends nothing, and counts no attempt, while its Post cannot be written", func() {
			var refused atomic.Bool
			t.Client.Before = func(write string) error {
				if strings.Contains(write, "Post") && refused.CompareAndSwap(false, true) {
					return errors.New("kube-apiserver is away")
				}
				return nil
			}
			a := annotate(v1alpha1.UnpublishAnnotation)
			Expect(refused.Load()).To(BeTrue())
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "publish")))
			Expect(a.Status.Publication.Attempts).To(HaveLen(1), "that of the publication")
			for range 4 {
				t.Clock.Step(time.Hour)
				a = t.ReconcileUntilStable(key)
			}
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))
			Expect(a.Status.Publication.Attempts[1]).To(And(HaveField("Number", int32(1)), HaveField("Outcome", v1alpha1.AttemptAccepted)))
		})

		It("goes on for an article that is deleted and created again before the end of the attempt is known", func() {
			endProcess(func() bool { return b.Posts()[0].Status == "draft" })
			deleted := t.GetArticle(key)
			Expect(lifecycle.Published(deleted)).To(BeTrue())
			Expect(postOf()).To(HaveField("State", v1alpha1.PostUnpublishing))
			Expect(api.Delete(t.Ctx, deleted)).To(Succeed())
			Expect(api.Delete(t.Ctx, t.Revision(deleted))).To(Succeed())
			t.CreateArticle("shoes", WithText("Shoes", "Grip is all."), ToBePublished, ApprovedInManifest)
			Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("False/Unpublished"))
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")))
			Expect(postOf()).To(HaveField("State", v1alpha1.PostUnpublished))
			annotate(v1alpha1.RedeliverAnnotation)
			Expect(b.Posts()).To(ConsistOf(HaveField("Status", "publish")))
		})

		It("survives a process that ends just before or just after each of its writes", func() {
			for cut := range int32(5) {
				var writes atomic.Int32
				endProcess(func() bool { return writes.Add(1) > cut })
				for range 3 {
					t.ReconcileUntilStable(key)
					t.Clock.Step(time.Hour)
				}
				Expect(lifecycle.Unpublished(t.GetArticle(key))).To(BeTrue(), "cut %d", cut)
				Expect(b.Posts()).To(ConsistOf(HaveField("Status", "draft")), "cut %d", cut)
				Expect(postOf()).To(HaveField("State", v1alpha1.PostUnpublished), "cut %d", cut)
				annotate(v1alpha1.RedeliverAnnotation)
				Expect(b.Posts()).To(ConsistOf(HaveField("Status", "publish")), "cut %d", cut)
			}
		})
	})

	It("is refused for a site that is sent webhooks", func() {
		t = newTenant()
		t.CreateSite()
		key = t.CreateArticle("shoes", WithText("Shoes", "Grip is all."), ToBePublished, ApprovedInManifest)
		t.ReconcileUntilStable(key)
		requests := len(t.Receiver.Received())
		a := annotate(v1alpha1.UnpublishAnnotation)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("True/Delivered"))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/NotSent"))
		Expect(a.Status.Publication.Attempts[1].Message).To(ContainSubstring("a webhook takes no post back"))
		Expect(t.Receiver.Received()).To(HaveLen(requests))
		Expect(Reason(annotate(v1alpha1.RedeliverAnnotation), v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
	})

	It("makes a tombstone for a site that pulls", func() {
		t = newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		key = t.CreateArticle("shoes", WithText("Shoes", "Grip is all."), ToBePublished, ApprovedInManifest)
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("True/Published"))
		a := annotate(v1alpha1.UnpublishAnnotation)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Unpublished"))
		Expect(postOf()).To(And(HaveField("State", v1alpha1.PostUnpublished), HaveField("RemovalTime", Not(BeNil()))))
		Expect(Reason(annotate(v1alpha1.RedeliverAnnotation), v1alpha1.ConditionPublished)).To(Equal("True/Published"))
		Expect(postOf()).To(HaveField("State", v1alpha1.PostPublished))
	})
})
