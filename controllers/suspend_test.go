package controllers_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// suspender begins and ends one kind of suspension.
type suspender struct {
	name    string
	suspend func(w *world, on bool)
}

func suspenders() []suspender {
	return []suspender{
		{"a Site", func(w *world, on bool) { w.site(func(s *v1alpha1.Site) { s.Spec.Suspend = on }) }},
		{"an Account", func(w *world, on bool) {
			account := w.readAccount()
			account.Spec.Suspend = on
			Expect(api.Update(w.ctx, account)).To(Succeed())
		}},
		{"an installation", func(w *world, on bool) {
			w.suspended = on
			w.restart()
		}},
	}
}

var _ = Describe("A suspension", func() {
	for _, s := range suspenders() {
		It("of "+s.name+" generates and sends nothing, says so, and goes on where it was", func() {
			w := newWorld()
			w.createSite()
			hook := w.subscribe("hook")
			w.reconcileSite()
			s.suspend(w, true)

			asked := w.createArticle("asked", withKeyword)
			due := w.createArticle("due", withText("Due", "Text."), approvedInManifest, toBePublished)
			for range 3 {
				a := w.reconcileUntilStable(asked)
				Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Suspended"))
				Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
				a = w.reconcileUntilStable(due)
				Expect(a.Status.Revision).NotTo(BeNil(), "a text is taken in")
				Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Suspended"))
				Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
				w.dispatchAndDeliver(due)
				w.clock.Step(time.Hour)
			}
			w.askTest("1")
			w.reconcileSiteUntilStable()
			Expect(w.acme().Status.ConnectionTest.Outcome).To(Equal(v1alpha1.AttemptNotSent))
			Expect(conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
			Expect(w.generator.Calls()).To(BeZero())
			Expect(w.usage().CreditsUsed).To(BeZero())
			Expect(w.receiver.Received()).To(BeEmpty())
			Expect(hook.Received()).To(BeEmpty())
			Expect(w.get(due).Status.Publication).To(BeNil())

			s.suspend(w, false)
			Expect(w.reconcileUntilStable(asked).Status.Phase).To(Equal(v1alpha1.PhaseReview))
			Expect(w.reconcileUntilStable(due).Status.Phase).To(Equal(v1alpha1.PhasePublished))
			w.clock.Step(time.Hour)
			w.dispatchAndDeliver(asked)
			w.dispatchAndDeliver(due)
			w.reconcileSiteUntilStable()
			Expect(conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Configured"))
			Expect(w.generator.Calls()).To(BeNumerically("==", 1))
			Expect(w.receiver.Received()).To(HaveLen(1))
			Expect(hook.Received()).To(HaveLen(4), "in review, and in review, approved, published")
		})
	}

	It("records what is in progress, and makes the retry when it ends", func() {
		w := newWorld()
		w.createSite()
		proceed := make(chan struct{})
		w.receiver.Answers(func(_ int, answer http.ResponseWriter) {
			<-proceed
			answer.WriteHeader(http.StatusServiceUnavailable)
		})
		key := w.createArticle("due", withText("Due", "Text."), approvedInManifest, toBePublished)
		for w.get(key).Status.Publication == nil {
			w.Reconcile(key)
		}
		w.site(func(s *v1alpha1.Site) { s.Spec.Suspend = true })
		close(proceed)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Publication.Attempts).To(HaveLen(1))
		Expect(a.Status.Publication.Attempts[0].Outcome).To(Equal(v1alpha1.AttemptRejected))
		w.clock.Step(time.Hour)
		before := w.reconcileUntilStable(key).Status.Publication
		w.clock.Step(100 * time.Hour)
		Expect(w.reconcileUntilStable(key).Status.Publication).To(Equal(before))
		w.site(func(s *v1alpha1.Site) { s.Spec.Suspend = false })
		Expect(w.reconcileUntilStable(key).Status.Publication.Attempts).To(HaveLen(2))
	})

	It("of a Site lets the others go on", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.Suspend = true })
		w.createSite(func(s *v1alpha1.Site) { s.Name = "other" })
		key := w.createArticle("due", withText("Due", "Text."), approvedInManifest, toBePublished,
			func(a *v1alpha1.Article) { a.Spec.SiteRef.Name = "other" })
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})
})

