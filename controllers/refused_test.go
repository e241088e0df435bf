package controllers_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// refusals are the ways in which kube-apiserver refuses an object of a kind.
func refusals(resource string) map[string]error {
	of := schema.GroupResource{Group: "pressroom.dev", Resource: resource}
	kind := schema.GroupKind{Group: "pressroom.dev", Kind: resource}
	return map[string]error{
		"a quota":               apierrors.NewForbidden(of, "shoes", errors.New("exceeded quota: pressroom")),
		"a later version":       apierrors.NewInvalid(kind, "shoes", field.ErrorList{field.Required(field.NewPath("spec"), "exceeded quota: pressroom")}),
		"the size of a request": apierrors.NewRequestEntityTooLargeError("exceeded quota: pressroom"),
		"a policy engine": &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusBadRequest,
			Message: `admission webhook "validate.kyverno.svc" denied the request: exceeded quota: pressroom`,
		}},
		"a policy engine that is down": apierrors.NewInternalError(
			errors.New(`failed calling webhook "validate.kyverno.svc": exceeded quota: pressroom`)),
		"a CRD that is missing":   apierrors.NewGenericServerResponse(http.StatusNotFound, "post", of, "", "exceeded quota: pressroom", 0, true),
		"a version that is gone":  &meta.NoKindMatchError{GroupKind: kind, SearchedVersions: []string{"v1alpha1"}},
		"a rule of one's network": apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "post", of, "", "exceeded quota: pressroom", 0, true),
	}
}

// refuse has kube-apiserver refuse the writes that begin so.
func (t *tenant) refuse(write string, err error) {
	t.Client.Before = func(made string) error {
		if strings.HasPrefix(made, write) {
			return err
		}
		return nil
	}
}

