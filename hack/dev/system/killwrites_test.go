package system_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// writes is an admission webhook: the API server asks it before it stores what the controller writes. A write at which the
// controller is killed is refused.
type writes struct {
	*httptest.Server
	trap *trap
	// asked is closed when the API server has asked for the first time.
	asked chan struct{}
	first sync.Once
}

// watchWrites has the API server ask about the controller's writes until the spec ends.
func watchWrites(ctx context.Context, t *trap) {
	GinkgoHelper()
	w := &writes{trap: t, asked: make(chan struct{})}
	w.Server = httptest.NewTLSServer(w)
	DeferCleanup(w.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.Certificate().Raw})
	hook := &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "killed-writes"},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name:         "writes.killed.example",
			ClientConfig: admissionregistrationv1.WebhookClientConfig{URL: &w.URL, CABundle: authority},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update},
				Rule: admissionregistrationv1.Rule{
					APIGroups: []string{v1alpha1.GroupVersion.Group}, APIVersions: []string{v1alpha1.GroupVersion.Version},
					Resources: []string{"articlerevisions", "articles/status", "eventdeliveries/status"},
				},
			}},
			SideEffects:             new(admissionregistrationv1.SideEffectClassNone),
			AdmissionReviewVersions: []string{"v1"},
		}},
	}
	Expect(api.Create(ctx, hook)).To(Succeed())
	DeferCleanup(func(ctx SpecContext) { Expect(api.Delete(ctx, hook)).To(Succeed()) })
	w.awaitFirst(ctx)
}

// awaitFirst returns once the API server asks, which it does a moment after it was told to.
func (w *writes) awaitFirst(ctx context.Context) {
	GinkgoHelper()
	a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: "welcome"}}
	Eventually(ctx, func(g Gomega) {
		g.Expect(api.Status().Patch(ctx, a, client.RawPatch(mergePatch, []byte(`{}`)), client.DryRunAll)).To(Succeed())
		g.Expect(w.asked).To(BeClosed())
	}).WithTimeout(patience).Should(Succeed())
}

// ServeHTTP answers the API server.
func (w *writes) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if json.NewDecoder(r.Body).Decode(&review) != nil || review.Request == nil {
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	w.first.Do(func() { close(w.asked) })
	killed := w.trap.at(momentOf(review.Request))
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: !killed}
	review.Request = nil
	rw.Header().Set("Content-Type", "application/json")
	// The API server may have given up, because the controller has.
	_ = json.NewEncoder(rw).Encode(review)
}

// momentOf says which moment it is when a write is about to be stored; none for other writes.
func momentOf(r *admissionv1.AdmissionRequest) moment {
	switch r.Resource.Resource {
	case "articlerevisions":
		return runAnswered
	case "articles":
		var old, a v1alpha1.Article
		if json.Unmarshal(r.OldObject.Raw, &old) == nil && json.Unmarshal(r.Object.Raw, &a) == nil {
			return momentOfArticle(&old, &a)
		}
	case "eventdeliveries":
		var old, d v1alpha1.EventDelivery
		if json.Unmarshal(r.OldObject.Raw, &old) == nil && json.Unmarshal(r.Object.Raw, &d) == nil {
			return momentOfAttempts(old.Status.Attempts, d.Status.Attempts, eventAsked, eventAnswered)
		}
	}
	return ""
}

func momentOfArticle(old, a *v1alpha1.Article) moment {
	if g, was := a.Status.Generation, old.Status.Generation; g != nil {
		switch {
		case was == nil || was.Attempt < g.Attempt:
			return runAsked
		case was.State == v1alpha1.RunRunning && g.State == v1alpha1.RunSucceeded:
			return runUnrecorded
		}
	}
	var was, is []v1alpha1.DeliveryAttempt
	if p := old.Status.Publication; p != nil {
		was = p.Attempts
	}
	if p := a.Status.Publication; p != nil {
		is = p.Attempts
	}
	return momentOfAttempts(was, is, publishAsked, publishAnswered)
}

// momentOfAttempts tells the write of an attempt that is about to be made from that of one that was answered.
func momentOfAttempts(was, is []v1alpha1.DeliveryAttempt, asked, answered moment) moment {
	if len(is) == 0 {
		return ""
	}
	last, before := is[len(is)-1], v1alpha1.AttemptOutcome("")
	if len(was) > 0 && was[len(was)-1].ID == last.ID {
		before = was[len(was)-1].Outcome
	}
	switch {
	case before == "" && last.Outcome == v1alpha1.AttemptInProgress:
		return asked
	case before == v1alpha1.AttemptInProgress && last.Outcome == v1alpha1.AttemptAccepted:
		return answered
	default:
		return ""
	}
}
