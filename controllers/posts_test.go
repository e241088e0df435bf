package controllers_test

import (
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
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// publish creates an article with a title and reconciles it until it is stable.
func (w *world) publish(name, title string) *v1alpha1.Article {
	GinkgoHelper()
	return w.reconcileUntilStable(w.createArticle(name, withText(title, "Text of "+name+"."), approvedInManifest, toBePublished))
}

// remove deletes an article with its revisions, and has the controller see it.
func (w *world) remove(a client.Object) {
	GinkgoHelper()
	Expect(api.Delete(w.ctx, a)).To(Succeed())
	for _, rev := range w.revisions() {
		if metav1.IsControlledBy(&rev, a) {
			Expect(api.Delete(w.ctx, &rev)).To(Succeed())
		}
	}
	w.Reconcile(client.ObjectKeyFromObject(a))
}

// posts returns those of the workspace.
func (w *world) posts() []v1alpha1.Post {
	GinkgoHelper()
	var list v1alpha1.PostList
	Expect(api.List(w.ctx, &list, client.InNamespace(w.namespace))).To(Succeed())
	return list.Items
}

// postWith matches a Post with a slug and a state.
func postWith(slug string, state v1alpha1.PostState) types.GomegaMatcher {
	return HaveField("Spec", And(HaveField("Slug", slug), HaveField("State", state)))
}

// A receiver upserts by slug: what it has got once under a slug must never be overwritten by another article.
var _ = Describe("The slug of an article", func() {
	It("is claimed by a Post, then written ahead with the attempt, then sent, and then the Post says what became of it", func() {
		w := newWorld()
		w.createSite()
		w.client.Writes()
		answer := w.holdReceiver()
		key := w.createArticle("first", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		w.client.Writes()
		w.Reconcile(key)
		Eventually(w.receiver.Received).Should(HaveLen(1))
		Expect(w.client.Writes()).To(Equal([]string{"create ArticleRevision", "create Post", "update Article/status"}))
		a := w.get(key)
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostClaimed)))
		Expect(w.posts()[0].OwnerReferences).To(BeEmpty())
		Expect(w.posts()[0].Spec).To(And(
			HaveField("SiteRef.Name", "acme"), HaveField("ArticleRef.Name", "first"), HaveField("ArticleUID", string(a.UID)),
			HaveField("Revision", v1alpha1.PostRevision{
				Name: a.Status.Revision.Name, Number: 1, Digest: a.Status.Revision.Digest, Title: "Shoes", Source: "Written",
				SEOScore: &a.Status.Revision.SEOScore,
			})))
		answer()
		a = w.reconcileUntilStable(key)
		Expect(w.client.Writes()).To(Equal([]string{"update Article/status", "patch Post"}))
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
		spec, p := w.posts()[0].Spec, a.Status.Publication
		Expect(spec.Revision.Digest).To(Equal(p.Digest))
		Expect(spec.PublishTime).To(Equal(p.PublishTime))
		Expect([]string{spec.URL, spec.ExternalID}).To(Equal([]string{p.URL, p.ExternalID}))
		w.reconcileUntilStable(key)
		Expect(w.client.Writes()).To(BeEmpty())
	})

	It("has a Post that says all that a list of articles shows", func() {
		w := newWorld()
		w.createSite()
		asked := w.clock.Now().Truncate(time.Millisecond)
		a := w.reconcileUntilStable(w.createArticle("first", withKeyword, withText("Shoes", "Text."), approvedInManifest, toBePublished,
			func(a *v1alpha1.Article) {
				a.Annotations = map[string]string{v1alpha1.CreatedAtAnnotation: asked.Format(time.RFC3339Nano)}
			}))
		spec := w.posts()[0].Spec
		Expect(spec).To(And(HaveField("Keyword", a.Spec.Generate.Keyword), HaveField("State", v1alpha1.PostPublished),
			HaveField("Revision.Title", "Shoes"), HaveField("Revision.SEOScore", HaveValue(Equal(a.Status.Revision.SEOScore)))))
		Expect(spec.ArticleCreatedTime.Time).To(BeTemporally("==", a.CreatedAt()))
	})

	It("is that of the article whose Post is created, if two processes claim it at the same time", func() {
		w := newWorld()
		w.createSite()
		other := *w
		other.restart()
		names := []string{"first", "second"}
		for _, name := range names {
			w.createArticle(name, withText("Shoes", "Text of "+name+"."), approvedInManifest, toBePublished)
		}
		// Both have found that the slug is free before one of them claims it.
		var both sync.WaitGroup
		both.Add(2)
		met := map[string]bool{}
		var mu sync.Mutex
		w.client.before = func(write string) error {
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
		for i, process := range []*world{w, &other} {
			done.Go(func() {
				defer GinkgoRecover()
				process.Reconcile(client.ObjectKey{Namespace: w.namespace, Name: names[i]})
			})
		}
		done.Wait()
		w.client.before = noFault
		slugs := []string{w.reconcileUntilStable(client.ObjectKey{Namespace: w.namespace, Name: "first"}).Status.Slug}
		slugs = append(slugs, other.reconcileUntilStable(client.ObjectKey{Namespace: w.namespace, Name: "second"}).Status.Slug)
		Expect(slugs).To(ConsistOf("shoes", "shoes-2"))
		Expect(w.receiver.Received()).To(ContainElements(
			HaveField("Body", ContainSubstring(`"slug":"shoes"`)), HaveField("Body", ContainSubstring(`"slug":"shoes-2"`))))
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished), postWith("shoes-2", v1alpha1.PostPublished)))
	})

	It("is not sent if somebody changes the article after the claim, and is free again once another slug is written", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("first", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		w.client.before = func(write string) error {
			if write != "update Article/status" {
				return nil
			}
			w.client.before = noFault
			a := w.get(key)
			a.Spec.Content.Slug = "boots"
			return api.Update(w.ctx, a)
		}
		w.Reconcile(key)
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostClaimed)))
		Expect(w.receiver.Received()).To(BeEmpty())
		Expect(w.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
		Expect(w.reconcileUntilStable(key).Status.Slug).To(Equal("boots"))
		Expect(w.posts()).To(ConsistOf(postWith("shoes-2", v1alpha1.PostPublished), postWith("boots", v1alpha1.PostPublished)))
		Expect(w.publish("third", "Shoes").Status.Slug).To(Equal("shoes"))
	})

	It("is not free again when the article is deleted", func() {
		w := newWorld()
		w.createSite()
		w.remove(w.publish("first", "Shoes"))
		Expect(w.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
	})

	It("is not free while an attempt that failed may have reached the site", func() {
		w := newWorld()
		w.createSite()
		w.receiver.AnswersStatus(http.StatusInternalServerError)
		first := w.publish("first", "Shoes")
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostSent)))
		for range 3 {
			w.clock.Step(10 * time.Minute)
			w.reconcileUntilStable(client.ObjectKeyFromObject(first))
		}
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostFailed)))
		Expect(w.posts()[0].Spec.Reason).To(Equal(v1alpha1.ReasonExhausted))
		w.remove(first)
		Expect(w.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
	})

	It("is not free if the article is deleted before anybody knows whether something was sent", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "https://192.168.0.1/hook" })
		first := w.publish("first", "Shoes")
		Expect(reason(first, v1alpha1.ConditionPublished)).To(Equal("False/AddressBlocked"))
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostClaimed)))
		w.remove(first)
		Expect(w.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
	})

	for _, answered := range []bool{true, false} {
		It(map[bool]string{true: "is Published", false: "stays Claimed"}[answered]+" if the article and its Site are deleted during the attempt", func() {
			w := newWorld()
			site := w.createSite()
			answer := w.holdReceiver()
			key := w.createArticle("first", withText("Shoes", "Text."), approvedInManifest, toBePublished)
			w.Reconcile(key)
			Expect(api.Delete(w.ctx, site)).To(Succeed())
			w.remove(w.get(key))
			want := v1alpha1.PostClaimed
			if answered {
				answer()
				w.awaitWork()
				w.Reconcile(key)
				want = v1alpha1.PostPublished
			} else {
				w.restart() // the answer comes to a process that has ended
			}
			Expect(w.posts()).To(ConsistOf(postWith("shoes", want)))
			if answered {
				Expect(w.posts()[0].Spec.PublishTime).NotTo(BeNil())
			}
			answer()
			w.createSite()
			Expect(w.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
		})
	}

	It("is that of one article of all sites of the workspace that have one URL", func() {
		w := newWorld()
		w.createSite()
		w.createSite(func(s *v1alpha1.Site) { s.Name = "acme-html"; s.Spec.CMS.Headless.URL += "/" })
		w.publish("first", "Shoes")
		other := w.createArticle("other", withText("Shoes", "Text."), ofSite("acme-html"))
		Expect(w.reconcileUntilStable(other).Status.Slug).To(Equal("shoes-2"))
	})

	Context("whose Site gets the URL of another one", func() {
		var (
			w     *world
			key   client.ObjectKey
			moved = func() {
				site, other := &v1alpha1.Site{}, w.acme()
				Expect(api.Get(w.ctx, client.ObjectKey{Namespace: w.namespace, Name: "later"}, site)).To(Succeed())
				site.Spec.CMS.Headless.URL = other.Spec.CMS.Headless.URL
				Expect(api.Update(w.ctx, site)).To(Succeed())
			}
		)
		BeforeEach(func() {
			w = newWorld()
			w.createSite()
			w.createSite(func(s *v1alpha1.Site) { s.Name = "later"; s.Spec.CMS.Headless.URL = "https://127.0.0.1:1/hook" })
			w.publish("first", "Shoes")
			key = w.createArticle("other", withText("Shoes", "Text."), ofSite("later"))
			Expect(w.reconcileUntilStable(key).Status.Slug).To(Equal("shoes"))
		})

		It("changes before the first attempt", func() {
			moved()
			w.approveAndPublish(key)
			a := w.reconcileUntilStable(key)
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
			Expect(a.Status.Slug).To(Equal("shoes-2"))
			Expect(w.receiver.Received()[1].Body).To(ContainSubstring(`"slug":"shoes-2"`))
		})

		It("does not change afterwards: nothing is sent over another article's post", func() {
			w.approveAndPublish(key)
			Expect(w.reconcileUntilStable(key).Status.Publication.Attempts).To(HaveLen(1))
			moved()
			w.clock.Step(10 * time.Minute)
			a := w.reconcileUntilStable(key)
			Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/SlugTaken"))
			Expect(a.Status.Slug).To(Equal("shoes"))
			Expect(w.receiver.Received()).To(HaveLen(1))

			By("going on once the slug is free there")
			w.remove(w.get(client.ObjectKey{Namespace: w.namespace, Name: "first"}))
			for _, p := range w.posts() {
				if p.Spec.ArticleRef.Name == "first" {
					Expect(api.Delete(w.ctx, &p)).To(Succeed())
				}
			}
			Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		})
	})

	It("is in a Post once that can be written, although the article is published before", func() {
		w := newWorld()
		w.createSite()
		w.client.before = func(write string) error {
			if strings.HasPrefix(write, "patch Post") {
				return errCutOff
			}
			return nil
		}
		key := w.createArticle("first", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		for w.get(key).Status.Phase != v1alpha1.PhasePublished {
			_, err := w.Articles.Reconcile(w.ctx, request(key))
			Expect(err).NotTo(HaveOccurred())
			w.awaitWork()
		}
		_, err := w.Posts.Reconcile(w.ctx, request(key))
		Expect(errors.Is(err, errCutOff)).To(BeTrue())
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostClaimed)))
		w.endProcess()
		w.reconcileUntilStable(key)
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
	})

	It("is free again when the Post of a deleted article is deleted too, and the Post of an article that exists is created again", func() {
		w := newWorld()
		w.createSite()
		first := w.publish("first", "Shoes")
		Expect(api.Delete(w.ctx, &w.posts()[0])).To(Succeed())
		w.Reconcile(client.ObjectKeyFromObject(first))
		w.Reconcile(client.ObjectKeyFromObject(first))
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
		w.remove(first)
		Expect(api.Delete(w.ctx, &w.posts()[0])).To(Succeed())
		Expect(w.publish("second", "Shoes").Status.Slug).To(Equal("shoes"))
	})

	It("cannot be changed in a Post", func() {
		w := newWorld()
		w.createSite()
		w.publish("first", "Shoes")
		post := &w.posts()[0]
		post.Spec.Slug = "other"
		Expect(apierrors.IsInvalid(api.Update(w.ctx, post))).To(BeTrue())
	})
})

