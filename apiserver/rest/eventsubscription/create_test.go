package eventsubscription_test

import (
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/eventsubscription"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

const subscriptionsPath = "/v1/api/event-subscriptions"

// create is a request for a subscription.
func create(body string) operationtest.Request {
	return operationtest.Request{Method: http.MethodPost, Path: subscriptionsPath, Body: body}
}

// subscribed creates a subscription, and returns the answer and the object.
func subscribed(t *testing.T, api *operationtest.API, r operationtest.Request) (
	eventsubscription.EventSecretAnswer, *v1alpha1.EventSubscription,
) {
	t.Helper()
	var out eventsubscription.EventSecretAnswer
	api.Into(r, &out)
	return out, stored(t, api, out.UID)
}

// stored is a subscription as kube-apiserver has it.
func stored(t *testing.T, api *operationtest.API, name string) *v1alpha1.EventSubscription {
	t.Helper()
	found := &v1alpha1.EventSubscription{}
	if err := api.Objects.Get(t.Context(), client.ObjectKey{Namespace: operationtest.Workspace, Name: name}, found); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestASubscriptionHasWhatWasAskedForAndItsSecretIsShownOnce(t *testing.T) {
	api := operationtest.New(t)
	out, s := subscribed(t, api, create(`{"url":"https://example.com/hook?key=1","events":["blog.published","blog.failed"],"site_uid":"`+operationtest.SiteUID+`"}`))
	if s.Spec.URL != "https://example.com/hook?key=1" || len(s.Spec.Events) != 2 || s.Spec.SiteRef == nil || s.Spec.SiteRef.Name != operationtest.SiteUID || s.Spec.Format != "" {
		t.Errorf("the spec is %+v", s.Spec)
	}
	secret := &corev1.Secret{}
	if err := api.Objects.Get(t.Context(), client.ObjectKey{Namespace: operationtest.Workspace, Name: s.Spec.SigningSecretRef.Name}, secret); err != nil {
		t.Fatal(err)
	}
	if value := string(secret.Data[s.Spec.SigningSecretRef.Key]); !strings.HasPrefix(out.Secret, "whsec_") || value != out.Secret {
		t.Errorf("the secret is shown as %q and stored as %q", out.Secret, value)
	}
	got := api.Do(operationtest.Request{Path: subscriptionsPath + "/" + out.UID})
	if got.Status != http.StatusOK || strings.Contains(got.Raw, "whsec_") || got.Text("url") != s.Spec.URL {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestASubscriptionIsRefusedWithTheFieldThatIsWrong(t *testing.T) {
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"nothing":                  {`{}`, []string{"events", "url"}},
		"no URL":                   {`{"url":"","events":["*"]}`, []string{"url"}},
		"no event":                 {`{"url":"https://a.example","events":[]}`, []string{"events"}},
		"an unknown event":         {`{"url":"https://a.example","events":["blog.eaten"]}`, []string{"events[0]"}},
		"others beside all":        {`{"url":"https://a.example","events":["*","blog.failed"]}`, []string{"events"}},
		"an unknown format":        {`{"url":"https://a.example","events":["*"],"format":"irc"}`, []string{"format"}},
		"another workspace's site": {`{"url":"https://a.example","events":["*"],"site_uid":"` + operationtest.OtherSiteUID + `"}`, []string{"site_uid"}},
		"a uid that is none":       {`{"url":"https://a.example","events":["*"],"site_uid":"acme"}`, []string{"site_uid"}},
		"a member of the future":   {`{"url":"https://a.example","events":["*"],"retries":3}`, []string{"retries"}},
	} {
		t.Run(name, func(t *testing.T) {
			operationtest.WantFields(t, operationtest.New(t).Do(create(tt.body)), tt.want...)
		})
	}
}

// The URL of a hook of a chat is a secret.
func TestTheURLOfAChatIsNotShown(t *testing.T) {
	api := operationtest.New(t)
	const url = "https://hooks.chat.example/services/T0/B0/secret"
	out, s := subscribed(t, api, create(`{"url":"`+url+`","events":["*"],"format":"slack"}`))
	if s.Spec.URL != url || s.Spec.Format != v1alpha1.FormatSlack {
		t.Errorf("the spec is %+v", s.Spec)
	}
	if out.URL != "https://hooks.chat.example/…" || out.Format != "slack" {
		t.Errorf("the answer is %+v", out.EventSubscription)
	}
	if list := api.Do(operationtest.Request{Path: subscriptionsPath}); strings.Contains(list.Raw, "services") {
		t.Errorf("the list shows the URL: %s", list.Raw)
	}
}

func TestASubscriptionNeedsTheScopeWrite(t *testing.T) {
	r := create(`{"url":"https://a.example","events":["*"]}`)
	r.Key = operationtest.ReadOnlyKey
	operationtest.WantFailure(t, operationtest.New(t).Do(r), http.StatusForbidden, problem.CodeInsufficientScope)
}
