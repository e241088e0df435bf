package controllers_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// dump returns the objects of a world's workspace as tools restore them: without status, uid, resource version, owners and managed
// fields.
func (w *world) dump() []client.Object {
	GinkgoHelper()
	var (
		sites     v1alpha1.SiteList
		articles  v1alpha1.ArticleList
		revisions v1alpha1.ArticleRevisionList
		posts     v1alpha1.PostList
		objects   []client.Object
	)
	for _, list := range []client.ObjectList{&sites, &articles, &revisions, &posts} {
		Expect(api.List(w.ctx, list, client.InNamespace(w.namespace))).To(Succeed())
	}
	for i := range sites.Items {
		sites.Items[i].Status = v1alpha1.SiteStatus{}
		objects = append(objects, &sites.Items[i])
	}
	for i := range articles.Items {
		articles.Items[i].Status = v1alpha1.ArticleStatus{}
		objects = append(objects, &articles.Items[i])
	}
	for i := range revisions.Items {
		objects = append(objects, &revisions.Items[i])
	}
	for i := range posts.Items {
		objects = append(objects, &posts.Items[i])
	}
	for _, o := range objects {
		o.SetResourceVersion("")
		o.SetUID("")
		o.SetGeneration(0)
		o.SetCreationTimestamp(metav1.Time{})
		o.SetOwnerReferences(nil)
		o.SetManagedFields(nil)
	}
	return objects
}

// wipe deletes what dump returns.
func (w *world) wipe() {
	GinkgoHelper()
	for _, o := range []client.Object{&v1alpha1.Site{}, &v1alpha1.Article{}, &v1alpha1.ArticleRevision{}, &v1alpha1.Post{}} {
		Expect(api.DeleteAllOf(w.ctx, o, client.InNamespace(w.namespace))).To(Succeed())
	}
}

// confirmRestored says that everything is there, as docs/backup.md does.
func (w *world) confirmRestored() {
	GinkgoHelper()
	w.site(func(s *v1alpha1.Site) { s.Annotations[v1alpha1.RestoreConfirmedAnnotation] = string(s.UID) })
	w.reconcileSite()
}

// seen is what people and receivers see of an article.
type seen struct {
	Phase                 v1alpha1.ArticlePhase
	Approved, Published   string
	Slug, Digest          string
	URL, ExternalID, When string
}

func (w *world) seen(key client.ObjectKey) seen {
	GinkgoHelper()
	a := w.get(key)
	s := seen{
		Phase: a.Status.Phase, Approved: reason(a, v1alpha1.ConditionApproved), Published: reason(a, v1alpha1.ConditionPublished),
	}
	// A slug under which nothing was sent yet is chosen again.
	if a.Status.Publication != nil {
		s.Slug = a.Status.Slug
	}
	if a.Status.Revision != nil {
		s.Digest = a.Status.Revision.Digest
	}
	if p := a.Status.Publication; p != nil && p.State == v1alpha1.PublicationPublished {
		s.URL, s.ExternalID, s.When = p.URL, p.ExternalID, p.PublishTime.UTC().String()
	}
	return s
}

// effects counts what cannot be taken back.
func (w *world) effects() string {
	return fmt.Sprintf("%d texts, %d credits, %d requests", w.generator.Calls(), w.usage().CreditsUsed, len(w.receiver.Received()))
}