var _ = Describe("An Article that is deleted and created again", func() {
	It("has its Post again: what is live stays, and another text is not sent", func() {
		w := newWorld()
		w.createSite()
		first := w.publish("first", "Shoes")
		w.remove(first)
		again := w.reconcileUntilStable(w.createArticle("first", withText("Shoes", "Another text."), approvedInManifest, toBePublished))
		Expect(again.Status.Slug).To(Equal("shoes"))
		Expect(again.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(again.Status.Publication.Digest).To(Equal(first.Status.Publication.Digest))
		Expect(again.Status.Publication.URL).To(Equal(first.Status.Publication.URL))
		Expect(again.Status.Conditions).To(ContainElement(And(
			HaveField("Type", v1alpha1.ConditionPublished), HaveField("Message", ContainSubstring("the site keeps the text of "+first.Status.Publication.Digest)))))
		Expect(w.receiver.Received()).To(HaveLen(1))
		Expect(w.posts()).To(ConsistOf(And(postWith("shoes", v1alpha1.PostPublished),
			HaveField("Spec", And(HaveField("ArticleUID", string(again.UID)), HaveField("Revision.Digest", first.Status.Publication.Digest))))))
	})

	It("is sent under its slug if that was claimed and nothing is known of an answer", func() {
		w := newWorld()
		w.createSite()
		answer := w.holdReceiver()
		key := w.createArticle("first", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		w.Reconcile(key)
		w.remove(w.get(key))
		w.restart()
		answer()
		Expect(w.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
		Expect(w.publish("first", "Shoes").Status.Slug).To(Equal("shoes"))
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished), postWith("shoes-2", v1alpha1.PostPublished)))
	})

	It("does not free what an earlier Article of its name had claimed", func() {
		w := newWorld()
		w.createSite()
		answer := w.holdReceiver()
		key := w.createArticle("first", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		w.Reconcile(key)
		w.remove(w.get(key))
		w.restart()
		answer()
		Expect(w.publish("first", "Boots").Status.Slug).To(Equal("boots"))
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostClaimed), postWith("boots", v1alpha1.PostPublished)))
	})
})

