package shopify_test

import (
	"fmt"
	"net/http"
	"runtime"
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
	client := func(w *world) { w.secret = map[string]string{"clientID": clientID, "clientSecret": clientSecret} }
	for _, tt := range []struct {
		name          string
		spoil         func(*world)
		test, publish v1alpha1.ErrorClass
		says          string
	}{
		{"a wrong token", func(w *world) { w.secret["token"] = "shpat_wrong" }, "WrongCredentials", "WrongCredentials", "valid one in the Secret"},
		{"a wrong client secret", func(w *world) { client(w); w.secret["clientSecret"] = "shpss_wrong" }, "WrongCredentials", "WrongCredentials", "clientSecret"},
		{"a client id alone", func(w *world) { w.secret = map[string]string{"clientID": clientID} }, "WrongCredentials", "WrongCredentials", "must have the key"},
		{"a scope that is missing", func(w *world) { w.scopes = []string{"read_content"} }, "MissingPermission", "MissingPermission", "write_content"},
		{"an app that is blocked", func(w *world) { w.refuse = status(403) }, "MissingPermission", "MissingPermission", "not blocked"},
		{"another shop", func(w *world) { w.refuse = status(404) }, "NotFound", "NotFound", "check shop"},
		{"another blog", func(w *world) { w.site.Spec.CMS.Shopify.BlogID = "1" }, "NotFound", "NotFound", "check blogID"},
		{"a field that is too long", func(w *world) { w.userError = userError("TOO_LONG", "", "article", "title") }, ok, "InvalidContent", "title is too long"},
		{"a field that is wrong", func(w *world) { w.userError = userError("INVALID", "", "article", "tags") }, ok, "InvalidContent", "tags"},
		{"a slug that is taken", func(w *world) { w.userError = userError("TAKEN", "", "article", "handle") }, ok, "InvalidContent", "another article"},
		{"too many requests", func(w *world) { w.refuse = status(429) }, "RateLimited", "RateLimited", "429"},
		{"a redirect", func(w *world) { w.refuse = elsewhere }, "UnexpectedAnswer", "UnexpectedAnswer", "redirects"},
		{"a page", func(w *world) { w.refuse = page }, "UnexpectedAnswer", "UnexpectedAnswer", "not the JSON"},
		{"another version of the API", func(w *world) { w.refuse = problem("undefinedField") }, "UnexpectedAnswer", "UnexpectedAnswer", "may have changed"},
		{"a frozen shop", func(w *world) { w.refuse = status(402) }, "Unavailable", "Unavailable", "frozen"},
		{"a shop that is not active", func(w *world) { w.refuse = problem("SHOP_INACTIVE") }, "Unavailable", "Unavailable", "not active"},
		{"an outage", func(w *world) { w.refuse = status(503) }, "Unavailable", "Unavailable", "503"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.spoil(w)
			tested := w.connector.Test(t.Context(), w.target(w.transport), "n1")
			published := w.publish(t, article())
			if tested.ErrorClass != tt.test || published.ErrorClass != tt.publish {
				t.Errorf("the test ended with %q, want %q; publishing with %q, want %q", tested.ErrorClass, tt.test, published.ErrorClass, tt.publish)
			}
			if len(w.posts) > 0 {
				t.Errorf("%+v was made", w.posts[0])
			}
			for _, o := range []publish.Outcome{tested, published} {
				if o.ErrorClass == ok {
					continue
				}
				said := string(o.ErrorClass) + o.Message
				if !strings.Contains(o.Message, tt.says) {
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
			for _, secret := range append([]string{w.secret["token"], w.secret["clientSecret"]}, "shpat_granted") {
				if secret != "" && strings.Contains(all, secret) {
					t.Errorf("%s has %s", all, secret)
				}
			}
		})
	}
}

func status(code int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		w.Header().Set("Retry-After", "2")
		answer(w, code, map[string]any{"errors": "refused " + r.Header.Get("X-Shopify-Access-Token")})
		return true
	}
}

func problem(code string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		answer(w, http.StatusOK, map[string]any{"errors": []any{map[string]any{"message": "no", "extensions": map[string]any{"code": code}}}})
		return true
	}
}

func elsewhere(w http.ResponseWriter, r *http.Request) bool {
	http.Redirect(w, r, "https://elsewhere.example.com/", http.StatusMovedPermanently)
	return true
}

func page(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte("<h1>Opening soon</h1>" + r.Header.Get("X-Shopify-Access-Token")))
	return true
}

// A granted token is hidden like those of the Secret.
func TestAGrantedTokenIsInNoSnippet(t *testing.T) {
	w := newWorld(t)
	w.secret = map[string]string{"clientID": clientID, "clientSecret": clientSecret}
	w.refuse = func(rw http.ResponseWriter, r *http.Request) bool {
		return !strings.HasSuffix(r.URL.Path, "access_token") && page(rw, r)
	}
	if o := w.publish(t, article()); strings.Contains(o.Snippet, "shpat") || !strings.Contains(o.Snippet, "Opening soon") {
		t.Errorf("%q", o.Snippet)
	}
}

// throttled answers n requests as Shopify does whose bucket lacks 100 points, which takes 2 seconds.
func throttled(n int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		if n == 0 {
			return false
		}
		n--
		answer(w, http.StatusOK, map[string]any{
			"errors":     []any{map[string]any{"message": "Throttled", "extensions": map[string]any{"code": "THROTTLED"}}},
			"extensions": cost(0),
		})
		return true
	}
}

func TestAThrottledRequestWaitsAsLongAsTheBucketNeeds(t *testing.T) {
	w := newWorld(t)
	w.refuse = throttled(2)
	start, ended := w.clock.Now(), make(chan publish.Outcome)
	go func() { ended <- w.publish(t, article()) }()
	for {
		select {
		case o := <-ended:
			if waited := w.clock.Since(start); o.Outcome != v1alpha1.AttemptAccepted || waited != 4*time.Second || len(w.posts) != 1 {
				t.Errorf("after %s: %+v, %d articles", waited, o, len(w.posts))
			}
			return
		default:
			if w.clock.HasWaiters() {
				w.clock.Step(time.Second)
			}
			runtime.Gosched()
		}
	}
}

func TestAConnectionThatWorksSaysWhatItDoes(t *testing.T) {
	w := newWorld(t)
	o := w.connector.Test(t.Context(), w.target(w.transport), "n1")
	if o.Outcome != v1alpha1.AttemptAccepted || o.Message != "articles are published in the blog news" || len(w.posts) > 0 {
		t.Errorf("%+v", o)
	}
}
