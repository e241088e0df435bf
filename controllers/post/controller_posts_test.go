package post_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// publish creates an article with a title and reconciles it until it is stable.
func (t *tenant) publish(name, title string) *v1alpha1.Article {
	GinkgoHelper()
	return t.ReconcileUntilStable(t.CreateArticle(name, WithText(title, "Text of "+name+"."), ApprovedInManifest, ToBePublished))
}

// remove deletes an article with its revisions, and has the controller see it.
func (t *tenant) remove(a client.Object) {
	GinkgoHelper()
	Expect(api.Delete(t.Ctx, a)).To(Succeed())
	for _, rev := range t.Revisions() {
		if metav1.IsControlledBy(&rev, a) {
			Expect(api.Delete(t.Ctx, &rev)).To(Succeed())
		}
	}
	t.Reconcile(client.ObjectKeyFromObject(a))
}

// posts returns those of the workspace.
func (t *tenant) posts() []v1alpha1.Post {
	GinkgoHelper()
	var list v1alpha1.PostList
	Expect(api.List(t.Ctx, &list, client.InNamespace(t.Namespace))).To(Succeed())
	return list.Items
}

// postWith matches a Post with a slug and a state.
func postWith(slug string, state v1alpha1.PostState) types.GomegaMatcher {
	return HaveField("Spec", And(HaveField("Slug", slug), HaveField("State", state)))
}