var _ = Describe("The Post of a site that pulls", func() {
	It("stays for 90 days after the article is deleted, and then frees the slug", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		first := w.publish("first", "Shoes")
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostPublished)))
		w.remove(first)
		Expect(w.posts()).To(ConsistOf(postWith("shoes", v1alpha1.PostRemoved)))
		Expect(w.publish("second", "Shoes").Status.Slug).To(Equal("shoes-2"))
		w.clock.Step(90*24*time.Hour - time.Minute)
		result, err := w.Posts.Reconcile(w.ctx, request(client.ObjectKeyFromObject(first)))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(And(BeNumerically(">", 0), BeNumerically("<=", time.Minute)))
		Expect(w.posts()).To(HaveLen(2))
		w.clock.Step(time.Minute)
		w.Reconcile(client.ObjectKeyFromObject(first))
		Expect(w.posts()).To(ConsistOf(postWith("shoes-2", v1alpha1.PostPublished)))
		Expect(w.publish("third", "Shoes").Status.Slug).To(Equal("shoes"))
	})

	It("is published again if the article is created again", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		w.remove(w.publish("first", "Shoes"))
		Expect(w.publish("first", "Shoes").Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(w.posts()).To(ConsistOf(And(postWith("shoes", v1alpha1.PostPublished), HaveField("Spec.RemovedAt", BeNil()))))
		w.clock.Step(91 * 24 * time.Hour)
		w.Reconcile(client.ObjectKey{Namespace: w.namespace, Name: "first"})
		Expect(w.posts()).To(HaveLen(1))
	})
})

