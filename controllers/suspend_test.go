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
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// suspender begins and ends one kind of suspension.
type suspender struct {
	name    string
	suspend func(t *tenant, on bool)
}

func suspenders() []suspender {
	return []suspender{
		{"a Site", func(t *tenant, on bool) { t.EditSite(func(s *v1alpha1.Site) { s.Spec.Suspend = on }) }},
		{"an Account", func(t *tenant, on bool) { t.EditAccount(func(a *v1alpha1.Account) { a.Spec.Suspend = on }) }},
		{"an installation", func(t *tenant, on bool) {
			t.Suspended = on
			t.Restart()
		}},
	}
}

var _ = Describe("A suspension", func() {
	for _, s := range suspenders() {
		It("of "+s.name+" generates and sends nothing, says so, and goes on where it was", func() {
			t := newTenant()
			t.CreateSite()
			hook := t.Subscribe("hook")
			t.ReconcileSite()
			s.suspend(t, true)

			asked := t.CreateArticle("asked", WithKeyword)
			due := t.CreateArticle("due", WithText("Due", "Text."), ApprovedInManifest, ToBePublished)
			for range 3 {
				a := t.ReconcileUntilStable(asked)
				Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Suspended"))
				Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
				a = t.ReconcileUntilStable(due)
				Expect(a.Status.Revision).NotTo(BeNil(), "a text is taken in")
				Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Suspended"))
				Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
				t.DispatchAndDeliver(due)
				t.Clock.Step(time.Hour)
			}
			t.RequestTest("1")
			t.ReconcileSiteUntilStable()
			Expect(t.GetSite().Status.ConnectionTest.Outcome).To(Equal(v1alpha1.AttemptNotSent))
			Expect(ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
			Expect(t.Generator.Calls()).To(BeZero())
			Expect(t.Usage().CreditsUsed).To(BeZero())
			Expect(t.Receiver.Received()).To(BeEmpty())
			Expect(hook.Received()).To(BeEmpty())
			Expect(t.GetArticle(due).Status.Publication).To(BeNil())

			s.suspend(t, false)
			Expect(t.ReconcileUntilStable(asked).Status.Phase).To(Equal(v1alpha1.PhaseReview))
			Expect(t.ReconcileUntilStable(due).Status.Phase).To(Equal(v1alpha1.PhasePublished))
			t.Clock.Step(time.Hour)
			t.DispatchAndDeliver(asked)
			t.DispatchAndDeliver(due)
			t.ReconcileSiteUntilStable()
			Expect(ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Configured"))
			Expect(t.Generator.Calls()).To(BeNumerically("==", 1))
			Expect(t.Receiver.Received()).To(HaveLen(1))
			Expect(hook.Received()).To(HaveLen(4), "in review, and in review, approved, published")
		})

		It("of "+s.name+" keeps the credit of a generate call, for the run that begins when it ends", func() {
			t := newTenant()
			t.CreateSite()
			s.suspend(t, true)
			Expect(t.Generation.Charger.Reserve(t.Ctx, t.GetAccount().Spec, t.GenerateCharge("called"))).To(Succeed())
			key := t.CreateArticle("called", WithKeyword)
			t.ReconcileUntilStable(key)
			Expect(t.Swept(key)).To(Used(1))
			t.Clock.Step(100 * time.Hour)
			Expect(t.Swept(key)).To(Used(1))
			Expect(t.Generator.Calls()).To(BeZero())

			s.suspend(t, false)
			Expect(t.ReconcileUntilStable(key).Status.Run.Name).To(Equal(t.GenerateCharge("called").Run))
			Expect(t.Swept(key)).To(Used(1))
			Expect(t.Generator.Calls()).To(BeNumerically("==", 1))
		})
	}

	for _, s := range suspenders()[:2] {
		It("of "+s.name+" that ends has its events sent, which nobody looks at before", func() {
			t := newTenant()
			t.CreateSite()
			hook := t.Subscribe("hook")
			t.Clock.SetTime(time.Now())
			s.suspend(t, true)
			key := t.CreateDelivery("waits", "hook")
			stop := t.startManager()
			defer stop()
			delivered := func() string {
				d := &v1alpha1.EventDelivery{}
				Expect(api.Get(t.Ctx, key, d)).To(Succeed())
				return ConditionOf(d.Status.Conditions, v1alpha1.ConditionDelivered)
			}
			Eventually(delivered).Should(Equal("False/Suspended"))
			s.suspend(t, false)
			Eventually(delivered).Should(Equal("True/Delivered"))
			Expect(hook.Received()).To(HaveLen(1))
		})
	}

	It("records what is in progress, and makes the retry when it ends", func() {
		t := newTenant()
		t.CreateSite()
		proceed := make(chan struct{})
		t.Receiver.Answers(func(_ int, answer http.ResponseWriter) {
			<-proceed
			answer.WriteHeader(http.StatusServiceUnavailable)
		})
		key := t.CreateArticle("due", WithText("Due", "Text."), ApprovedInManifest, ToBePublished)
		for t.GetArticle(key).Status.Publication == nil {
			t.Reconcile(key)
		}
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Suspend = true })
		close(proceed)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Publication.Attempts).To(HaveLen(1))
		Expect(a.Status.Publication.Attempts[0].Outcome).To(Equal(v1alpha1.AttemptRejected))
		t.Clock.Step(time.Hour)
		before := t.ReconcileUntilStable(key).Status.Publication
		t.Clock.Step(100 * time.Hour)
		Expect(t.ReconcileUntilStable(key).Status.Publication).To(Equal(before))
		t.EditSite(func(s *v1alpha1.Site) { s.Spec.Suspend = false })
		Expect(t.ReconcileUntilStable(key).Status.Publication.Attempts).To(HaveLen(2))
	})

	It("of a Site lets the others go on", func() {
		t := newTenant()
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.Suspend = true })
		t.CreateSite(func(s *v1alpha1.Site) { s.Name = "other" })
		key := t.CreateArticle("due", WithText("Due", "Text."), ApprovedInManifest, ToBePublished,
			func(a *v1alpha1.Article) { a.Spec.SiteRef.Name = "other" })
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})
})