// A receiver upserts by slug: what it has got once under a slug must never be overwritten by another article.
var _ = Describe("The slug of an article", func() {
	It("is claimed by a Post, then written ahead with the attempt, then sent, and then the Post says what became of it", func() {
		t := newTenant()
		t.CreateSite()
		t.Client.Writes()
		answer := t.HoldReceiver()
		key := t.CreateArticle("first", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.Client.Writes()
		t.Reconcile(key)
		Eventually(t.Receiver.Received).Should(HaveLen(1))
		Expect(t.Client.Writes()).To(Equal([]string{"create ArticleRevision", "create Post", "update Article/status"}))
		a := t.GetArticle(key)
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostClaimed)))
		Expect(t.posts()[0].OwnerReferences).To(BeEmpty())
		Expect(t.posts()[0].Spec).To(And(
			HaveField("SiteRef.Name", "acme"), HaveField("ArticleRef.Name", "first"), HaveField("ArticleUID", string(a.UID)),
			HaveField("Revision", v1alpha1.PostRevision{
				Name: a.Status.Revision.Name, Number: 1, Digest: a.Status.Revision.Digest, Title: "Shoes", Source: "Written",
				SEOScore: &a.Status.Revision.SEOScore,
			})))
		answer()
		a = t.ReconcileUntilStable(key)
		Expect(t.Client.Writes()).To(Equal([]string{"update Article/status", "patch Post"}))
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
		spec, p := t.posts()[0].Spec, a.Status.Publication.Post
		Expect(spec.Revision.Digest).To(Equal(p.Revision.Digest))
		Expect(spec.PublishTime).To(Equal(p.PublishTime))
		Expect([]string{spec.URL, spec.ExternalID}).To(Equal([]string{p.URL, p.ExternalID}))
		t.ReconcileUntilStable(key)
		Expect(t.Client.Writes()).To(BeEmpty())
	})

	It("has a Post that says all that a list of articles shows", func() {
		t := newTenant()
		t.CreateSite()
		asked := t.Clock.Now().Truncate(time.Millisecond)
		a := t.ReconcileUntilStable(t.CreateArticle("first", WithKeyword, WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished,
			func(a *v1alpha1.Article) {
				a.Annotations = map[string]string{v1alpha1.CreatedAtAnnotation: asked.Format(time.RFC3339Nano)}
			}))
		spec := t.posts()[0].Spec
		Expect(spec).To(And(HaveField("Keyword", a.Spec.Generate.Keyword), HaveField("State", v1alpha1.PostPublished),
			HaveField("Revision.Title", "Shoes"), HaveField("Revision.SEOScore", HaveValue(Equal(a.Status.Revision.SEOScore)))))
		Expect(spec.ArticleCreatedTime.Time).To(BeTemporally("==", a.CreatedAt()))
	})

	It("is that of the article whose Post is created, if two processes claim it at the same time", func() {
		t := newTenant()
		t.CreateSite()
		other := *t
		other.Restart()
		names := []string{"first", "second"}
		for _, name := range names {
			t.CreateArticle(name, WithText("Shoes", "Text of "+name+"."), ApprovedInManifest, ToBePublished)
		}
		// Both have found that the slug is free before one of them claims it.
		var both sync.WaitGroup
		both.Add(2)
		met := map[string]bool{}
		var mu sync.Mutex
		t.Client.Before = func(write string) error {
			mu.Lock()
			first := write == "create ArticleRevision" && !met["done"]
			if first && len(met) == 1 {
				met["done"] = true
			}
			met["one"] = true
			mu.Unlock()
			if first {
				both.Done()
				both.Wait()
			}
			return nil
		}
		var done sync.WaitGroup
		for i, process := range []*tenant{t, &other} {
			done.Go(func() {
				defer GinkgoRecover()
				process.Reconcile(client.ObjectKey{Namespace: t.Namespace, Name: names[i]})
			})
		}
		done.Wait()
		t.Client.Before = NoFault
		slugs := []string{t.ReconcileUntilStable(client.ObjectKey{Namespace: t.Namespace, Name: "first"}).Status.Slug}
		slugs = append(slugs, other.ReconcileUntilStable(client.ObjectKey{Namespace: t.Namespace, Name: "second"}).Status.Slug)
		Expect(slugs).To(ConsistOf("shoes", "shoes-2"))
		Expect(t.Receiver.Received()).To(ContainElements(
			HaveField("Body", ContainSubstring(`"slug":"shoes"`)), HaveField("Body", ContainSubstring(`"slug":"shoes-2"`))))
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished), postWith("shoes-2", v1alpha1.PostPublished)))
	})

	It("is not sent if somebody changes the article after the claim, and is free again once another slug is written", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("first", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.Client.Before = func(write string) error {
			if write != "update Article/status" {
				return nil
			}
			t.Client.Before = NoFault
			a := t.GetArticle(key)
			a.Spec.Content.Slug = "boots"
			return api.Update(t.Ctx, a)
		}
		t.Reconcile(key)
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostClaimed)))
		Expect(t.Receiver.Received()).To(BeEmpty())
		Expect(t.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
		Expect(t.ReconcileUntilStable(key).Status.Slug).To(Equal("boots"))
		Expect(t.posts()).To(ConsistOf(postWith("shoes-2", v1alpha1.PostPublished), postWith("boots", v1alpha1.PostPublished)))
		Expect(t.publish("third", "Shoes").Status.Slug).To(Equal("shoes"))
	})

	It("is not free again when the article is deleted", func() {
		t := newTenant()
		t.CreateSite()
		t.remove(t.publish("first", "Shoes"))
		Expect(t.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
	})

	It("is not free while an attempt that failed may have reached the site", func() {
		t := newTenant()
		t.CreateSite()
		t.Receiver.AnswersStatus(http.StatusInternalServerError)
		first := t.publish("first", "Shoes")
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostSent)))
		for range 3 {
			t.Clock.Step(10 * time.Minute)
			t.ReconcileUntilStable(client.ObjectKeyFromObject(first))
		}
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostFailed)))
		Expect(t.posts()[0].Spec.Reason).To(Equal(v1alpha1.ReasonExhausted))
		t.remove(first)
		Expect(t.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
	})

	It("is free again if the article is deleted and its attempts certainly sent nothing", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "https://192.168.0.1/hook" })
		first := t.publish("first", "Shoes")
		Expect(Reason(first, v1alpha1.ConditionPublished)).To(Equal("False/AddressBlocked"))
		Expect(t.posts()).To(BeEmpty())
		Expect(t.ReconcileUntilStable(t.CreateArticle("other", WithText("Shoes", "Text."))).Status.Slug).To(Equal("shoes-2"))
		t.remove(first)
		Expect(t.publish("second", "Shoes").Status.Slug).To(Equal("shoes"))
	})

	for _, answered := range []bool{true, false} {
		It(map[bool]string{true: "is Published", false: "stays Claimed"}[answered]+" if the article and its Site are deleted during the attempt", func() {
			t := newTenant()
			site := t.CreateSite()
			answer := t.HoldReceiver()
			key := t.CreateArticle("first", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
			t.Reconcile(key)
			Expect(api.Delete(t.Ctx, site)).To(Succeed())
			t.remove(t.GetArticle(key))
			want := v1alpha1.PostClaimed
			if answered {
				answer()
				t.AwaitWork()
				t.Reconcile(key)
				want = v1alpha1.PostPublished
			} else {
				t.Restart() // the answer comes to a process that has ended
			}
			Expect(t.posts()).To(ConsistOf(postWith("shoes", want)))
			if answered {
				Expect(t.posts()[0].Spec.PublishTime).NotTo(BeNil())
			}
			answer()
			t.CreateSite()
			Expect(t.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
		})
	}

	It("is that of one article of all sites of the workspace that have one URL", func() {
		t := newTenant()
		t.CreateSite()
		t.CreateSite(func(s *v1alpha1.Site) { s.Name = "acme-html"; s.Spec.CMS.Headless.URL += "/" })
		t.publish("first", "Shoes")
		other := t.CreateArticle("other", WithText("Shoes", "Text."), OfSite("acme-html"))
		Expect(t.ReconcileUntilStable(other).Status.Slug).To(Equal("shoes-2"))
	})

	Context("whose Site gets the URL of another one", func() {
		var (
			t     *tenant
			key   client.ObjectKey
			moved = func() {
				site, other := &v1alpha1.Site{}, t.GetSite()
				Expect(api.Get(t.Ctx, client.ObjectKey{Namespace: t.Namespace, Name: "later"}, site)).To(Succeed())
				site.Spec.CMS.Headless.URL = other.Spec.CMS.Headless.URL
				Expect(api.Update(t.Ctx, site)).To(Succeed())
			}
		)
		BeforeEach(func() {
			t = newTenant()
			t.CreateSite()
			t.CreateSite(func(s *v1alpha1.Site) { s.Name = "later"; s.Spec.CMS.Headless.URL = "https://127.0.0.1:1/hook" })
			t.publish("first", "Shoes")
			key = t.CreateArticle("other", WithText("Shoes", "Text."), OfSite("later"))
			Expect(t.ReconcileUntilStable(key).Status.Slug).To(Equal("shoes"))
		})

		It("changes before the first attempt", func() {
			moved()
			t.ApproveAndPublish(key)
			a := t.ReconcileUntilStable(key)
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
			Expect(a.Status.Slug).To(Equal("shoes-2"))
			Expect(t.Receiver.Received()[1].Body).To(ContainSubstring(`"slug":"shoes-2"`))
		})

		It("does not change afterwards: nothing is sent over another article's post", func() {
			t.ApproveAndPublish(key)
			Expect(t.ReconcileUntilStable(key).Status.Publication.Attempts).To(HaveLen(1))
			moved()
			t.Clock.Step(10 * time.Minute)
			a := t.ReconcileUntilStable(key)
			Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/SlugClaimed"))
			Expect(a.Status.Slug).To(Equal("shoes"))
			Expect(t.Receiver.Received()).To(HaveLen(1))

			By("going on once the slug is free there")
			t.remove(t.GetArticle(client.ObjectKey{Namespace: t.Namespace, Name: "first"}))
			for _, p := range t.posts() {
				if p.Spec.ArticleRef.Name == "first" {
					Expect(api.Delete(t.Ctx, &p)).To(Succeed())
				}
			}
			Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		})
	})

	It("is in a Post once that can be written, although the article is published before", func() {
		t := newTenant()
		t.CreateSite()
		t.Client.Before = func(write string) error {
			if strings.HasPrefix(write, "patch Post") {
				return ErrCutOff
			}
			return nil
		}
		key := t.CreateArticle("first", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		for t.GetArticle(key).Status.Phase != v1alpha1.PhasePublished {
			_, err := t.Articles.Reconcile(t.Ctx, Request(key))
			Expect(err).NotTo(HaveOccurred())
			t.AwaitWork()
		}
		_, err := t.Posts.Reconcile(t.Ctx, Request(key))
		Expect(errors.Is(err, ErrCutOff)).To(BeTrue())
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostClaimed)))
		t.EndProcess()
		t.ReconcileUntilStable(key)
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
	})

	It("is free again when the Post of a deleted article is deleted too, and the Post of an article that exists is created again", func() {
		t := newTenant()
		t.CreateSite()
		first := t.publish("first", "Shoes")
		Expect(api.Delete(t.Ctx, &t.posts()[0])).To(Succeed())
		t.Reconcile(client.ObjectKeyFromObject(first))
		t.Reconcile(client.ObjectKeyFromObject(first))
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
		t.remove(first)
		Expect(api.Delete(t.Ctx, &t.posts()[0])).To(Succeed())
		Expect(t.publish("second", "Shoes").Status.Slug).To(Equal("shoes"))
	})

	It("cannot be changed in a Post", func() {
		t := newTenant()
		t.CreateSite()
		t.publish("first", "Shoes")
		post := &t.posts()[0]
		post.Spec.Slug = "other"
		Expect(apierrors.IsInvalid(api.Update(t.Ctx, post))).To(BeTrue())
	})
})