// One workspace in which something cannot be written never stops another.
var _ = Describe("A workspace in which no Post can be created", func() {
	It("publishes nothing and says why, and no other workspace waits for it, also after a restart", func() {
		w := newWorld()
		w.createSite()
		n := w.neighbor()
		quota := &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "posts"},
			Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"count/posts.pressroom.dev": resource.MustParse("0")}},
		}
		Expect(api.Create(w.ctx, quota)).To(Succeed())
		quota.Status = corev1.ResourceQuotaStatus{
			Hard: quota.Spec.Hard, Used: corev1.ResourceList{"count/posts.pressroom.dev": resource.MustParse("0")},
		}
		Expect(api.Status().Update(w.ctx, quota)).To(Succeed())
		probe := &v1alpha1.Post{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "probe"}, Spec: v1alpha1.PostSpec{
			SiteRef: v1alpha1.LocalReference{Name: "acme"}, Destination: "pull:acme", Slug: "probe", State: v1alpha1.PostClaimed,
			Revision: v1alpha1.PostRevision{Name: "probe-1", Number: 1, Digest: "sha256:" + strings.Repeat("0", 64)},
		}}
		Eventually(func() bool { return apierrors.IsForbidden(api.Create(w.ctx, probe.DeepCopy(), client.DryRunAll)) }).Should(BeTrue())

		refused := w.publish("refused", "Shoes")
		Expect(reason(refused, v1alpha1.ConditionPublished)).To(Equal("False/PostRefused"))
		Expect(refused.Status.Publication).To(BeNil())
		w.remove(w.publish("refused-too", "Boots"))
		for range 2 {
			Expect(n.reconcileUntilStable(n.createArticle(nameOf("ours", len(n.posts())), withText("Ours", "Text."), approvedInManifest, toBePublished)).
				Status.Phase).To(Equal(v1alpha1.PhasePublished))
			w.restart()
			n.Process = w.Process
		}
		Expect(w.receiver.Received()).To(HaveLen(2))

		By("going on once there is room")
		Expect(api.Delete(w.ctx, quota)).To(Succeed())
		Eventually(func() error { return api.Create(w.ctx, probe.DeepCopy(), client.DryRunAll) }).Should(Succeed())
		Expect(w.reconcileUntilStable(client.ObjectKeyFromObject(refused)).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})
})

