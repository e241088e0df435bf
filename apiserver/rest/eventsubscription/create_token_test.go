package eventsubscription_test

import (
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const (
	githubURL   = "https://api.github.com/repos/acme/blog-content/dispatches"
	githubToken = "github_pat_11AAAAAAA0example"
)

// tokenOf returns the Secret that a subscription names for its token; nil if there is none.
func tokenOf(t *testing.T, api *operationtest.API, s *v1alpha1.EventSubscription) *corev1.Secret {
	t.Helper()
	if s.Spec.TokenSecretRef == nil {
		return nil
	}
	secret := &corev1.Secret{}
	if err := api.Objects.Get(t.Context(), client.ObjectKey{Namespace: s.Namespace, Name: s.Spec.TokenSecretRef.Name}, secret); err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestATokenIsStoredForItsURLAndNeverShown(t *testing.T) {
	api := operationtest.New(t)
	request := create(`{"url":"` + githubURL + `","events":["blog.ready_for_review"],"format":"github","token":"` + githubToken + `"}`)
	request.Header = map[string]string{"Idempotency-Key": "one"}
	made := api.Do(request)
	if made.Status != http.StatusCreated {
		t.Fatalf("got %d: %s", made.Status, made.Raw)
	}
	uid := made.Text("uid")
	s := stored(t, api, uid)
	if s.Spec.Format != v1alpha1.FormatGitHub || s.Spec.URL != githubURL {
		t.Errorf("the spec is %+v", s.Spec)
	}
	secret := tokenOf(t, api, s)
	if secret == nil || string(secret.Data[s.Spec.TokenSecretRef.Key]) != githubToken || secret.Annotations[v1alpha1.AddressAnnotation] != githubURL ||
		!strings.HasPrefix(secret.Name, "pressroom-token-") || len(secret.OwnerReferences) != 1 || secret.OwnerReferences[0].Name != uid {
		t.Errorf("the Secret is %+v", secret)
	}
	one := subscriptionsPath + "/" + uid
	for name, got := range map[string]testkit.Answer{
		"created": made, "created again": api.Do(request), "read": api.Do(operationtest.Request{Path: one}),
		"listed": api.Do(operationtest.Request{Path: subscriptionsPath}), "changed": api.Do(update(uid, `{"events":["*"]}`)),
		"with another token": api.Do(update(uid, `{"token":"`+githubToken+`2"}`)),
		"with a wrong one":   api.Do(update(uid, `{"token":"`+githubToken+` 3"}`)),
	} {
		if strings.Contains(got.Raw, githubToken) {
			t.Errorf("%s: the token is shown: %s", name, got.Raw)
		}
	}
	if got := api.Do(operationtest.Request{Path: one}); got.Text("url") != githubURL || got.Text("format") != "github" {
		t.Errorf("got %s", got.Raw)
	}
}

func TestATokenIsForGitHubAlone(t *testing.T) {
	for name, body := range map[string]string{
		"none for GitHub":  `{"url":"` + githubURL + `","events":["*"],"format":"github"}`,
		"one for a chat":   `{"url":"` + chatURL + `","events":["*"],"format":"slack","token":"` + githubToken + `"}`,
		"one for programs": `{"url":"https://a.example","events":["*"],"token":"` + githubToken + `"}`,
		"an empty one":     `{"url":"` + githubURL + `","events":["*"],"format":"github","token":""}`,
		"two lines":        `{"url":"` + githubURL + `","events":["*"],"format":"github","token":"a\r\nHost: evil.example"}`,
		"a long one":       `{"url":"` + githubURL + `","events":["*"],"format":"github","token":"` + strings.Repeat("x", 1025) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			operationtest.WantFields(t, operationtest.New(t).Do(create(body)), "token")
		})
	}
}

// A person who may change the URL does not have to know the token: it never goes to an address that it was not given for.
func TestATokenIsGivenAgainWithAnotherURL(t *testing.T) {
	const otherURL = "https://evil.example/repos/acme/blog-content/dispatches"
	api := operationtest.New(t)
	out, s := subscribed(t, api, create(`{"url":"`+githubURL+`","events":["*"],"format":"github","token":"`+githubToken+`"}`))
	first := tokenOf(t, api, s)

	operationtest.WantFields(t, api.Do(update(out.UID, `{"url":"`+otherURL+`"}`)), "token")
	if s := stored(t, api, out.UID).Spec; s.URL != githubURL || s.TokenSecretRef.Name != first.Name {
		t.Errorf("the spec is %+v", s)
	}
	api.Into(update(out.UID, `{"url":"`+githubURL+`","format":"github","events":["blog.failed"]}`), nil)
	if got := stored(t, api, out.UID).Spec; got.TokenSecretRef == nil || got.TokenSecretRef.Name != first.Name {
		t.Errorf("without another URL the token stays: %+v", got)
	}

	api.Into(update(out.UID, `{"url":"`+otherURL+`","token":"other"}`), nil)
	second := tokenOf(t, api, stored(t, api, out.UID))
	if second.Name == first.Name || string(second.Data["token"]) != "other" || second.Annotations[v1alpha1.AddressAnnotation] != otherURL {
		t.Errorf("the Secret is %+v", second)
	}
	if err := api.Objects.Get(t.Context(), client.ObjectKeyFromObject(first), &corev1.Secret{}); client.IgnoreNotFound(err) != nil || err == nil {
		t.Errorf("the Secret before is left: %v", err)
	}

	operationtest.WantFields(t, api.Do(update(out.UID, `{"format":"standard","token":"other"}`)), "token")
	api.Into(update(out.UID, `{"format":"standard"}`), nil)
	if got := stored(t, api, out.UID).Spec; got.TokenSecretRef != nil || got.Format != "" {
		t.Errorf("the spec is %+v", got)
	}
	operationtest.WantFields(t, api.Do(update(out.UID, `{"format":"github","url":"`+githubURL+`"}`)), "token")
	operationtest.WantFields(t, api.Do(update(out.UID, `{"token":"other"}`)), "token")
}
