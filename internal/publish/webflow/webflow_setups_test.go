package webflow_test

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
	var sentences connectortest.Sentences
	for _, tt := range []struct {
		name          string
		test, publish v1alpha1.ErrorClass
		says          string
		spoil         func(*connection)
	}{
		{"a wrong token", "WrongCredentials", "WrongCredentials", "make a new site token", func(c *connection) { c.token = "wrong-site-token" }},
		{"a token that may not read sites", "MissingPermission", "MissingPermission", "sites:read", func(c *connection) { c.scopes = []string{"cms:read", "cms:write"} }},
		{"a token that may not write", "MissingPermission", "MissingPermission", "cms:write", func(c *connection) { c.scopes = []string{"cms:read", "sites:read"} }},
		{"another collection", "NotFound", "NotFound", "check collectionID", func(c *connection) { c.site.Spec.CMS.Webflow.CollectionID = strings.Repeat("0", 24) }},
		{"another site", "NotFound", "NotFound", "check siteID", func(c *connection) { c.site.Spec.CMS.Webflow.SiteID = strings.Repeat("0", 24) }},
		{"a collection of another site", "NotFound", "", "not one of this site", func(c *connection) { c.listed = strings.Repeat("1", 24) }},
		{"a field that is not there", "InvalidContent", "InvalidContent", "nosuch", func(c *connection) { c.site.Spec.CMS.Webflow.Fields.Excerpt = "nosuch" }},
		{"a body that is no rich text", "InvalidContent", "", "RichText", func(c *connection) { c.site.Spec.CMS.Webflow.Fields.Body = "post-summary" }},
		{"a field that must be sent", "InvalidContent", "InvalidContent", "author", func(c *connection) {
			c.fields = append(c.fields, field{"f7", "author", "Author", "Reference", true, true})
		}},
		{"too many requests", "RateLimited", "RateLimited", "fewer requests", func(c *connection) { c.refuse = tooMany }},
		{"a redirect", "UnexpectedAnswer", "UnexpectedAnswer", "redirects", func(c *connection) { c.refuse = elsewhere }},
		{"a page", "UnexpectedAnswer", "UnexpectedAnswer", "not the JSON", func(c *connection) { c.refuse = page }},
		{"an outage", "Unavailable", "Unavailable", "503", func(c *connection) { c.refuse = outage }},
		{"changes that are not published", "", "Unavailable", "publish the site in Webflow", func(c *connection) { c.refuse = conflict }},
		{"an item that is not published", "", "Unavailable", "did not publish it", func(c *connection) { c.refuse = unpublished }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newConnection(t)
			tt.spoil(c)
			tested := c.connector.Test(t.Context(), c.target(c.transport), "n1")
			if len(c.staged) > 0 {
				t.Errorf("the test left %v", c.staged)
			}
			published := c.publish(t, article())
			sentences.Check(t, connectortest.Case{Name: tt.name, Test: tt.test, Publish: tt.publish, Says: tt.says}, tested, published, c.token)
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
	c := newConnection(t)
	c.refuse = tooMany
	if o := c.publish(t, article()); o.RetryAfter != 42*time.Second {
		t.Errorf("%+v", o)
	}
}

func TestAConnectionThatWorksSaysWhatItDoes(t *testing.T) {
	c := newConnection(t)
	o := c.connector.Test(t.Context(), c.target(c.transport), "n1")
	if o.Outcome != v1alpha1.AttemptAccepted || o.Message != "articles become items of the collection post" || len(c.staged)+len(c.live) > 0 {
		t.Errorf("%+v", o)
	}
}