// inEachState makes articles, and returns those whose state must survive.
func (w *world) inEachState() []client.ObjectKey {
	GinkgoHelper()
	changed := func(title string) func(*v1alpha1.Article) { return withText(title, "Another text of "+title+".") }
	keys := map[string]client.ObjectKey{}
	for name, changes := range map[string][]func(*v1alpha1.Article){
		"gen-review":        {withKeyword},
		"gen-approved":      {withKeyword},
		"gen-published":     {withKeyword},
		"gen-regenerated":   {withKeyword},
		"gen-with-fields":   {withKeyword, func(a *v1alpha1.Article) { a.Spec.Content = &v1alpha1.ArticleContent{Title: "My title"} }},
		"written-review":    {withText("Review", "Text.")},
		"written-edited":    {withText("Edited", "Text.")},
		"written-published": {withText("Same", "Text one."), approvedInManifest, toBePublished},
		"written-same":      {withText("Same", "Text two."), approvedInManifest, toBePublished},
		"written-rejected":  {withText("Rejected", "Text.")},
		"written-scheduled": {withText("Scheduled", "Text."), approvedInManifest, toBePublished, func(a *v1alpha1.Article) {
			a.Spec.PublishAfter = &metav1.Time{Time: w.clock.Now().Add(1000 * time.Hour)}
		}},
		"written-draft":     {withText("Draft", "Text."), func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageDraft }},
		"written-redeliver": {withText("Redelivered", "Text."), approvedInManifest, toBePublished},
	} {
		keys[name] = w.createArticle(name, changes...)
		w.reconcileUntilStable(keys[name])
	}
	w.edit(keys["gen-approved"], func(a *v1alpha1.Article) {
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: a.Status.Revision.Digest, By: "mara@acme.example"}
	})
	w.approveAndPublish(keys["gen-published"])
	for n := range 4 {
		w.edit(keys["gen-regenerated"], func(a *v1alpha1.Article) {
			a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: strconv.Itoa(n)}
		})
		w.edit(keys["written-edited"], changed(fmt.Sprintf("Edited %d", n)))
		w.reconcileUntilStable(keys["gen-regenerated"])
		w.reconcileUntilStable(keys["written-edited"])
	}
	w.edit(keys["written-rejected"], func(a *v1alpha1.Article) {
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, Digest: a.Status.Revision.Digest, By: "mara@acme.example"}
	})
	w.edit(keys["written-redeliver"], func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "1"} })
	all := make([]client.ObjectKey, 0, len(keys)+1)
	for _, key := range keys {
		w.reconcileUntilStable(key)
		all = append(all, key)
	}
	w.receiver.AnswersStatus(http.StatusGone)
	failed := w.createArticle("written-failed", withText("Failed", "Text."), approvedInManifest, toBePublished)
	w.reconcileUntilStable(failed)
	w.receiver.AnswersStatus(http.StatusOK)
	return append(all, failed)
}