var _ = Describe("A workspace in which something is refused", func() {
	for why, err := range refusals("articlerevisions") {
		It("says so at an article whose revision is refused by "+why, func() {
			t := newTenant()
			t.CreateSite()
			t.refuse("create ArticleRevision", err)
			for name, text := range map[string]func(*v1alpha1.Article){"written": WithText("Shoes", "Grip is all."), "generated": WithKeyword} {
				key := t.CreateArticle(name, text)
				t.Reconcile(key)
				if name == "generated" {
					<-t.Notified
					t.Reconcile(key)
				}
				Expect(Reason(t.GetArticle(key), v1alpha1.ConditionReady)).To(Equal("False/RevisionRefused"))
				t.Client.Before = NoFault
				Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
				t.refuse("create ArticleRevision", err)
			}
			Expect(t.Generator.Calls()).To(Equal(1))
		})
	}

	for why, err := range refusals("posts") {
		It("says so at an article whose Post is refused by "+why, func() {
			t := newTenant()
			t.CreateSite()
			t.refuse("create Post", err)
			key := t.CreateArticle("due", WithText("Due", "Text."), ApprovedInManifest, ToBePublished)
			Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("False/PostRefused"))
			t.Client.Before = NoFault
			Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
		})
	}

	for why, err := range refusals("eventdeliveries") {
		It("publishes, and says so at the subscription, if its EventDeliveries are refused by "+why, func() {
			t := newTenant()
			t.CreateSite()
			hook := t.Subscribe("all")
			t.refuse("create EventDelivery", err)
			key := t.CreateArticle("edited", WithText("Edited", "Text 0."))
			for n := range v1alpha1.MaxOutbox + 2 {
				t.EditArticle(key, WithText("Edited", fmt.Sprintf("Text %d.", n)))
				t.ReconcileUntilStable(key)
				result, failed := t.Outbox.Reconcile(t.Ctx, Request(key))
				Expect(failed).NotTo(HaveOccurred(), "kube-apiserver is asked again later, and not at once")
				Expect(result.RequeueAfter).To(BeNumerically(">", time.Minute))
			}
			t.ApproveAndPublish(key)
			a := t.ReconcileUntilStable(key)
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
			Expect(a.Status.ObservedGeneration).To(Equal(a.Generation))
			Expect(Reason(a, v1alpha1.ConditionReady)).To(Equal("True/Delivered"))
			t.ReconcileEvents()
			s := t.Subscription("all")
			Expect(ConditionOf(s.Status.Conditions, v1alpha1.ConditionReady)).To(Equal("False/EventRefused"))

			t.Client.Before = NoFault
			t.Clock.Step(time.Hour)
			t.DispatchAndDeliver(key)
			Expect(hook.Received()).To(HaveLen(v1alpha1.MaxOutbox))
			Expect(ConditionOf(t.Subscription("all").Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Valid"))
		})
	}

	It("says so at a subscription whose test event is refused, and sends it later", func() {
		t := newTenant()
		hook := t.Subscribe("all")
		t.refuse("create EventDelivery", refusals("eventdeliveries")["a quota"])
		t.Annotate(t.Subscription("all"), v1alpha1.TestEventAnnotation, "1")
		for range 2 {
			t.ReconcileEvents()
		}
		Expect(ConditionOf(t.Subscription("all").Status.Conditions, v1alpha1.ConditionReady)).To(Equal("False/EventRefused"))
		t.Client.Before = NoFault
		for range 2 {
			t.Deliver()
		}
		Expect(hook.Received()).To(HaveLen(1))
		Expect(ConditionOf(t.Subscription("all").Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Valid"))
	})

	It("sends events to the subscriptions whose EventDeliveries are not refused", func() {
		t := newTenant()
		t.CreateSite()
		refused, other := t.Subscribe("refused"), t.Subscribe("other")
		key := t.CreateArticle("shoes", WithText("Shoes", "Grip is all."))
		t.ReconcileUntilStable(key)
		asked := 0
		t.Client.Before = func(write string) error {
			if write == "create EventDelivery" {
				if asked++; asked == 1 {
					return refusals("eventdeliveries")["a policy engine"]
				}
			}
			return nil
		}
		for range 3 {
			t.DispatchAndDeliver(key)
		}
		Expect(len(refused.Received())+len(other.Received())).To(Equal(1), "kube-apiserver is not asked again at once")
		Expect(asked).To(Equal(2))
		t.Clock.Step(2 * time.Minute)
		t.DispatchAndDeliver(key)
		Expect(refused.Received()).To(HaveLen(1))
		Expect(other.Received()).To(HaveLen(1))
	})

	for why, err := range refusals("idempotencyrecords") {
		It("says so at an article of a request whose record is refused by "+why+", and its account goes on", func() {
			t := newTenant()
			t.CreateSite()
			requested := func(a *v1alpha1.Article) {
				WithKeyword(a)
				a.Annotations = map[string]string{v1alpha1.RequestHashAnnotation: strings.Repeat("0", 64)}
			}
			t.refuse("create IdempotencyRecord", err)
			Expect(t.Generation.Charger.Reserve(t.Ctx, t.GetAccount().Spec, t.GenerateCharge("requested"))).To(Succeed())
			Expect(t.Generation.Charger.Reserve(t.Ctx, t.GetAccount().Spec, t.GenerateCharge("other"))).To(Succeed())
			key := t.CreateArticle("requested", requested)
			Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/RequestRefused"))
			t.ReconcileUntilStable(t.CreateArticle("other", WithKeyword))
			t.Clock.Step(time.Minute)
			t.ReconcileAccount()
			Expect(t.Usage().Pending).To(HaveLen(1), "the charge of the other article is confirmed")
			Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(2), "the credit of the call is not given back")
			t.Client.Before = NoFault
			Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
			Expect(t.Usage().CreditsUsed).To(BeEquivalentTo(2))
		})
	}

	for why, err := range refusals("accountledgers") {
		It("says so at an article, and at a new account, if the ledger is refused by "+why, func() {
			t := newTenant()
			t.CreateSite()
			t.refuse("patch AccountLedger", err)
			key := t.CreateArticle("shoes", WithKeyword)
			Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/LedgerRefused"))
			t.Client.Before = NoFault
			Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))

			n := t.neighbor()
			Expect(api.Delete(n.Ctx, NewLedger(n.Account))).To(Succeed())
			n.refuse("create AccountLedger", err)
			for range 2 {
				n.ReconcileAccount()
				Expect(ConditionOf(n.GetAccount().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("False/LedgerRefused"))
			}
			n.Client.Before = NoFault
			for range 2 {
				n.ReconcileAccount()
			}
			Expect(ConditionOf(n.GetAccount().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Valid"))
		})
	}

	It("writes the status of an article whose old revisions may not be deleted", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("edited", WithText("Edited", "Text."))
		t.refuse("delete ArticleRevision", refusals("articlerevisions")["a policy engine"])
		for n := range v1alpha1.MaxHistory + 2 {
			t.EditArticle(key, WithText("Edited", fmt.Sprintf("Text %d.", n)))
			_, err := t.Articles.Reconcile(t.Ctx, Request(key))
			Expect(err).NotTo(HaveOccurred())
		}
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.ObservedGeneration).To(Equal(a.Generation))
		Expect(a.Status.Revision.Number).To(BeEquivalentTo(v1alpha1.MaxHistory + 2))
	})

	It("writes the status of a Site that may not be annotated", func() {
		t := newTenant()
		site := t.CreateSite()
		site.Annotations = nil
		Expect(api.Update(t.Ctx, site)).To(Succeed())
		t.refuse("patch Site", refusals("sites")["a policy engine"])
		t.ReconcileSite()
		Expect(ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Configured"))
	})

})
