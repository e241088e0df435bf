// Package destinationtest publishes texts to a destination of each type, and reads what people are shown there.
package destinationtest

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

// bodies are the destinations of a post, with where its HTML is in the JSON of the one request that has it.
var bodies = map[v1alpha1.CMSType]struct {
	cms  v1alpha1.SiteCMS
	path []string
}{
	v1alpha1.CMSHeadless: {v1alpha1.SiteCMS{Headless: &v1alpha1.HeadlessConnection{
		URL: "https://www.acme.example/hook", PayloadFormat: v1alpha1.PayloadJSON,
		SigningSecretRef: v1alpha1.SecretKeyReference{Name: "cms", Key: "secret"},
	}}, []string{"content_html"}},
	v1alpha1.CMSWordPress: {v1alpha1.SiteCMS{WordPress: &v1alpha1.WordPressConnection{
		URL: "https://www.acme.example", CredentialsSecretRef: v1alpha1.LocalReference{Name: "cms"},
	}}, []string{"content"}},
	v1alpha1.CMSWebflow: {v1alpha1.SiteCMS{Webflow: &v1alpha1.WebflowConnection{
		SiteID: "580e63e98c9a982ac9b8b741", CollectionID: "580e63fc8c9a982ac9b8b745",
		CredentialsSecretRef: v1alpha1.LocalReference{Name: "cms"}, Fields: v1alpha1.WebflowFields{Body: "post-body"},
	}}, []string{"fieldData", "post-body"}},
	v1alpha1.CMSShopify: {v1alpha1.SiteCMS{Shopify: &v1alpha1.ShopifyConnection{
		Shop: "acme.myshopify.com", BlogID: "1", AuthorName: "Mara", CredentialsSecretRef: v1alpha1.LocalReference{Name: "cms"},
	}}, []string{"variables", "article", "body"}},
}

// receiver is any CMS: it answers what all of them need up to the request that has the post, and keeps the HTML of that.
type receiver struct {
	path []string
	sent []Sent
}

// known is the answer to all requests before: a WordPress and a Webflow without posts, and a Shopify blog without articles.
const known = `{"namespaces": ["wp/v2"], "name": "Acme", "url": "https://www.acme.example", "home": "https://www.acme.example",
	"capabilities": {"edit_posts": true, "publish_posts": true, "edit_published_posts": true, "upload_files": true},
	"slug": "post", "shortName": "acme", "customDomains": [], "collections": [], "items": [], "pagination": {"total": 0},
	"fields": [{"slug": "post-body", "type": "RichText"}],
	"data": {"shop": {"primaryDomain": {"url": "https://www.acme.example"}}, "blog": {"handle": "news", "articles": {"nodes": []}},
		"articles": {"nodes": []}}}`

// RoundTrip implements http.RoundTripper.
func (r *receiver) RoundTrip(q *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	answer.Header().Set("Content-Type", "application/json")
	answer.Header().Set("Link", `<https://www.acme.example/wp-json/>; rel="https://api.w.org/"`)
	if q.Body != nil {
		defer q.Body.Close()
		text, err := io.ReadAll(q.Body)
		if err != nil {
			return nil, err
		}
		if body, ok := within(text, r.path); ok {
			r.sent = append(r.sent, Sent{body, text})
			// The rest of the attempt does not matter.
			answer.WriteHeader(http.StatusBadRequest)
			return resultOf(answer, q), nil
		}
	}
	text := known
	if q.Method == http.MethodGet && strings.HasSuffix(q.URL.Path, "/posts") {
		text = "[]"
	}
	if _, err := answer.WriteString(text); err != nil {
		return nil, err
	}
	return resultOf(answer, q), nil
}

// within returns a text in JSON.
func within(data []byte, path []string) (string, bool) {
	var value any
	if json.Unmarshal(data, &value) != nil {
		return "", false
	}
	for _, name := range path {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	text, ok := value.(string)
	return text, ok
}

func resultOf(answer *httptest.ResponseRecorder, q *http.Request) *http.Response {
	response := answer.Result()
	response.Request = q
	return response
}

// Sent is what a destination gets.
type Sent struct {
	// HTML of the post.
	HTML string
	// Request is the JSON that it was in.
	Request []byte
}

// Types are those of the destinations.
func Types() []v1alpha1.CMSType { return slices.Sorted(maps.Keys(bodies)) }

// SentTo returns what a CMS of a type gets of an article, with its FAQ where the Site has it by default.
func SentTo(tb testing.TB, kind v1alpha1.CMSType, a publish.Article) Sent {
	tb.Helper()
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: "www.acme.example", CMS: bodies[kind].cms}}
	site.Spec.CMS.Type = kind
	to := &receiver{path: bodies[kind].path}
	secrets := publish.Secrets{}
	for _, key := range []string{"secret", "username", "password", "token"} {
		// A CMS counts requests by token, and has them wait.
		secrets[v1alpha1.SecretKeyReference{Name: "cms", Key: key}] = []byte(rand.Text())
	}
	outcome := connectors.For(site).Publish(tb.Context(), publish.Target{
		Site: site, Secrets: secrets, HTTP: connectortest.Client(to), Clock: testclock.NewFakeClock(time.Unix(1_800_000_000, 0)),
	}, a)
	if len(to.sent) == 0 {
		tb.Fatalf("%s got no text: %+v", kind, outcome)
	}
	return to.sent[0]
}