// A Site that comes from a backup, or was copied into another workspace, may have articles whose revisions and posts are not there
// yet, and receivers that are not its own.
var _ = Describe("A restored Site", func() {
	restore := func(w *world) {
		GinkgoHelper()
		w.reconcileSite()
		site := w.acme()
		Expect(site.Annotations).To(HaveKey(v1alpha1.UIDAnnotation))
		Expect(api.Delete(w.ctx, site)).To(Succeed())
		site.ResourceVersion, site.UID = "", ""
		Expect(api.Create(w.ctx, site)).To(Succeed())
	}

	ready := func(w *world) string { return conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionReady) }

	It("holds everything back, revisions too, until somebody confirms that very site", func() {
		w := newWorld()
		w.createSite()
		restore(w)
		key := w.createArticle("due", withText("Due", "Text."), approvedInManifest, toBePublished)
		for _, uid := range []string{"", "of-another-site", w.acme().Annotations[v1alpha1.UIDAnnotation]} {
			w.site(func(s *v1alpha1.Site) { s.Annotations[v1alpha1.RestoreConfirmedAnnotation] = uid })
			a := w.reconcileUntilStable(key)
			Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
			Expect(a.Status.Revision).To(BeNil())
			w.reconcileSite()
			Expect(ready(w)).To(Equal("False/Restored"))
		}
		Expect(w.acme().Status.Conditions).To(ContainElement(HaveField("Message",
			ContainSubstring("set its annotation pressroom.dev/restore-confirmed to "+string(w.acme().UID)))))
		w.confirmRestored()
		Expect(ready(w)).To(Equal("True/Configured"))
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("stays confirmed when Git takes the confirmation away and brings the uid of the exported manifest back", func() {
		w := newWorld()
		w.createSite()
		exported := string(w.acme().UID)
		restore(w)
		w.confirmRestored()
		Expect(w.acme().Status.ConfirmedUID).To(Equal(string(w.acme().UID)))
		for range 2 {
			w.site(func(s *v1alpha1.Site) { s.Annotations = map[string]string{v1alpha1.UIDAnnotation: exported} })
			before := w.acme().ResourceVersion
			w.reconcileSite()
			Expect(ready(w)).To(Equal("True/Configured"))
			Expect(w.acme().ResourceVersion).To(Equal(before), "the controller does not write against Git")
		}
	})

	It("is restored again after the next restore, whatever the manifest says", func() {
		w := newWorld()
		w.createSite()
		restore(w)
		w.confirmRestored()
		restore(w)
		w.reconcileSite()
		Expect(ready(w)).To(Equal("False/Restored"))
	})
})

// Flux, and Argo CD with server-side apply, force what a manifest in Git says.
var _ = Describe("An operator's stop", func() {
	sync := func(w *world, kind, name, namespace string, spec map[string]any) {
		GinkgoHelper()
		manifest := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
		manifest.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind))
		manifest.SetName(name)
		manifest.SetNamespace(namespace)
		Expect(api.Apply(w.ctx, client.ApplyConfigurationFromUnstructured(manifest),
			client.FieldOwner("kustomize-controller"), client.ForceOwnership)).To(Succeed())
	}
	stop := func(w *world, o client.Object, value string) {
		GinkgoHelper()
		Expect(api.Patch(w.ctx, o, client.RawPatch(types.MergePatchType, []byte(`{"spec": {"suspend": `+value+`}}`)),
			client.FieldOwner("pressroom-operator"))).To(Succeed())
	}

	It("of a Site outlasts the syncs of its manifest, and ends when the operator says so", func() {
		w := newWorld()
		spec := map[string]any{"domain": "acme.example", "cms": map[string]any{"type": "None"}}
		sync(w, "Site", "acme", w.namespace, spec)
		stop(w, w.acme(), "true")
		spec["domain"] = "www.acme.example"
		sync(w, "Site", "acme", w.namespace, spec)
		Expect(w.acme().Spec.Domain).To(Equal("www.acme.example"))
		Expect(w.acme().Spec.Suspend).To(BeTrue())
		stop(w, w.acme(), "null")
		sync(w, "Site", "acme", w.namespace, spec)
		Expect(w.acme().Spec.Suspend).To(BeFalse())
	})

	It("of an Account outlasts the syncs of its manifest", func() {
		w := newWorld()
		sync(w, "Account", w.account, "", map[string]any{"credits": int64(10)})
		stop(w, w.readAccount(), "true")
		sync(w, "Account", w.account, "", map[string]any{"credits": int64(20)})
		Expect(w.readAccount().Spec.Credits).To(HaveValue(BeEquivalentTo(20)))
		Expect(w.readAccount().Spec.Suspend).To(BeTrue())
	})
})

// readAccount reads the world's account.
func (w *world) readAccount() *v1alpha1.Account {
	GinkgoHelper()
	account := &v1alpha1.Account{}
	Expect(api.Get(w.ctx, client.ObjectKey{Name: w.account}, account)).To(Succeed())
	return account
}
