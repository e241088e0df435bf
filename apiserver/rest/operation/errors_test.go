package operation_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// refusing is a kube-apiserver that has one object of each kind, and refuses to change it.
type refusing struct {
	client.Client
	err error
}

func (refusing) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	into.SetNamespace(key.Namespace)
	into.SetName(key.Name)
	switch into := into.(type) {
	case *v1alpha1.Site:
		into.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{}}
	case *v1alpha1.EventDelivery:
		into.Spec.SubscriptionRef.Name, into.Status.FinishTime = someSubscription, new(v1alpha1.NewMicroTime(operationtest.Began))
	}
	return nil
}

func (r refusing) Create(_ context.Context, object client.Object, _ ...client.CreateOption) error {
	if _, ok := object.(*corev1.Secret); ok {
		return nil
	}
	return r.err
}

func (r refusing) Patch(context.Context, client.Object, client.Patch, ...client.PatchOption) error {
	return r.err
}

func (r refusing) Delete(context.Context, client.Object, ...client.DeleteOption) error { return r.err }

const someSubscription = "0198f0a1-0000-7000-8000-00000000000e"

// What changes each kind of object.
var (
	generateRequest  = operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}
	registerRequest  = operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody}
	rotateRequest    = operationtest.Request{Method: "POST", Path: operationtest.ClientsPath + "/pr_ci_tool/rotate-secret"}
	deleteAppRequest = operationtest.Request{Method: "DELETE", Path: operationtest.ClientsPath + "/pr_ci_tool"}
	testRequest      = operationtest.Request{Method: "POST", Path: "/v1/api/sites/" + operationtest.SiteUID + "/test"}
	subscribeRequest = operationtest.Request{
		Method: "POST", Path: "/v1/api/event-subscriptions", Body: `{"url":"https://a.example","events":["blog.ready_for_review"]}`,
	}
	rotateSubscriptionRequest = operationtest.Request{Method: "POST", Path: "/v1/api/event-subscriptions/" + someSubscription + "/rotate-secret"}
	unsubscribeRequest        = operationtest.Request{Method: "DELETE", Path: "/v1/api/event-subscriptions/" + someSubscription}
	redeliverRequest          = operationtest.Request{
		Method: "POST", Path: "/v1/api/event-subscriptions/" + someSubscription + "/deliveries/" + someSubscription + "/redeliver",
	}
)

func TestErrorsOfKubernetesNameTheResourceOfTheRequest(t *testing.T) {
	thing := schema.GroupResource{Group: "pressroom.dev", Resource: "things"}
	missing := apierrors.NewNotFound(thing, "x")
	changed := apierrors.NewConflict(thing, "x", errors.New("the object has been modified"))
	full := apierrors.NewForbidden(thing, "x", errors.New("exceeded quota: none"))
	for _, c := range []struct {
		request     operationtest.Request
		err         error
		wantStatus  int
		wantMessage string
	}{
		{generateRequest, full, 409, "the workspace's quota has no room for another article"},
		{registerRequest, full, 409, "the workspace's quota has no room for another app"},
		{rotateRequest, changed, 409, "the app was changed at the same time"},
		{rotateRequest, missing, 404, "there is no such app"},
		{deleteAppRequest, missing, 404, "there is no such app"},
		{testRequest, changed, 409, "the site was changed at the same time"},
		{testRequest, missing, 404, "there is no such site"},
		{subscribeRequest, full, 409, "the workspace's quota has no room for another event subscription"},
		{subscribeRequest, missing, 404, "there is no such workspace"},
		{rotateSubscriptionRequest, changed, 409, "the event subscription was changed at the same time"},
		{rotateSubscriptionRequest, missing, 404, "there is no such event subscription"},
		{unsubscribeRequest, missing, 404, "there is no such event subscription"},
		{redeliverRequest, changed, 409, "the delivery was changed at the same time"},
		{redeliverRequest, missing, 404, "there is no such delivery"},
	} {
		api := operationtest.New(t)
		// As what reads and writes apps with the client of package kube returns it.
		refused := problem.WithResource("app", problem.MarkUnreachable(c.err))
		api.Deps.OAuth.Clients = &operationtest.FakeClients{Err: fmt.Errorf("changing the secret: %w", refused), Clients: map[string]*v1alpha1.OAuthClient{"tool": {
			ObjectMeta: metav1.ObjectMeta{Name: "tool"},
			Spec:       v1alpha1.OAuthClientSpec{AccountRef: &v1alpha1.AccountReference{Name: "acme"}},
		}}}
		api.Deps.Client = refusing{err: c.err}
		got := api.Do(c.request)
		if message := operationtest.Failure(t, got).Problem.Message; got.Status != c.wantStatus || !strings.HasPrefix(message, c.wantMessage) {
			t.Errorf("%s %s: got %d %q, want %d %q", c.request.Method, c.request.Path, got.Status, message, c.wantStatus, c.wantMessage)
		}
	}
}