// What Velero and kubectl restore: neither status, nor uid, nor owners, in an order that nobody knows, beside a controller that works.
var _ = Describe("A restored workspace", func() {
	for seed := range uint64(3) {
		It(fmt.Sprintf("generates, charges and sends nothing again, in whichever order its objects come (%d)", seed), func() {
			random := rand.New(rand.NewPCG(seed, 7))
			w := newWorld()
			w.createSite()
			w.reconcileSite()
			hook := w.subscribe("hook")
			keys := w.inEachState()
			for _, key := range keys {
				w.dispatchAndDeliver(key)
			}
			before, told, want := w.effects(), len(hook.Received()), map[client.ObjectKey]seen{}
			for _, key := range keys {
				want[key] = w.seen(key)
			}

			objects := w.dump()
			w.wipe()
			Expect(api.DeleteAllOf(w.ctx, &v1alpha1.EventDelivery{}, client.InNamespace(w.namespace))).To(Succeed())
			w.restart()
			random.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
			for _, o := range objects {
				Expect(api.Create(w.ctx, o)).To(Succeed())
				if random.IntN(3) == 0 {
					key := keys[random.IntN(len(keys))]
					_, err := w.Articles.Reconcile(w.ctx, request(key))
					Expect(client.IgnoreNotFound(err)).To(Succeed())
					_, err = w.Sites.Reconcile(w.ctx, request(client.ObjectKey{Namespace: w.namespace, Name: "acme"}))
					Expect(client.IgnoreNotFound(err)).To(Succeed())
				}
			}
			w.confirmRestored()
			for range 2 {
				for _, i := range random.Perm(len(keys)) {
					w.reconcileUntilStable(keys[i])
					w.dispatchAndDeliver(keys[i])
				}
			}
			for _, key := range keys {
				Expect(w.seen(key)).To(Equal(want[key]), key.Name)
			}
			Expect(w.effects()).To(Equal(before))
			var again []string
			for _, r := range hook.Received()[told:] {
				again = append(again, r.Body)
			}
			Expect(again).To(BeEmpty())
			for _, rev := range w.revisions() {
				Expect(metav1.GetControllerOf(&rev)).NotTo(BeNil(), rev.Name)
			}
			for _, key := range keys {
				if want[key].Phase != v1alpha1.PhasePublished {
					continue
				}
				a := w.get(key)
				a.Spec.Content = &v1alpha1.ArticleContent{Title: "Other", Markdown: "Other."}
				Expect(apierrors.IsInvalid(api.Update(w.ctx, a))).To(BeTrue(), "published is frozen")
			}
		})
	}

	It("goes on as before: the next text gets the next number", func() {
		w := newWorld()
		w.createSite()
		w.reconcileSite()
		key := w.createArticle("edited", withText("Edited", "Text."))
		w.reconcileUntilStable(key)
		w.edit(key, withText("Edited", "Text two."))
		w.reconcileUntilStable(key)
		objects := w.dump()
		w.wipe()
		for _, o := range objects {
			Expect(api.Create(w.ctx, o)).To(Succeed())
		}
		w.confirmRestored()
		w.reconcileUntilStable(key)
		w.edit(key, withText("Edited", "Text three."))
		Expect(w.reconcileUntilStable(key).Status.Revision.Number).To(BeEquivalentTo(3))
	})
})

// kubectl delete --cascade=orphan, and a rebuild from Git.
var _ = Describe("An article that is created again beside its revisions", func() {
	orphan := func(w *world, key client.ObjectKey) *v1alpha1.Article {
		GinkgoHelper()
		last := w.get(key)
		for _, rev := range w.revisions() {
			rev.OwnerReferences = nil
			Expect(api.Update(w.ctx, &rev)).To(Succeed())
		}
		Expect(api.Delete(w.ctx, w.get(key))).To(Succeed())
		w.Reconcile(key)
		return last
	}

	It("has them again, and generates and sends nothing", func() {
		w := newWorld()
		w.createSite()
		for _, key := range []client.ObjectKey{w.createArticle("gen", withKeyword), w.createArticle("pub", withText("Pub", "Text."), approvedInManifest, toBePublished)} {
			w.reconcileUntilStable(key)
			want, before := w.seen(key), w.effects()
			last := orphan(w, key)
			w.createArticle(key.Name, func(a *v1alpha1.Article) { a.Spec = last.Spec })
			w.reconcileUntilStable(key)
			Expect(w.seen(key)).To(Equal(want))
			Expect(w.effects()).To(Equal(before))
		}
	})

	It("takes the next number for a text that has changed", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("hello", withText("Hello", "Old."))
		w.reconcileUntilStable(key)
		orphan(w, key)
		w.createArticle("hello", withText("Hello", "New."))
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Revision.Number).To(BeEquivalentTo(2))
		Expect(w.revision(a).Spec.Markdown).To(Equal("New."))
	})

	It("waits before it pays while the revisions of a deleted article of its name are collected", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("gen", withKeyword)
		old := w.reconcileUntilStable(key)
		before := w.effects()
		Expect(api.Delete(w.ctx, w.get(key))).To(Succeed())
		w.createArticle("gen", withKeyword)
		Expect(reason(w.reconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/RevisionNameTaken"))
		Expect(w.effects()).To(Equal(before))
		Expect(api.Delete(w.ctx, w.revision(old))).To(Succeed())
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})
