package controllers_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// dump returns the objects of a tenant's workspace as tools restore them: without status, uid, resource version, owners and managed
// fields.
func (t *tenant) dump() []client.Object {
	GinkgoHelper()
	var (
		sites     v1alpha1.SiteList
		articles  v1alpha1.ArticleList
		revisions v1alpha1.ArticleRevisionList
		posts     v1alpha1.PostList
		objects   []client.Object
	)
	for _, list := range []client.ObjectList{&sites, &articles, &revisions, &posts} {
		Expect(api.List(t.Ctx, list, client.InNamespace(t.Namespace))).To(Succeed())
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
func (t *tenant) wipe() {
	GinkgoHelper()
	for _, o := range []client.Object{&v1alpha1.Site{}, &v1alpha1.Article{}, &v1alpha1.ArticleRevision{}, &v1alpha1.Post{}} {
		Expect(api.DeleteAllOf(t.Ctx, o, client.InNamespace(t.Namespace))).To(Succeed())
	}
}

// confirmRestored says that everything is there, as docs/how-to/backup.md does.
func (t *tenant) confirmRestored() {
	GinkgoHelper()
	t.EditSite(func(s *v1alpha1.Site) { s.Annotations[v1alpha1.RestoreConfirmedAnnotation] = string(s.UID) })
	t.ReconcileSite()
}

// seen is what people and receivers see of an article.
type seen struct {
	Phase                 v1alpha1.ArticlePhase
	Approved, Published   string
	Slug, Digest          string
	URL, ExternalID, When string
}

func (t *tenant) seen(key client.ObjectKey) seen {
	GinkgoHelper()
	a := t.GetArticle(key)
	s := seen{
		Phase: a.Status.Phase, Approved: Reason(a, v1alpha1.ConditionApproved), Published: Reason(a, v1alpha1.ConditionPublished),
	}
	// A slug under which nothing was sent yet is chosen again.
	if a.Status.Publication != nil {
		s.Slug = a.Status.Slug
	}
	if a.Status.Revision != nil {
		s.Digest = a.Status.Revision.Digest
	}
	if p := lifecycle.Have(a); lifecycle.Published(a) {
		s.URL, s.ExternalID, s.When = p.URL, p.ExternalID, p.PublishTime.UTC().String()
	}
	return s
}

// effects counts what cannot be taken back.
func (t *tenant) effects() string {
	return fmt.Sprintf("%d texts, %d credits, %d requests", t.Generator.Calls(), t.Usage().CreditsUsed, len(t.Receiver.Received()))
}

// inEachState makes articles, and returns those whose state must survive.
func (t *tenant) inEachState() []client.ObjectKey {
	GinkgoHelper()
	changed := func(title string) func(*v1alpha1.Article) { return WithText(title, "Another text of "+title+".") }
	keys := map[string]client.ObjectKey{}
	for name, changes := range map[string][]func(*v1alpha1.Article){
		"gen-review":        {WithKeyword},
		"gen-approved":      {WithKeyword},
		"gen-published":     {WithKeyword},
		"gen-regenerated":   {WithKeyword},
		"gen-with-fields":   {WithKeyword, func(a *v1alpha1.Article) { a.Spec.Content = &v1alpha1.ArticleContent{Title: "My title"} }},
		"written-review":    {WithText("Review", "Text.")},
		"written-edited":    {WithText("Edited", "Text.")},
		"written-published": {WithText("Same", "Text one."), ApprovedInManifest, ToBePublished},
		"written-same":      {WithText("Same", "Text two."), ApprovedInManifest, ToBePublished},
		"written-rejected":  {WithText("Rejected", "Text.")},
		"written-scheduled": {WithText("Scheduled", "Text."), ApprovedInManifest, ToBePublished, func(a *v1alpha1.Article) {
			a.Spec.PublishAfter = &v1alpha1.Time{Time: t.Clock.Now().Add(1000 * time.Hour)}
		}},
		"written-draft":     {WithText("Draft", "Text."), func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageDraft }},
		"written-redeliver": {WithText("Redelivered", "Text."), ApprovedInManifest, ToBePublished},
	} {
		keys[name] = t.CreateArticle(name, changes...)
		t.ReconcileUntilStable(keys[name])
	}
	t.EditArticle(keys["gen-approved"], func(a *v1alpha1.Article) {
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: a.Status.Revision.Digest, By: "mara@acme.example"}
	})
	t.ApproveAndPublish(keys["gen-published"])
	for n := range 4 {
		t.EditArticle(keys["gen-regenerated"], func(a *v1alpha1.Article) {
			a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: strconv.Itoa(n)}
		})
		t.EditArticle(keys["written-edited"], changed(fmt.Sprintf("Edited %d", n)))
		t.ReconcileUntilStable(keys["gen-regenerated"])
		t.ReconcileUntilStable(keys["written-edited"])
	}
	t.EditArticle(keys["written-rejected"], func(a *v1alpha1.Article) {
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, Digest: a.Status.Revision.Digest, By: "mara@acme.example"}
	})
	t.EditArticle(keys["written-redeliver"], func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "1"} })
	all := make([]client.ObjectKey, 0, len(keys)+1)
	for _, key := range keys {
		t.ReconcileUntilStable(key)
		all = append(all, key)
	}
	t.Receiver.AnswersStatus(http.StatusGone)
	failed := t.CreateArticle("written-failed", WithText("Failed", "Text."), ApprovedInManifest, ToBePublished)
	t.ReconcileUntilStable(failed)
	t.Receiver.AnswersStatus(http.StatusOK)
	return append(all, failed)
}