// A Site that comes from a backup, or was copied into another workspace, may have articles whose revisions and posts are not there
// yet, and receivers that are not its own.
var _ = Describe("A restored Site", func() {
	restore := func(t *tenant) {
		GinkgoHelper()
		t.ReconcileSite()
		site := t.GetSite()
		Expect(site.Annotations).To(HaveKey(v1alpha1.UIDAnnotation))
		Expect(api.Delete(t.Ctx, site)).To(Succeed())
		site.ResourceVersion, site.UID = "", ""
		Expect(api.Create(t.Ctx, site)).To(Succeed())
	}

	ready := func(t *tenant) string { return ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionReady) }

	It("holds everything back, revisions too, until somebody confirms that very site", func() {
		t := newTenant()
		t.CreateSite()
		restore(t)
		key := t.CreateArticle("due", WithText("Due", "Text."), ApprovedInManifest, ToBePublished)
		for _, uid := range []string{"", "of-another-site", t.GetSite().Annotations[v1alpha1.UIDAnnotation]} {
			t.EditSite(func(s *v1alpha1.Site) { s.Annotations[v1alpha1.RestoreConfirmedAnnotation] = uid })
			a := t.ReconcileUntilStable(key)
			Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
			Expect(a.Status.Revision).To(BeNil())
			t.ReconcileSite()
			Expect(ready(t)).To(Equal("False/Restored"))
		}
		Expect(t.GetSite().Status.Conditions).To(ContainElement(HaveField("Message",
			ContainSubstring("annotate pressroom.dev/restore-confirmed="+string(t.GetSite().UID)))))
		t.confirmRestored()
		Expect(ready(t)).To(Equal("True/Configured"))
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("stays confirmed when Git takes the confirmation away and brings the uid of the exported manifest back", func() {
		t := newTenant()
		t.CreateSite()
		exported := string(t.GetSite().UID)
		restore(t)
		t.confirmRestored()
		Expect(t.GetSite().Status.ConfirmedUID).To(Equal(string(t.GetSite().UID)))
		for range 2 {
			t.EditSite(func(s *v1alpha1.Site) { s.Annotations = map[string]string{v1alpha1.UIDAnnotation: exported} })
			before := t.GetSite().ResourceVersion
			t.ReconcileSite()
			Expect(ready(t)).To(Equal("True/Configured"))
			Expect(t.GetSite().ResourceVersion).To(Equal(before), "the controller does not write against Git")
		}
	})

	It("is restored again after the next restore, whatever the manifest says", func() {
		t := newTenant()
		t.CreateSite()
		restore(t)
		t.confirmRestored()
		restore(t)
		t.ReconcileSite()
		Expect(ready(t)).To(Equal("False/Restored"))
	})
})

// Flux, and Argo CD with server-side apply, force what a manifest in Git says.
var _ = Describe("An operator's stop", func() {
	sync := func(t *tenant, kind, name, namespace string, spec map[string]any) {
		GinkgoHelper()
		manifest := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
		manifest.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind))
		manifest.SetName(name)
		manifest.SetNamespace(namespace)
		Expect(api.Apply(t.Ctx, client.ApplyConfigurationFromUnstructured(manifest),
			client.FieldOwner("kustomize-controller"), client.ForceOwnership)).To(Succeed())
	}
	stop := func(t *tenant, o client.Object, value string) {
		GinkgoHelper()
		Expect(api.Patch(t.Ctx, o, client.RawPatch(types.MergePatchType, []byte(`{"spec": {"suspend": `+value+`}}`)),
			client.FieldOwner("pressroom-operator"))).To(Succeed())
	}

	It("of a Site outlasts the syncs of its manifest, and ends when the operator says so", func() {
		t := newTenant()
		spec := map[string]any{"domain": "acme.example", "cms": map[string]any{"type": "None"}}
		sync(t, "Site", "acme", t.Namespace, spec)
		stop(t, t.GetSite(), "true")
		spec["domain"] = "www.acme.example"
		sync(t, "Site", "acme", t.Namespace, spec)
		Expect(t.GetSite().Spec.Domain).To(Equal("www.acme.example"))
		Expect(t.GetSite().Spec.Suspend).To(BeTrue())
		stop(t, t.GetSite(), "null")
		sync(t, "Site", "acme", t.Namespace, spec)
		Expect(t.GetSite().Spec.Suspend).To(BeFalse())
	})

	It("of an Account outlasts the syncs of its manifest", func() {
		t := newTenant()
		sync(t, "Account", t.Account, "", map[string]any{"credits": int64(10)})
		stop(t, t.GetAccount(), "true")
		sync(t, "Account", t.Account, "", map[string]any{"credits": int64(20)})
		Expect(t.GetAccount().Spec.Credits).To(HaveValue(BeEquivalentTo(20)))
		Expect(t.GetAccount().Spec.Suspend).To(BeTrue())
	})
})
