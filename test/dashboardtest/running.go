package dashboardtest

import (
	"context"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// Sent makes an article that is approved and published, and runs the controller at times after now: the first attempt is made at the
// first, and a retry at each later one at which it is due. It returns the article's uid.
func (t *Tenant) Sent(keyword string, after ...time.Duration) string {
	GinkgoHelper()
	uid := t.InReview(keyword)
	for _, operation := range []string{"approve", "publish"} {
		got := t.Ask(http.MethodPost, "/v1/api/blogs/"+uid+"/"+operation, map[string]any{})
		Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
	}
	now := time.Now()
	for _, d := range after {
		t.ReconcileAt(uid, now.Add(d))
	}
	return uid
}

// UntilFailed are times at which all attempts of a delivery have been made.
var UntilFailed = []time.Duration{0, time.Minute, 10 * time.Minute, time.Hour}

// Tested writes the outcome of a test of the site's connection, as the controller does.
func (t *Tenant) Tested(outcome v1alpha1.AttemptOutcome, status int32, reason, message, snippet string) {
	GinkgoHelper()
	t.ChangeSite(func(site *v1alpha1.Site) {
		site.Status.ObservedGeneration = site.Generation
		connected := metav1.ConditionFalse
		if outcome == v1alpha1.AttemptAccepted {
			connected = metav1.ConditionTrue
		}
		site.Status.Conditions = []metav1.Condition{{
			Type: v1alpha1.ConditionConnected, Status: connected, Reason: reason, Message: message, ObservedGeneration: site.Generation,
			LastTransitionTime: metav1.Now(),
		}, {
			Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonConfigured,
			Message: "the site is configured", ObservedGeneration: site.Generation, LastTransitionTime: metav1.Now(),
		}}
		site.Status.ConnectionTest = &v1alpha1.ConnectionTest{
			ConnectionHash: strings.Repeat("0", 64), ID: "0198f0a1-0000-7000-8000-000000000001",
			StartTime: v1alpha1.NewMicroTime(time.Now()), Snippet: snippet,
			AttemptResult: v1alpha1.AttemptResult{Outcome: outcome, HTTPStatus: status, Milliseconds: 412, Message: message},
		}
	})
}

// ChangeSite changes the status of the tenant's site.
func (t *Tenant) ChangeSite(change func(*v1alpha1.Site)) {
	GinkgoHelper()
	site := t.SiteObject()
	change(site)
	Expect(t.API.Status().Update(context.Background(), site)).To(Succeed())
}

// Subscribed makes a subscription to all events, and returns its uid.
func (t *Tenant) Subscribed(url string) string {
	GinkgoHelper()
	got := t.Ask(http.MethodPost, "/v1/api/event-subscriptions", map[string]any{"url": url, "events": []string{"*"}})
	Expect(got.Status).To(Equal(http.StatusCreated), got.Raw)
	return got.Text("uid")
}

// EventSent makes the delivery of an event that a receiver refused, as the controllers do, and returns its uid.
func (t *Tenant) EventSent(subscription, snippet string) string {
	GinkgoHelper()
	at := v1alpha1.NewMicroTime(time.Now())
	d := &v1alpha1.EventDelivery{Spec: v1alpha1.EventDeliverySpec{
		SubscriptionRef: v1alpha1.LocalReference{Name: subscription}, Type: v1alpha1.EventPublished, Time: at, Body: "{}",
		ArticleRef: v1alpha1.LocalReference{Name: "0198f0a1-0000-7000-8000-000000000009"},
	}}
	d.Namespace, d.Name = t.Workspace, identity.EventID(subscription, "shoes", "Published", at.String(), at.Time)
	t.Create(d)
	d.Status.DeliveryRecord = v1alpha1.DeliveryRecord{
		Cycle: &v1alpha1.DeliveryCycle{Number: 1, State: v1alpha1.CycleFailed, Reason: v1alpha1.ReasonReceiverRejected},
		Attempts: []v1alpha1.DeliveryAttempt{{
			ID: "0198f0a1-0000-7000-8000-000000000002", Cycle: 1, Number: 1, StartTime: at, AttemptResult: v1alpha1.AttemptResult{
				Outcome: v1alpha1.AttemptRejected, ErrorClass: v1alpha1.ErrorServer, HTTPStatus: 410, Milliseconds: 9,
				Message: "the receiver answered 410 Gone",
			},
		}},
		LastAnswer: &v1alpha1.ReceiverAnswer{AttemptID: "0198f0a1-0000-7000-8000-000000000002", HTTPStatus: 410, Snippet: snippet},
	}
	d.Status.FinishTime = &at
	d.Status.Conditions = []metav1.Condition{{
		Type: v1alpha1.ConditionDelivered, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonReceiverRejected,
		Message: "the receiver answered 410 Gone", LastTransitionTime: metav1.Now(),
	}}
	Expect(t.API.Status().Update(context.Background(), d)).To(Succeed())
	return d.Name
}

// NewLimitedKey makes an API key of some workspaces of the account.
func (t *Tenant) NewLimitedKey(displayName string, workspaces ...string) string {
	GinkgoHelper()
	object, key := testkit.NewAPIKey(t.Account, v1alpha1.ScopeRead, v1alpha1.ScopeWrite)
	object.Spec.DisplayName, object.Spec.Workspaces = displayName, workspaces
	t.Create(object)
	return key
}

// Granted makes the access that a person gave to an app of the account, and returns its id.
func (t *Tenant) Granted(person, app string) string {
	GinkgoHelper()
	const redirect = "https://app.example.com/cb"
	made := t.Ask(http.MethodPost, "/v1/api/oauth/clients", map[string]any{"name": app, "redirect_uris": []string{redirect}})
	Expect(made.Status).To(Equal(http.StatusCreated), made.Raw)
	hash, soon := strings.Repeat("0", 64), v1alpha1.NewMicroTime(time.Now().Add(time.Hour))
	g := &v1alpha1.OAuthGrant{Spec: v1alpha1.OAuthGrantSpec{
		ClientRef:  v1alpha1.LocalReference{Name: strings.TrimPrefix(made.Text("client_id"), v1alpha1.ClientIDPrefix)},
		AccountRef: v1alpha1.AccountReference{Name: t.Account}, Person: person, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
		RedirectURI: redirect, CodeHash: hash, ExpirationTime: soon,
	}}
	g.Name = testkit.NewCredential(credential.AccessToken).ID
	t.Create(g)
	now := v1alpha1.NewMicroTime(time.Now())
	g.Status.RedemptionTime, g.Status.TokenHash, g.Status.TokenExpirationTime = &now, hash, &soon
	Expect(t.API.Status().Update(context.Background(), g)).To(Succeed())
	return g.Name
}
