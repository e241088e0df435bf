package eventsubscription_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

const (
	chatURL  = "https://hooks.chat.example/services/T0/B0/secret"
	shownURL = "https://hooks.chat.example/…"
)

// update is a request to change a subscription.
func update(uid, body string) operationtest.Request {
	return operationtest.Request{Method: http.MethodPatch, Path: subscriptionsPath + "/" + uid, Body: body}
}

func TestASubscriptionIsChangedInPart(t *testing.T) {
	api := operationtest.New(t)
	uid := func() string {
		out, _ := subscribed(t, api, create(`{"url":"https://a.example","events":["*"],"site_uid":"`+operationtest.SiteUID+`"}`))
		return out.UID
	}()
	for _, tt := range []struct {
		body  string
		right func(v1alpha1.EventSubscriptionSpec) bool
	}{
		{`{}`, func(s v1alpha1.EventSubscriptionSpec) bool { return s.URL == "https://a.example" && s.SiteRef != nil }},
		{`{"url":"https://b.example"}`, func(s v1alpha1.EventSubscriptionSpec) bool { return s.URL == "https://b.example" && s.SiteRef != nil }},
		{`{"events":["blog.failed"]}`, func(s v1alpha1.EventSubscriptionSpec) bool { return len(s.Events) == 1 && s.URL == "https://b.example" }},
		{`{"site_uid":null}`, func(s v1alpha1.EventSubscriptionSpec) bool { return s.SiteRef == nil }},
		{`{"disabled":true}`, func(s v1alpha1.EventSubscriptionSpec) bool { return s.Suspend }},
		{`{"disabled":null}`, func(s v1alpha1.EventSubscriptionSpec) bool { return !s.Suspend }},
	} {
		api.Into(update(uid, tt.body), nil)
		if s := stored(t, api, uid).Spec; !tt.right(s) {
			t.Errorf("after %s the spec is %+v", tt.body, s)
		}
	}
	for body, want := range map[string]string{
		`{"url":""}`: "url", `{"events":[]}`: "events", `{"events":["*","blog.failed"]}`: "events", `{"format":"irc"}`: "format",
		`{"site_uid":"` + operationtest.OtherSiteUID + `"}`: "site_uid", `{"disabled":"yes"}`: "disabled",
	} {
		operationtest.WantFields(t, api.Do(update(uid, body)), want)
	}
}

// A form sends back what it was shown, which is not the URL. And no change of the format shows the URL.
func TestTheURLOfAChatStaysIfItComesBackAsItIsShown(t *testing.T) {
	api := operationtest.New(t)
	out, _ := subscribed(t, api, create(`{"url":"`+chatURL+`","events":["*"],"format":"teams"}`))
	api.Into(update(out.UID, `{"url":"`+shownURL+`","events":["blog.failed"]}`), nil)
	if s := stored(t, api, out.UID).Spec; s.URL != chatURL {
		t.Errorf("the URL is %s", s.URL)
	}
	for _, body := range []string{`{"format":"standard"}`, `{"format":"slack","url":"` + shownURL + `"}`} {
		operationtest.WantFields(t, api.Do(update(out.UID, body)), "url")
	}
	api.Into(update(out.UID, `{"format":"standard","url":"https://a.example"}`), nil)
	if s := stored(t, api, out.UID).Spec; s.URL != "https://a.example" || s.Format != "" {
		t.Errorf("the spec is %+v", s)
	}
}

func TestNobodyOverwritesSettingsThatTheyHaveNotRead(t *testing.T) {
	api := operationtest.New(t)
	out, _ := subscribed(t, api, create(`{"url":"https://a.example","events":["*"]}`))
	got := api.Do(update(out.UID, `{"url":"https://c.example","expected":{"url":"https://b.example","events":["*"]}}`))
	operationtest.WantFailure(t, got, http.StatusConflict, problem.CodeConflict)
	if details := operationtest.Failure(t, got).Problem.Details; len(details) != 1 || details[0].Field != "url" {
		t.Errorf("the details are %+v, want the URL", details)
	}
	api.Into(update(out.UID, `{"url":"https://c.example","expected":{"url":"https://a.example","events":["*"],"format":"standard","site_uid":""}}`), nil)
}

func TestARotationIsOfTheSubscriptionThatWasRead(t *testing.T) {
	api := operationtest.New(t)
	out, _ := subscribed(t, api, create(`{"url":"https://a.example","events":["*"]}`))
	before := stored(t, api, out.UID).Spec.SigningSecretRef
	rotate := operationtest.Request{
		Method: http.MethodPost, Path: subscriptionsPath + "/" + out.UID + "/rotate-secret", Header: map[string]string{"If-Match": `"nope"`},
	}
	operationtest.WantFailure(t, api.Do(rotate), http.StatusPreconditionFailed, problem.CodePreconditionFailed)
	if after := stored(t, api, out.UID).Spec.SigningSecretRef; after != before {
		t.Error("the secret was rotated")
	}
	rotate.Header["If-Match"] = api.Do(operationtest.Request{Path: subscriptionsPath + "/" + out.UID}).Header.Get("ETag")
	if got := api.Do(rotate); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}