var _ = Describe("An Article that is deleted and created again", func() {
	It("has its Post again: what is live stays, and another text is not sent", func() {
		t := newTenant()
		t.CreateSite()
		first := t.publish("first", "Shoes")
		t.remove(first)
		again := t.ReconcileUntilStable(t.CreateArticle("first", WithText("Shoes", "Another text."), ApprovedInManifest, ToBePublished))
		Expect(again.Status.Slug).To(Equal("shoes"))
		Expect(again.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(again.Status.Publication.Post.Revision.Digest).To(Equal(first.Status.Publication.Post.Revision.Digest))
		Expect(again.Status.Publication.Post.URL).To(Equal(first.Status.Publication.Post.URL))
		Expect(Reason(again, v1alpha1.ConditionUpToDate)).To(Equal("False/UpdatesFrozen"))
		Expect(t.Receiver.Received()).To(HaveLen(1))
		Expect(t.posts()).To(ConsistOf(And(postWith("shoes", v1alpha1.PostPublished),
			HaveField("Spec", And(HaveField("ArticleUID", string(again.UID)), HaveField("Revision.Digest", first.Status.Publication.Post.Revision.Digest), HaveField("Revision.Title", "Shoes"))))))

		key := client.ObjectKeyFromObject(again)
		t.EditArticle(key, WithText("Shoes", first.Spec.Content.Markdown))
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
		Expect(t.Receiver.Received()).To(HaveLen(1))
	})

	It("is sent under its slug if that was claimed and nothing is known of an answer", func() {
		t := newTenant()
		t.CreateSite()
		answer := t.HoldReceiver()
		key := t.CreateArticle("first", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.Reconcile(key)
		t.remove(t.GetArticle(key))
		t.Restart()
		answer()
		Expect(t.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
		Expect(t.publish("first", "Shoes").Status.Slug).To(Equal("shoes"))
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished), postWith("shoes-2", v1alpha1.PostPublished)))
	})

	It("goes on with the slug that an earlier Article of its name had claimed, and sends nothing else before its text is approved", func() {
		t := newTenant()
		t.CreateSite()
		answer := t.HoldReceiver()
		key := t.CreateArticle("first", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.Reconcile(key)
		t.remove(t.GetArticle(key))
		t.Restart()
		answer()
		again := t.ReconcileUntilStable(t.CreateArticle("first", WithText("Boots", "Text.")))
		Expect(again.Status.Slug).To(Equal("shoes"))
		Expect(Reason(again, v1alpha1.ConditionUpToDate)).To(Equal("False/SiteUncertain"))
		t.ApproveAndPublish(key)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
	})
})

var _ = Describe("The Post of a site that pulls", func() {
	It("stays for 90 days after the article is deleted, and then frees the slug", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		first := t.publish("first", "Shoes")
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
		t.remove(first)
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostRemoved)))
		Expect(t.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
		t.Clock.Step(90*24*time.Hour - time.Minute)
		result, err := t.Posts.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(first)))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(And(BeNumerically(">", 0), BeNumerically("<=", time.Minute)))
		Expect(t.posts()).To(HaveLen(2))
		t.Clock.Step(time.Minute)
		t.Reconcile(client.ObjectKeyFromObject(first))
		Expect(t.posts()).To(ConsistOf(postWith("shoes-2", v1alpha1.PostPublished)))
		Expect(t.publish("third", "Shoes").Status.Slug).To(Equal("shoes"))
	})

	It("is published again if the article is created again", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		t.remove(t.publish("first", "Shoes"))
		Expect(t.publish("first", "Shoes").Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.posts()).To(ConsistOf(And(postWith("shoes", v1alpha1.PostPublished), HaveField("Spec.RemovalTime", BeNil()))))
		t.Clock.Step(91 * 24 * time.Hour)
		t.Reconcile(client.ObjectKey{Namespace: t.Namespace, Name: "first"})
		Expect(t.posts()).To(HaveLen(1))
	})
})