var _ = Describe("A workspace that is deleted", func() {
	// end deletes the workspace as the namespace controller does: Posts first, then the rest.
	end := func(w *world) {
		GinkgoHelper()
		ns := &corev1.Namespace{}
		Expect(api.Get(w.ctx, client.ObjectKey{Name: w.namespace}, ns)).To(Succeed())
		Expect(api.Delete(w.ctx, ns)).To(Succeed())
		for _, o := range []client.Object{&v1alpha1.Post{}, &v1alpha1.Article{}, &v1alpha1.ArticleRevision{}, &v1alpha1.Site{}, &corev1.Secret{}} {
			Expect(api.DeleteAllOf(w.ctx, o, client.InNamespace(w.namespace))).To(Succeed())
		}
	}
	// again creates a workspace of the same name for another account.
	again := func(w *world) {
		GinkgoHelper()
		ns := &corev1.Namespace{}
		Expect(api.Get(w.ctx, client.ObjectKey{Name: w.namespace}, ns)).To(Succeed())
		ns.Spec.Finalizers = nil
		Expect(api.SubResource("finalize").Update(w.ctx, ns)).To(Succeed())
		Expect(apierrors.IsNotFound(api.Get(w.ctx, client.ObjectKeyFromObject(ns), ns))).To(BeTrue())
		Expect(api.Create(w.ctx, testkit.NewWorkspace(w.namespace, "another-"+w.account))).To(Succeed())
	}

	It("leaves nothing to do for what was published and for what is being sent, and nothing to the next workspace of its name", func() {
		w := newWorld()
		w.createSite()
		published := client.ObjectKeyFromObject(w.publish("published", "Boots"))
		answer := w.holdReceiver()
		sending := w.createArticle("sending", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		w.Reconcile(sending)
		end(w)
		atRest := func() {
			GinkgoHelper()
			for _, key := range []client.ObjectKey{published, sending} {
				for _, r := range []reconcile.Reconciler{w.Articles, w.Posts} {
					result, err := r.Reconcile(w.ctx, request(key))
					Expect(err).NotTo(HaveOccurred())
					Expect(result.RequeueAfter).To(BeZero(), "nothing is left to do")
				}
			}
		}
		atRest()
		again(w)
		answer()
		w.awaitWork()
		atRest()
		Expect(w.posts()).To(BeEmpty())
	})

	It("ends a claim that comes too late", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("late", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		w.client.before = func(write string) error {
			if write == "create Post" {
				w.client.before = noFault
				end(w)
			}
			return nil
		}
		result, err := w.Articles.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(BeZero())
		Expect(w.posts()).To(BeEmpty())
		Expect(w.receiver.Received()).To(BeEmpty())
	})

	for _, same := range []bool{false, true} {
		It(fmt.Sprintf("leaves no claim of a process that was held up in the next workspace of its name (an article of the name exists: %t)", same), func() {
			w := newWorld()
			w.createSite()
			key := w.createArticle("late", withText("Shoes", "Text."), approvedInManifest, toBePublished)
			created := w.get(key).CreationTimestamp
			w.client.before = func(write string) error {
				if write == "create Post" {
					w.client.before = noFault
					end(w)
					// The times of objects have seconds.
					Eventually(func() time.Time { return time.Now().Truncate(time.Second) }).Should(BeTemporally(">", created.Time))
					again(w)
					if same {
						Expect(api.Create(w.ctx, &v1alpha1.Article{
							ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "late"},
							Spec:       v1alpha1.ArticleSpec{SiteRef: v1alpha1.LocalReference{Name: "other"}, Generate: &v1alpha1.GenerateRequest{Keyword: "boots"}},
						})).To(Succeed())
					}
				}
				return nil
			}
			_, err := w.Articles.Reconcile(w.ctx, request(key))
			Expect(err).NotTo(HaveOccurred())
			Expect(w.posts()).To(BeEmpty())
			Expect(w.receiver.Received()).To(BeEmpty())
		})
	}
})