// restore deletes the objects of a workspace and creates them in a random order, while reconciles of some go on.
func (t *tenant) restore(objects []client.Object, keys []client.ObjectKey, random *rand.Rand) {
	GinkgoHelper()
	t.wipe()
	Expect(api.DeleteAllOf(t.Ctx, &v1alpha1.EventDelivery{}, client.InNamespace(t.Namespace))).To(Succeed())
	t.Restart()
	for _, i := range random.Perm(len(objects)) {
		Expect(api.Create(t.Ctx, objects[i].DeepCopyObject().(client.Object))).To(Succeed())
		if random.IntN(3) == 0 {
			key := keys[random.IntN(len(keys))]
			_, err := t.Articles.Reconcile(t.Ctx, Request(key))
			Expect(client.IgnoreNotFound(err)).To(Succeed())
			_, err = t.Sites.Reconcile(t.Ctx, Request(client.ObjectKey{Namespace: t.Namespace, Name: "acme"}))
			Expect(client.IgnoreNotFound(err)).To(Succeed())
		}
	}
	t.confirmRestored()
	for range 2 {
		for _, i := range random.Perm(len(keys)) {
			t.ReconcileUntilStable(keys[i])
			t.DispatchAndDeliver(keys[i])
		}
	}
}

// What Velero and kubectl restore: neither status, nor uid, nor owners, in an order that nobody knows, beside a controller that works.
var _ = Describe("A restored workspace", func() {
	It("generates, charges and sends nothing again, in any order of its objects", func() {
		t := newTenant()
		t.CreateSite()
		t.ReconcileSite()
		hook := t.Subscribe("hook")
		keys := t.inEachState()
		for _, key := range keys {
			t.DispatchAndDeliver(key)
		}
		before, told, want := t.effects(), len(hook.Received()), map[client.ObjectKey]seen{}
		for _, key := range keys {
			want[key] = t.seen(key)
		}

		objects := t.dump()
		for seed := range uint64(2) {
			t.restore(objects, keys, rand.New(rand.NewPCG(seed, 7)))
			for _, key := range keys {
				Expect(t.seen(key)).To(Equal(want[key]), key.Name)
			}
			Expect(t.effects()).To(Equal(before))
			var again []string
			for _, r := range hook.Received()[told:] {
				again = append(again, r.Body)
			}
			Expect(again).To(BeEmpty())
			for _, rev := range t.Revisions() {
				Expect(metav1.GetControllerOf(&rev)).NotTo(BeNil(), rev.Name)
			}
		}
		for _, key := range keys {
			if want[key].Phase != v1alpha1.PhasePublished {
				continue
			}
			t.EditArticle(key, WithText("Other", "Other."))
			Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionUpToDate)).To(Equal("False/UpdatesFrozen"))
		}
		Expect(t.effects()).To(Equal(before))
	})

	It("goes on as before: the next text gets the next number", func() {
		t := newTenant()
		t.CreateSite()
		t.ReconcileSite()
		key := t.CreateArticle("edited", WithText("Edited", "Text."))
		t.ReconcileUntilStable(key)
		t.EditArticle(key, WithText("Edited", "Text two."))
		t.ReconcileUntilStable(key)
		objects := t.dump()
		t.wipe()
		for _, o := range objects {
			Expect(api.Create(t.Ctx, o)).To(Succeed())
		}
		t.confirmRestored()
		t.ReconcileUntilStable(key)
		t.EditArticle(key, WithText("Edited", "Text three."))
		Expect(t.ReconcileUntilStable(key).Status.Revision.Number).To(BeEquivalentTo(3))
	})
})