// One workspace in which something cannot be written never stops another.
var _ = Describe("A workspace in which no Post can be created", func() {
	It("publishes nothing and says why, and no other workspace waits for it, also after a restart", func() {
		t := newTenant()
		t.CreateSite()
		n := &tenant{t.Neighbor()}
		quota := &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "posts"},
			Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"count/posts.pressroom.dev": resource.MustParse("0")}},
		}
		Expect(api.Create(t.Ctx, quota)).To(Succeed())
		quota.Status = corev1.ResourceQuotaStatus{
			Hard: quota.Spec.Hard, Used: corev1.ResourceList{"count/posts.pressroom.dev": resource.MustParse("0")},
		}
		Expect(api.Status().Update(t.Ctx, quota)).To(Succeed())
		probe := &v1alpha1.Post{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "probe"}, Spec: v1alpha1.PostSpec{
			SiteRef: v1alpha1.LocalReference{Name: "acme"}, Destination: "pull:acme", Slug: "probe", State: v1alpha1.PostClaimed,
			Revision: v1alpha1.PostRevision{Name: "probe-1", Number: 1, Digest: "sha256:" + strings.Repeat("0", 64)},
		}}
		Eventually(func() bool { return apierrors.IsForbidden(api.Create(t.Ctx, probe.DeepCopy(), client.DryRunAll)) }).Should(BeTrue())

		refused := t.publish("refused", "Shoes")
		Expect(Reason(refused, v1alpha1.ConditionPublished)).To(Equal("False/PostRefused"))
		Expect(refused.Status.Publication).To(BeNil())
		t.remove(t.publish("refused-too", "Boots"))
		for range 2 {
			Expect(n.ReconcileUntilStable(n.CreateArticle(fmt.Sprintf("ours-%d", len(n.posts())), WithText("Ours", "Text."), ApprovedInManifest, ToBePublished)).
				Status.Phase).To(Equal(v1alpha1.PhasePublished))
			t.Restart()
			n.Process = t.Process
		}
		Expect(t.Receiver.Received()).To(HaveLen(2))

		By("going on once there is room")
		Expect(api.Delete(t.Ctx, quota)).To(Succeed())
		Eventually(func() error { return api.Create(t.Ctx, probe.DeepCopy(), client.DryRunAll) }).Should(Succeed())
		Expect(t.ReconcileUntilStable(client.ObjectKeyFromObject(refused)).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})
})

