package controllers_test

import (
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// outgoing returns the entries of the list of outgoing posts.
func (w *world) outgoing() map[string]string {
	GinkgoHelper()
	list := &corev1.ConfigMap{}
	Expect(client.IgnoreNotFound(api.Get(w.ctx, client.ObjectKey{Namespace: w.namespace, Name: "pressroom-outgoing"}, list))).To(Succeed())
	return list.Data
}

// Nobody sees the deletion of an article while no controller runs.
var _ = Describe("A slug under which something may have been sent when the controller ended", func() {
	var w *world
	text := withText("Shoes", "Text.")
	// next is the slug of another article with the title, in another process.
	next := func() string {
		GinkgoHelper()
		w.client.before, w.client.after = noFault, noFault
		w.restart()
		return w.reconcileUntilStable(w.createArticle("next", text)).Status.Slug
	}
	// killedAfter reconciles an article until a write was made, and ends the process.
	killedAfter := func(write string, change ...func(*v1alpha1.Site)) client.ObjectKey {
		GinkgoHelper()
		w = newWorld()
		w.createSite(change...)
		key := w.createArticle("first", text, approvedInManifest, toBePublished)
		ended := false
		w.client.after = func(made string) error {
			if made == write {
				ended = true
			}
			if ended {
				return errCutOff
			}
			return nil
		}
		w.client.before = func(string) error {
			if ended {
				return errCutOff
			}
			return nil
		}
		for !ended {
			_, err := w.Articles.Reconcile(w.ctx, request(key))
			Expect(err == nil || errors.Is(err, errCutOff)).To(BeTrue())
			w.awaitWork()
		}
		return key
	}

	for name, write := range map[string]string{
		"before the attempt is in status": "create ConfigMap",
		"during the attempt":              "update Article/status",
	} {
		It("is taken although the article was deleted before the next start: "+name, func() {
			key := killedAfter(write)
			Expect(api.Delete(w.ctx, w.get(key))).To(Succeed())
			Expect(next()).To(Equal("shoes-2"))
			Expect(w.posts()).To(ConsistOf(HaveField("Spec", And(
				HaveField("Slug", "shoes"), HaveField("State", v1alpha1.PostSent), HaveField("ArticleRef.Name", "first")))))

			By("giving it away once the Post is deleted")
			Expect(api.Delete(w.ctx, &w.posts()[0])).To(Succeed())
			Expect(w.reconcileUntilStable(w.createArticle("another", text)).Status.Slug).To(Equal("shoes"))
		})
	}

	It("is taken if the process ended between the attempt and its Post", func() {
		w = newWorld()
		w.createSite()
		w.client.before = func(write string) error {
			if write == "create Post" {
				return errCutOff
			}
			return nil
		}
		key := w.createArticle("first", text, approvedInManifest, toBePublished)
		for w.get(key).Status.Phase != v1alpha1.PhasePublished {
			_, err := w.Articles.Reconcile(w.ctx, request(key))
			Expect(err == nil || errors.Is(err, errCutOff)).To(BeTrue())
			w.awaitWork()
		}
		Expect(api.Delete(w.ctx, w.get(key))).To(Succeed())
		Expect(next()).To(Equal("shoes-2"))
	})

	It("is taken if the Site was deleted with the article during the attempt", func() {
		w = newWorld()
		site := w.createSite()
		answer := w.holdReceiver()
		key := w.createArticle("first", text, approvedInManifest, toBePublished)
		for w.get(key).Status.Publication == nil {
			w.Reconcile(key)
		}
		last := w.get(key)
		Expect(api.Delete(w.ctx, site)).To(Succeed())
		Expect(api.Delete(w.ctx, last)).To(Succeed())
		w.Posts.Deleted(w.ctx, last)
		w.Reconcile(key)
		answer()
		w.awaitWork()
		Expect(w.posts()).To(HaveLen(1))
		w.createSite()
		Expect(next()).To(Equal("shoes-2"))
	})

	It("is the article's own if that still exists, and nothing is sent twice for it", func() {
		key := killedAfter("create ConfigMap")
		w.client.before, w.client.after = noFault, noFault
		w.restart()
		Expect(w.reconcileUntilStable(key).Status.Slug).To(Equal("shoes"))
		Expect(w.receiver.Received()).To(HaveLen(1))
	})

	It("is listed until another one is, or a second after it is known what became of it", func() {
		w = newWorld()
		w.createSite()
		var last client.ObjectKey
		for _, name := range []string{"first", "second", "third"} {
			last = w.createArticle(name, withText(name, "Text."), approvedInManifest, toBePublished)
			uid := string(w.reconcileUntilStable(last).UID)
			Expect(w.outgoing()).To(HaveLen(1), "one write adds an entry and removes those before")
			Expect(w.outgoing()).To(HaveKey(uid))
		}
		again, err := w.Articles.Reconcile(w.ctx, request(last))
		Expect(err).NotTo(HaveOccurred())
		Expect(again.RequeueAfter).To(BeNumerically("~", time.Second, 100*time.Millisecond))
		w.clock.Step(again.RequeueAfter)
		again, err = w.Articles.Reconcile(w.ctx, request(last))
		Expect(err).NotTo(HaveOccurred())
		Expect(again.RequeueAfter).To(BeZero())
		Expect(w.outgoing()).To(BeEmpty())
	})
})
