package controllers_test

import (
	"errors"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// A receiver upserts by slug: what it has got once under a slug must never be overwritten by another article.
var _ = Describe("A slug under which something was sent", func() {
	publish := func(w *world, name string) *v1alpha1.Article {
		GinkgoHelper()
		return w.reconcileUntilStable(w.createArticle(name, withText("Shoes", "Text of "+name+"."), approvedInManifest, toBePublished))
	}
	remove := func(w *world, a *v1alpha1.Article) {
		GinkgoHelper()
		last := w.get(client.ObjectKeyFromObject(a))
		Expect(api.Delete(w.ctx, last)).To(Succeed())
		w.Posts.Deleted(w.ctx, last)
		w.Reconcile(client.ObjectKeyFromObject(a))
	}

	It("is in a Post with the revision, the URL and the time, for one more write", func() {
		w := newWorld()
		w.createSite()
		w.client.Writes()
		a := publish(w, "first")
		Expect(own(w.client.Writes())).To(Equal([]string{
			"create Article", "create ArticleRevision", "update Article/status", "update Article/status", "create Post",
		}))
		posts := w.posts()
		Expect(posts).To(HaveLen(1))
		Expect(posts[0].OwnerReferences).To(BeEmpty())
		spec := posts[0].Spec
		Expect(spec.ArticleRef.Name).To(Equal("first"))
		Expect(spec.SiteRef.Name).To(Equal("acme"))
		Expect(spec.Slug).To(Equal("shoes"))
		Expect(spec.State).To(Equal(v1alpha1.PostPublished))
		Expect(spec.Revision.Digest).To(Equal(a.Status.Revision.Digest))
		Expect(spec.PublishedAt).To(Equal(a.Status.Publication.PublishedAt))
		Expect(spec.URL).To(Equal(a.Status.Publication.URL))
		Expect(spec.ExternalID).To(Equal(a.Status.Publication.ExternalID))
		w.reconcileUntilStable(client.ObjectKeyFromObject(a))
		Expect(w.client.Writes()).To(BeEmpty())
	})

	It("is not free again when the article is deleted", func() {
		w := newWorld()
		w.createSite()
		remove(w, publish(w, "first"))
		Expect(publish(w, "second").Status.Slug).To(Equal("shoes-2"))
	})

	It("is not that of another article of the same name", func() {
		w := newWorld()
		w.createSite()
		first := publish(w, "first")
		remove(w, first)
		Expect(api.DeleteAllOf(w.ctx, &v1alpha1.ArticleRevision{}, client.InNamespace(w.namespace))).To(Succeed())
		again := w.reconcileUntilStable(w.createArticle("first", withText("Shoes", "Another text."), approvedInManifest, toBePublished))
		Expect(again.Status.Slug).To(Equal("shoes-2"))
		Expect(w.receiver.Received()).To(HaveLen(2))
	})

	It("is not free while an attempt that failed may have reached the site", func() {
		w := newWorld()
		w.createSite()
		w.receiver.AnswersStatus(http.StatusInternalServerError)
		first := publish(w, "first")
		Expect(w.posts()[0].Spec.State).To(Equal(v1alpha1.PostSent))
		for range 3 {
			w.clock.Step(10 * time.Minute)
			w.reconcileUntilStable(client.ObjectKeyFromObject(first))
		}
		Expect(w.posts()).To(HaveLen(1))
		Expect(w.posts()[0].Spec).To(And(HaveField("State", v1alpha1.PostFailed), HaveField("Reason", v1alpha1.ReasonExhausted)))
		remove(w, first)
		Expect(publish(w, "second").Status.Slug).To(Equal("shoes-2"))
	})

	It("is not free when the article is deleted during the attempt", func() {
		w := newWorld()
		w.createSite()
		answer := w.holdReceiver()
		key := w.createArticle("first", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		for w.get(key).Status.Publication == nil {
			w.Reconcile(key)
		}
		last := w.get(key)
		Expect(api.Delete(w.ctx, last)).To(Succeed())
		w.Posts.Deleted(w.ctx, last)
		second := w.createArticle("second", withText("Shoes", "Text."))
		w.Reconcile(second)
		Expect(w.get(second).Status.Slug).To(Equal("shoes-2"), "before the Post is written")
		w.Reconcile(key)
		answer()
		w.awaitWork()
		w.restart()
		Expect(w.reconcileUntilStable(w.createArticle("third", withText("Shoes", "Text."))).Status.Slug).To(Equal("shoes-3"))
		Expect(w.posts()[0].Spec.State).To(Equal(v1alpha1.PostSent))
	})

	It("is free if nothing can have reached the site", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "https://192.168.0.1/hook" })
		first := publish(w, "first")
		Expect(reason(first, v1alpha1.ConditionPublished)).To(Equal("False/AddressBlocked"))
		Expect(w.posts()).To(BeEmpty())
		remove(w, first)
		Expect(publish(w, "second").Status.Slug).To(Equal("shoes"))
	})

	It("is that of one article of all sites of the workspace that have one URL", func() {
		w := newWorld()
		w.createSite()
		w.createSite(func(s *v1alpha1.Site) { s.Name = "acme-html"; s.Spec.CMS.Headless.URL += "/" })
		publish(w, "first")
		other := w.createArticle("other", withText("Shoes", "Text."), func(a *v1alpha1.Article) { a.Spec.SiteRef.Name = "acme-html" })
		Expect(w.reconcileUntilStable(other).Status.Slug).To(Equal("shoes-2"))
	})

	It("is looked at again before the first attempt, because the site may have another URL by then", func() {
		w := newWorld()
		site := w.createSite()
		other := w.createSite(func(s *v1alpha1.Site) { s.Name = "later"; s.Spec.CMS.Headless.URL = "https://elsewhere.example/hook" })
		publish(w, "first")
		key := w.createArticle("other", withText("Shoes", "Text."), func(a *v1alpha1.Article) { a.Spec.SiteRef.Name = "later" })
		Expect(w.reconcileUntilStable(key).Status.Slug).To(Equal("shoes"))
		old := other.DeepCopy()
		other.Spec.CMS.Headless.URL = site.Spec.CMS.Headless.URL
		Expect(api.Patch(w.ctx, other, client.MergeFrom(old))).To(Succeed())
		w.approveAndPublish(key)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Slug).To(Equal("shoes-2"))
		Expect(w.receiver.Received()[1].Body).To(ContainSubstring(`"slug":"shoes-2"`))
	})

	It("is kept for articles that an earlier version published, and where the Post could not be written at first", func() {
		w := newWorld()
		w.createSite()
		w.client.before = func(write string) error {
			if strings.HasPrefix(write, "create Post") {
				return errCutOff
			}
			return nil
		}
		key := w.createArticle("first", withText("Shoes", "Text."), approvedInManifest, toBePublished)
		for w.get(key).Status.Phase != v1alpha1.PhasePublished {
			_, err := w.Articles.Reconcile(w.ctx, request(key))
			Expect(err == nil || errors.Is(err, errCutOff)).To(BeTrue())
			w.awaitWork()
		}
		Expect(w.posts()).To(BeEmpty())
		w.endProcess()
		w.reconcileUntilStable(key)
		Expect(w.posts()).To(HaveLen(1))
	})

	It("is kept for a site that pulls", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		remove(w, publish(w, "first"))
		Expect(publish(w, "second").Status.Slug).To(Equal("shoes-2"))
	})

	It("is free again when the Post is deleted too", func() {
		w := newWorld()
		w.createSite()
		remove(w, publish(w, "first"))
		Expect(api.Delete(w.ctx, &w.posts()[0])).To(Succeed())
		Expect(publish(w, "second").Status.Slug).To(Equal("shoes"))
	})

	It("cannot be changed in a Post", func() {
		w := newWorld()
		w.createSite()
		publish(w, "first")
		post := &w.posts()[0]
		post.Spec.Slug = "other"
		Expect(apierrors.IsInvalid(api.Update(w.ctx, post))).To(BeTrue())
	})

	It("is not given to two articles while no cache shows that the first one has it", func() {
		w := newWorld()
		site, doc := w.createSite(), content.Document{Title: "Shoes", Language: "en"}
		var got []string
		for _, name := range []string{"first", "second", "third"} {
			a := w.get(w.createArticle(name, withText("Shoes", "Text.")))
			_, err := w.Generation.Slugs.Reserve(w.ctx, a, site, doc)
			Expect(err).NotTo(HaveOccurred())
			got = append(got, a.Status.Slug)
		}
		Expect(got).To(Equal([]string{"shoes", "shoes-2", "shoes-3"}))
	})
})

// posts returns those of the workspace.
func (w *world) posts() []v1alpha1.Post {
	GinkgoHelper()
	var list v1alpha1.PostList
	Expect(api.List(w.ctx, &list, client.InNamespace(w.namespace))).To(Succeed())
	return list.Items
}