// Cluster administrators add policies of their own. The first three messages are those of kube-apiserver for a webhook, for a
// ValidatingAdmissionPolicy with the default reason, and for one with the reason Forbidden.
func TestADenialByAPolicyOfTheClusterIs403WithItsMessage(t *testing.T) {
	denial := func(code int32, reason metav1.StatusReason, message string) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message,
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: message}}},
		}}
	}
	const policy = `articles.pressroom.dev "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: `
	for _, c := range []struct {
		err         error
		wantMessage string
	}{
		{denial(403, metav1.StatusReasonForbidden, `admission webhook "v.kyverno.svc" denied the request: no shoes on Fridays`), "no shoes on Fridays"},
		{denial(400, "", `admission webhook "v.kyverno.svc" denied the request: no shoes`), "no shoes"},
		{denial(422, metav1.StatusReasonInvalid, policy+"no shoes"), "no shoes"},
		{denial(403, metav1.StatusReasonForbidden, policy+"no shoes"), "no shoes"},
		{denial(403, metav1.StatusReasonForbidden, `articles.pressroom.dev "x" is forbidden: too many labels`), "too many labels"},
		{denial(400, "", `admission webhook "v.kyverno.svc" denied the request without explanation`), " without explanation"},
		{denial(403, metav1.StatusReasonForbidden, policy+strings.Repeat("ä", 2000)), strings.Repeat("ä", 500)},
	} {
		for _, r := range []operationtest.Request{generateRequest, subscribeRequest, unsubscribeRequest, testRequest} {
			api := operationtest.New(t)
			api.Deps.Client = refusing{err: c.err}
			got := api.Do(r)
			operationtest.WantFailure(t, got, http.StatusForbidden, problem.CodeForbidden)
			want := "a policy of the cluster refuses this: " + strings.TrimSpace(c.wantMessage)
			if message := operationtest.Failure(t, got).Problem.Message; message != want {
				t.Errorf("%s %s: got %q, want %q", r.Method, r.Path, message, want)
			}
		}
	}
}

func TestARightThatTheFacadeLacksIsNotToldToClients(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Client = refusing{err: apierrors.NewForbidden(schema.GroupResource{Resource: "articles"}, "x",
		errors.New(`User "system:serviceaccount:pressroom-system:pressroom-apiserver" cannot create resource "articles"`))}
	got := api.Do(generateRequest)
	operationtest.WantFailure(t, got, http.StatusInternalServerError, problem.CodeInternal)
	if strings.Contains(got.Raw, "serviceaccount") {
		t.Errorf("the client learns of the ServiceAccount: %s", got.Raw)
	}
}

func TestErrorsOfTheCRDNameTheFieldOfTheRequest(t *testing.T) {
	api := operationtest.New(t)
	kind := schema.GroupKind{Group: "pressroom.dev", Kind: "OAuthClient"}
	refused := field.Invalid(field.NewPath("spec", "contacts").Index(0), "abc", `spec.contacts[0] in body must match '^[^@\s]+@[^@\s]+$'`)
	api.Deps.OAuth.Clients = &operationtest.FakeClients{Err: apierrors.NewInvalid(kind, "tool", field.ErrorList{refused})}
	got := api.Do(registerRequest)
	operationtest.WantFailure(t, got, http.StatusBadRequest, problem.CodeValidation)
	if want := `contacts[0]: must match '^[^@\s]+@[^@\s]+$'`; operationtest.Failure(t, got).Problem.Message != want {
		t.Errorf("got %s, want %s", got.Raw, want)
	}
}

// The framework names the layout of Go's package time.
func TestATimeThatIsNoneIsToldWhatItMustBe(t *testing.T) {
	api := operationtest.New(t)
	for _, r := range []operationtest.Request{
		{Path: "/v1/api/blogs?published_since=2026-11-23"},
		{Path: "/v1/api/calendar?from=2026-11-23T09:00:00Z&to=tomorrow"},
		{Method: "POST", Path: "/v1/api/blogs/" + api.Article(nil).Name + "/publish", Body: `{"publish_at":"2026-11-23"}`},
	} {
		detail := operationtest.Failure(t, api.Do(r)).Problem.Details[0]
		if detail.Message != "must be a date and time of RFC 3339, such as 2026-11-20T09:00:00Z" || detail.Code != problem.DetailMalformed {
			t.Errorf("%s: got %+v", r.Path, detail)
		}
	}
}