var _ = Describe("A workspace that is deleted", func() {
	// end deletes the workspace as the namespace controller does: Posts first, then the rest.
	end := func(t *tenant) {
		GinkgoHelper()
		ns := &corev1.Namespace{}
		Expect(api.Get(t.Ctx, client.ObjectKey{Name: t.Namespace}, ns)).To(Succeed())
		Expect(api.Delete(t.Ctx, ns)).To(Succeed())
		for _, o := range []client.Object{&v1alpha1.Post{}, &v1alpha1.Article{}, &v1alpha1.ArticleRevision{}, &v1alpha1.Site{}, &corev1.Secret{}} {
			Expect(api.DeleteAllOf(t.Ctx, o, client.InNamespace(t.Namespace))).To(Succeed())
		}
	}
	// again creates a workspace of the same name for another account.
	again := func(t *tenant) {
		GinkgoHelper()
		ns := &corev1.Namespace{}
		Expect(api.Get(t.Ctx, client.ObjectKey{Name: t.Namespace}, ns)).To(Succeed())
		ns.Spec.Finalizers = nil
		Expect(api.SubResource("finalize").Update(t.Ctx, ns)).To(Succeed())
		Expect(apierrors.IsNotFound(api.Get(t.Ctx, client.ObjectKeyFromObject(ns), ns))).To(BeTrue())
		Expect(api.Create(t.Ctx, testkit.NewWorkspace(t.Namespace, "another-"+t.Account))).To(Succeed())
	}

	It("leaves nothing to do for what was published and for what is being sent, and nothing to the next workspace of its name", func() {
		t := newTenant()
		t.CreateSite()
		published := client.ObjectKeyFromObject(t.publish("published", "Boots"))
		answer := t.HoldReceiver()
		sending := t.CreateArticle("sending", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.Reconcile(sending)
		end(t)
		atRest := func() {
			GinkgoHelper()
			for _, key := range []client.ObjectKey{published, sending} {
				for _, r := range []reconcile.Reconciler{t.Articles, t.Posts} {
					result, err := r.Reconcile(t.Ctx, Request(key))
					Expect(err).NotTo(HaveOccurred())
					Expect(result.RequeueAfter).To(BeZero(), "nothing is left to do")
				}
			}
		}
		atRest()
		again(t)
		answer()
		t.AwaitWork()
		atRest()
		Expect(t.posts()).To(BeEmpty())
	})

	It("is asked once for a claim by an article that is not deleted yet", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."))
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		Expect(api.Delete(t.Ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: t.Namespace}})).To(Succeed())
		result, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(BeZero())
	})

	It("ends a claim that comes too late", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("late", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.Client.Before = func(write string) error {
			if write == "create Post" {
				t.Client.Before = NoFault
				end(t)
			}
			return nil
		}
		result, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(BeZero())
		Expect(t.posts()).To(BeEmpty())
		Expect(t.Receiver.Received()).To(BeEmpty())
	})

	for _, same := range []bool{false, true} {
		It(fmt.Sprintf("leaves no claim of a process that was held up in the next workspace of its name (an article of the name exists: %t)", same), func() {
			t := newTenant()
			t.CreateSite()
			key := t.CreateArticle("late", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
			created := t.GetArticle(key).CreationTimestamp
			t.Client.Before = func(write string) error {
				if write == "create Post" {
					t.Client.Before = NoFault
					end(t)
					// The times of objects have seconds.
					Eventually(func() time.Time { return time.Now().Truncate(time.Second) }).Should(BeTemporally(">", created.Time))
					again(t)
					if same {
						Expect(api.Create(t.Ctx, &v1alpha1.Article{
							ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "late"},
							Spec:       v1alpha1.ArticleSpec{SiteRef: v1alpha1.LocalReference{Name: "other"}, Generate: &v1alpha1.GenerateRequest{Keyword: "boots"}},
						})).To(Succeed())
					}
				}
				return nil
			}
			_, err := t.Articles.Reconcile(t.Ctx, Request(key))
			Expect(err).NotTo(HaveOccurred())
			Expect(t.posts()).To(BeEmpty())
			Expect(t.Receiver.Received()).To(BeEmpty())
		})
	}
})

