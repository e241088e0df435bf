//go:build e2e

package system_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"slices"
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

// writes is an admission webhook: kube-apiserver calls it before it stores what the controller writes. A write at which the
// controller is killed is refused.
type writes struct {
	*httptest.Server
	trap *trap
	// called is closed at the first call.
	called chan struct{}
	first  sync.Once
}

// watchWrites registers the webhook until the spec ends.
func watchWrites(ctx context.Context, t *trap) {
	GinkgoHelper()
	w := &writes{trap: t, called: make(chan struct{})}
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

// awaitFirst returns once kube-apiserver calls the webhook, which takes a moment after the registration.
func (w *writes) awaitFirst(ctx context.Context) {
	GinkgoHelper()
	a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: "welcome"}}
	Eventually(ctx, func(g Gomega) {
		g.Expect(api.Status().Patch(ctx, a, client.RawPatch(mergePatch, []byte(`{}`)), client.DryRunAll)).To(Succeed())
		g.Expect(w.called).To(BeClosed())
	}).WithTimeout(patience).Should(Succeed())
}

// ServeHTTP answers kube-apiserver.
func (w *writes) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if json.NewDecoder(r.Body).Decode(&review) != nil || review.Request == nil {
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	w.first.Do(func() { close(w.called) })
	killed := slices.ContainsFunc(killPointsOf(review.Request), w.trap.at)
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: !killed}
	review.Request = nil
	rw.Header().Set("Content-Type", "application/json")
	// kube-apiserver may have given up, because the controller has.
	_ = json.NewEncoder(rw).Encode(review)
}

// killPointsOf returns the kill points of a write that is about to be stored: one write may record the outcome of a run and the
// first attempt to publish.
func killPointsOf(r *admissionv1.AdmissionRequest) []killPoint {
	switch r.Resource.Resource {
	case "articlerevisions":
		return []killPoint{runBeforeRevision}
	case "articles":
		var old, a v1alpha1.Article
		if json.Unmarshal(r.OldObject.Raw, &old) == nil && json.Unmarshal(r.Object.Raw, &a) == nil {
			return []killPoint{killPointOfRun(&old, &a), killPointOfPublication(&old, &a)}
		}
	case "eventdeliveries":
		var old, d v1alpha1.EventDelivery
		if json.Unmarshal(r.OldObject.Raw, &old) == nil && json.Unmarshal(r.Object.Raw, &d) == nil {
			return []killPoint{killPointOfAttempts(old.Status.Attempts, d.Status.Attempts, eventBeforeAttempt, eventBeforeOutcome)}
		}
	}
	return nil
}

func killPointOfRun(old, a *v1alpha1.Article) killPoint {
	switch g, was := a.Status.Run, old.Status.Run; {
	case g == nil:
		return ""
	case was == nil || was.Attempt < g.Attempt:
		return runBeforeAttempt
	case was.State == v1alpha1.RunRunning && g.State == v1alpha1.RunSucceeded:
		return runBeforeOutcome
	default:
		return ""
	}
}

func killPointOfPublication(old, a *v1alpha1.Article) killPoint {
	var was, is []v1alpha1.DeliveryAttempt
	if p := old.Status.Publication; p != nil {
		was = p.Attempts
	}
	if p := a.Status.Publication; p != nil {
		is = p.Attempts
	}
	return killPointOfAttempts(was, is, publishBeforeAttempt, publishBeforeOutcome)
}

// killPointOfAttempts returns before if the write is that of a new attempt, and after if it is that of its outcome.
func killPointOfAttempts(was, is []v1alpha1.DeliveryAttempt, before, after killPoint) killPoint {
	if len(is) == 0 {
		return ""
	}
	last, outcome := is[len(is)-1], v1alpha1.AttemptOutcome("")
	if len(was) > 0 && was[len(was)-1].ID == last.ID {
		outcome = was[len(was)-1].Outcome
	}
	switch {
	case outcome == "" && last.Outcome == v1alpha1.AttemptInProgress:
		return before
	case outcome == v1alpha1.AttemptInProgress && last.Outcome == v1alpha1.AttemptAccepted:
		return after
	default:
		return ""
	}
}
