package webflow_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Each wrong set-up gives its own reason and a sentence that says what to change, from the test of the connection and, where an
// article is refused too, from the attempt to publish it. No secret is in any of it.
func TestWrongSetUps(t *testing.T) {
	const ok = ""
	seen := map[string]string{}
	for _, tt := range []struct {
		name  string
		spoil func(*world)
		// Reasons of the test and of the attempt to publish; ok if it succeeds.
		test, publish v1alpha1.ErrorClass
		// A part of the sentence.
		says string
	}{
		{"a wrong token", func(w *world) { w.token = "wrong-site-token" }, "WrongCredentials", "WrongCredentials", "make a new site token"},
		{"a token that may not read sites", func(w *world) { w.scopes = []string{"cms:read", "cms:write"} }, "MissingPermission", "MissingPermission", "sites:read"},
		{"a token that may not write", func(w *world) { w.scopes = []string{"cms:read", "sites:read"} }, "MissingPermission", "MissingPermission", "cms:write"},
		{"another collection", func(w *world) { w.site.Spec.CMS.Webflow.CollectionID = strings.Repeat("0", 24) }, "NotFound", "NotFound", "check collectionID"},
		{"another site", func(w *world) { w.site.Spec.CMS.Webflow.SiteID = strings.Repeat("0", 24) }, "NotFound", "NotFound", "check siteID"},
		{"a collection of another site", func(w *world) { w.listed = strings.Repeat("1", 24) }, "NotFound", ok, "not one of this site"},
		{"a field that is not there", func(w *world) { w.site.Spec.CMS.Webflow.Fields.Excerpt = "nosuch" }, "InvalidContent", "InvalidContent", "nosuch"},
		{"a body that is no rich text", func(w *world) { w.site.Spec.CMS.Webflow.Fields.Body = "post-summary" }, "InvalidContent", ok, "RichText"},
		{"a field that must be sent", func(w *world) { w.fields = append(w.fields, field{"f7", "author", "Author", "Reference", true, true}) }, "InvalidContent", "InvalidContent", "author"},
		{"too many requests", func(w *world) { w.refuse = tooMany }, "RateLimited", "RateLimited", "fewer requests"},
		{"a redirect", func(w *world) { w.refuse = elsewhere }, "UnexpectedAnswer", "UnexpectedAnswer", "redirects"},
		{"a page", func(w *world) { w.refuse = page }, "UnexpectedAnswer", "UnexpectedAnswer", "not the JSON"},
		{"an outage", func(w *world) { w.refuse = outage }, "Unavailable", "Unavailable", "503"},
		{"changes that are not published", func(w *world) { w.refuse = conflict }, ok, "Unavailable", "publish the site in Webflow"},
		{"an item that is not published", func(w *world) { w.refuse = unpublished }, ok, "Unavailable", "did not publish it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.spoil(w)
			tested := w.connector.Test(t.Context(), w.target(w.transport), "n1")
			if tested.ErrorClass != tt.test {
				t.Errorf("the test ended with %q, want %q: %s", tested.ErrorClass, tt.test, tested.Message)
			}
			if len(w.staged) > 0 {
				t.Errorf("the test left %v", w.staged)
			}
			published := w.publish(t, article())
			if published.ErrorClass != tt.publish {
				t.Errorf("publishing ended with %q, want %q: %s", published.ErrorClass, tt.publish, published.Message)
			}
			for _, o := range []publish.Outcome{tested, published} {
				if o.ErrorClass == ok {
					continue
				}
				said := string(o.ErrorClass) + o.Message
				if !strings.Contains(said, tt.says) && o.ErrorClass == tt.test {
					t.Errorf("%q does not say %q", o.Message, tt.says)
				}
				if other := seen[said]; other != "" && other != tt.name {
					t.Errorf("%q is also what %s says", said, other)
				}
				seen[said] = tt.name
				if len(o.Message) > v1alpha1.MaxAttemptMessageBytes {
					t.Errorf("%q has %d bytes", o.Message, len(o.Message))
				}
				final := []v1alpha1.ErrorClass{"WrongCredentials", "MissingPermission", "NotFound", "InvalidContent"}
				if o.Final != slices.Contains(final, o.ErrorClass) {
					t.Errorf("final is %t of %s", o.Final, o.ErrorClass)
				}
			}
			all := fmt.Sprintf("%+v", []publish.Outcome{tested, published})
			if strings.Contains(all, w.token) {
				t.Errorf("%s has the token", all)
			}
		})
	}
}

func tooMany(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Retry-After", "42")
	fail(w, http.StatusTooManyRequests, "too_many_requests", "Too Many Requests for "+r.Header.Get("Authorization"))
	return true
}

func elsewhere(w http.ResponseWriter, r *http.Request) bool {
	http.Redirect(w, r, "https://elsewhere.example.com/", http.StatusFound)
	return true
}

func page(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte("<h1>Hello</h1>" + r.Header.Get("Authorization")))
	return true
}

func outage(w http.ResponseWriter, _ *http.Request) bool {
	http.Error(w, "down", http.StatusServiceUnavailable)
	return true
}

func conflict(w http.ResponseWriter, r *http.Request) bool {
	if strings.HasSuffix(r.URL.Path, "/publish") {
		fail(w, http.StatusConflict, "conflict", "Conflict: The collection structure changed since the last publish")
		return true
	}
	return false
}

func unpublished(w http.ResponseWriter, r *http.Request) bool {
	if strings.HasSuffix(r.URL.Path, "/publish") {
		answer(w, http.StatusAccepted, map[string]any{"publishedItemIds": []string{}, "errors": []string{}})
		return true
	}
	return false
}

func TestHowLongWebflowAsksToWaitIsKept(t *testing.T) {
	w := newWorld(t)
	w.refuse = tooMany
	if o := w.publish(t, article()); o.RetryAfter != 42*time.Second {
		t.Errorf("%+v", o)
	}
}

func TestAConnectionThatWorksSaysWhatItDoes(t *testing.T) {
	w := newWorld(t)
	o := w.connector.Test(t.Context(), w.target(w.transport), "n1")
	if o.Outcome != v1alpha1.AttemptAccepted || o.Message != "articles become items of the collection post" || len(w.staged)+len(w.live) > 0 {
		t.Errorf("%+v", o)
	}
}