var _ = Describe("The Post of a published article", func() {
	var (
		t     *tenant
		first *v1alpha1.Article
		name  string
	)
	BeforeEach(func() {
		t = newTenant()
		t.CreateSite()
		first = t.publish("first", "Shoes")
		name = t.posts()[0].Name
	})

	// reconcileEarlier brings the Post up to date with the article as it was published first.
	reconcileEarlier := func() {
		key := client.ObjectKeyFromObject(first)
		t.EditArticle(key, func(a *v1alpha1.Article) { metav1.SetMetaDataAnnotation(&a.ObjectMeta, "example.com/note", "1") })
		current := t.Posts.Client
		t.Posts.Client = interceptor.NewClient(api, interceptor.Funcs{
			Get: func(ctx context.Context, c client.WithWatch, name client.ObjectKey, o client.Object, opts ...client.GetOption) error {
				if a, ok := o.(*v1alpha1.Article); ok && name == key {
					first.DeepCopyInto(a)
					return nil
				}
				return c.Get(ctx, name, o, opts...)
			},
			List: func(ctx context.Context, _ client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
				return current.List(ctx, list, opts...)
			},
		})
		_, err := t.Posts.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		t.Posts.Client = current
	}

	It("is known while the cache does not have it", func() {
		t.Posts.Client = interceptor.NewClient(api, interceptor.Funcs{
			Get: func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
				return apierrors.NewNotFound(v1alpha1.GroupVersion.WithResource("posts").GroupResource(), name)
			},
		})
		Expect(t.Posts.ClaimedSince(t.Ctx, t.Namespace, name)).To(BeTemporally("==", t.posts()[0].CreationTimestamp.Time))
		claimed, err := t.Posts.Claim(t.Ctx, first, t.posts()[0].Spec.Destination)
		Expect(err).NotTo(HaveOccurred())
		Expect(post.IsOfEarlier(claimed, first)).To(BeFalse())
		first.UID = "another"
		Expect(post.IsOfEarlier(claimed, first)).To(BeTrue())
	})

	It("stays Updating while the cache has the article from before the attempt", func() {
		Expect(t.Posts.Begin(t.Ctx, t.Namespace, name, v1alpha1.PurposePut)).To(Succeed())
		reconcileEarlier()
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostUpdating)))
		t.Reconcile(client.ObjectKeyFromObject(first))
		Expect(t.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
	})

	It("keeps what the attempt did while the cache has the article from before it", func() {
		post := &t.posts()[0]
		post.Spec.ContentHash = "of the update"
		Expect(api.Update(t.Ctx, post)).To(Succeed())
		reconcileEarlier()
		Expect(t.posts()).To(ConsistOf(HaveField("Spec.ContentHash", "of the update")))
	})

	It("is as its article says before the attempt begins, with the record of the text", func() {
		post := &t.posts()[0]
		post.Spec.State, post.Spec.Records = v1alpha1.PostClaimed, nil
		Expect(api.Update(t.Ctx, post)).To(Succeed())
		answer := t.HoldReceiver()
		t.EditArticle(client.ObjectKeyFromObject(first), func(a *v1alpha1.Article) {
			a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"}
		})
		_, err := t.Articles.Reconcile(t.Ctx, Request(client.ObjectKeyFromObject(first)))
		Expect(err).NotTo(HaveOccurred())
		Expect(t.posts()).To(ConsistOf(And(postWith("shoes", v1alpha1.PostPublished), HaveField("Spec.Records", HaveLen(1)))))
		answer()
		t.ReconcileUntilStable(client.ObjectKeyFromObject(first))
	})

	It("is written later if another process writes it meanwhile, and the article is reconciled again", func() {
		post := &t.posts()[0]
		post.Spec.State, post.Spec.Records = v1alpha1.PostClaimed, nil
		Expect(api.Update(t.Ctx, post)).To(Succeed())
		key, current := client.ObjectKeyFromObject(first), t.Posts.Client
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		t.Posts.Client = interceptor.NewClient(api, interceptor.Funcs{
			List: func(ctx context.Context, _ client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
				return current.List(ctx, list, opts...)
			},
			Patch: func(_ context.Context, _ client.WithWatch, o client.Object, _ client.Patch, _ ...client.PatchOption) error {
				return base.CacheBehind("posts", o.GetName())
			},
		})
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).To(MatchError(ContainSubstring("the Post was written meanwhile")))
		t.Posts.Client = current
		Expect(t.Receiver.Received()).To(HaveLen(1))
	})
})