// kubectl delete --cascade=orphan, and a rebuild from Git.
var _ = Describe("An article that is created again beside its revisions", func() {
	orphan := func(t *tenant, key client.ObjectKey) *v1alpha1.Article {
		GinkgoHelper()
		last := t.GetArticle(key)
		for _, rev := range t.Revisions() {
			rev.OwnerReferences = nil
			Expect(api.Update(t.Ctx, &rev)).To(Succeed())
		}
		Expect(api.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
		t.Reconcile(key)
		return last
	}

	It("has them again, and generates and sends nothing", func() {
		t := newTenant()
		t.CreateSite()
		for _, key := range []client.ObjectKey{t.CreateArticle("gen", WithKeyword), t.CreateArticle("pub", WithText("Pub", "Text."), ApprovedInManifest, ToBePublished)} {
			t.ReconcileUntilStable(key)
			want, before := t.seen(key), t.effects()
			last := orphan(t, key)
			t.CreateArticle(key.Name, func(a *v1alpha1.Article) { a.Spec = last.Spec })
			t.ReconcileUntilStable(key)
			Expect(t.seen(key)).To(Equal(want))
			Expect(t.effects()).To(Equal(before))
		}
	})

	It("keeps what its site has, and pays for no text that could not be published", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("gen", WithKeyword)
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		last := t.ReconcileUntilStable(key)
		_, err := t.Posts.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		before := t.effects()
		Expect(api.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
		for _, rev := range t.Revisions() {
			Expect(api.Delete(t.Ctx, &rev)).To(Succeed())
		}
		t.Reconcile(key)
		t.CreateArticle("gen", func(a *v1alpha1.Article) { a.Spec = last.Spec })
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/UpdatesFrozen"))
		Expect(t.effects()).To(Equal(before))
	})

	It("takes the next number for a text that has changed", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("hello", WithText("Hello", "Old."))
		t.ReconcileUntilStable(key)
		orphan(t, key)
		t.CreateArticle("hello", WithText("Hello", "New."))
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Revision.Number).To(BeEquivalentTo(2))
		Expect(t.Revision(a).Spec.Markdown).To(Equal("New."))
	})

	It("waits before it pays while the revisions of a deleted article of its name are collected", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("gen", WithKeyword)
		old := t.ReconcileUntilStable(key)
		before := t.effects()
		Expect(api.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
		t.CreateArticle("gen", WithKeyword)
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/RevisionNameTaken"))
		Expect(t.effects()).To(Equal(before))
		Expect(api.Delete(t.Ctx, t.Revision(old))).To(Succeed())
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})
})
