package shopify_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

// Each wrong set-up gives its own reason and a sentence that says what to change, from the test of the connection and, where an
// article is refused too, from the attempt to publish it. No secret is in any of it.
func TestWrongSetUps(t *testing.T) {
	client := func(c *connection) { c.secret = map[string]string{"clientID": clientID, "clientSecret": clientSecret} }
	var sentences connectortest.Sentences
	for _, tt := range []struct {
		name          string
		test, publish v1alpha1.ErrorClass
		says          string
		spoil         func(*connection)
	}{
		{"a wrong token", "WrongCredentials", "WrongCredentials", "valid one in the Secret", func(c *connection) { c.secret["token"] = "shpat_wrong" }},
		{"a wrong client secret", "WrongCredentials", "WrongCredentials", "clientSecret", func(c *connection) { client(c); c.secret["clientSecret"] = "shpss_wrong" }},
		{"a client id alone", "WrongCredentials", "WrongCredentials", "must have the key", func(c *connection) { c.secret = map[string]string{"clientID": clientID} }},
		{"a scope that is missing", "MissingPermission", "MissingPermission", "write_content", func(c *connection) { c.scopes = []string{"read_content"} }},
		{"an app that is blocked", "MissingPermission", "MissingPermission", "not blocked", func(c *connection) { c.refuse = status(403) }},
		{"another shop", "NotFound", "NotFound", "check shop", func(c *connection) { c.refuse = status(404) }},
		{"another blog", "NotFound", "NotFound", "check blogID", func(c *connection) { c.site.Spec.CMS.Shopify.BlogID = "1" }},
		{"a field that is too long", "", "InvalidContent", "title is too long", func(c *connection) { c.userError = userError("TOO_LONG", "", "article", "title") }},
		{"a field that is wrong", "", "InvalidContent", "tags", func(c *connection) { c.userError = userError("INVALID", "", "article", "tags") }},
		{"a slug that is taken", "", "SlugTaken", "choose another slug", func(c *connection) { c.userError = userError("TAKEN", "", "article", "handle") }},
		{"too many requests", "RateLimited", "RateLimited", "429", func(c *connection) { c.refuse = status(429) }},
		{"a redirect", "UnexpectedAnswer", "UnexpectedAnswer", "redirects", func(c *connection) { c.refuse = elsewhere }},
		{"a page", "UnexpectedAnswer", "UnexpectedAnswer", "not the JSON", func(c *connection) { c.refuse = page }},
		{"another version of the API", "UnexpectedAnswer", "UnexpectedAnswer", "may have changed", func(c *connection) { c.refuse = problem("undefinedField") }},
		{"a frozen shop", "Unavailable", "Unavailable", "frozen", func(c *connection) { c.refuse = status(402) }},
		{"a shop that is not active", "Unavailable", "Unavailable", "not active", func(c *connection) { c.refuse = problem("SHOP_INACTIVE") }},
		{"an outage", "Unavailable", "Unavailable", "503", func(c *connection) { c.refuse = status(503) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newConnection(t)
			tt.spoil(c)
			tested := c.connector.Test(t.Context(), c.target(c.transport), "n1")
			published := c.publish(t, article())
			if len(c.posts) > 0 {
				t.Errorf("%+v was made", c.posts[0])
			}
			sentences.Check(t, connectortest.Case{Name: tt.name, Test: tt.test, Publish: tt.publish, Says: tt.says}, tested, published, c.secret["token"], c.secret["clientSecret"], "shpat_granted")
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
	c := newConnection(t)
	c.secret = map[string]string{"clientID": clientID, "clientSecret": clientSecret}
	c.refuse = func(rw http.ResponseWriter, r *http.Request) bool {
		return !strings.HasSuffix(r.URL.Path, "access_token") && page(rw, r)
	}
	if o := c.publish(t, article()); strings.Contains(o.Snippet, "shpat") || !strings.Contains(o.Snippet, "Opening soon") {
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
	c := newConnection(t)
	c.refuse = throttled(2)
	start := c.clock.Now()
	connectortest.WhileTimePasses(c.clock, time.Second, func() {
		o := c.publish(t, article())
		if waited := c.clock.Since(start); o.Outcome != v1alpha1.AttemptAccepted || waited != 4*time.Second || len(c.posts) != 1 {
			t.Errorf("after %s: %+v, %d articles", waited, o, len(c.posts))
		}
	})
}

func TestAConnectionThatWorksSaysWhatItDoes(t *testing.T) {
	c := newConnection(t)
	o := c.connector.Test(t.Context(), c.target(c.transport), "n1")
	if o.Outcome != v1alpha1.AttemptAccepted || o.Message != "articles are published in the blog news" || len(c.posts) > 0 {
		t.Errorf("%+v", o)
	}
}
