package shopify_test

import (
	"net/http"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/shopify"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

func article() publish.Article {
	return publish.Article{HTML: "<p>Lugs.</p>", Document: content.Document{
		Title: "Trail shoes", Slug: "trail-shoes", MetaTitle: "Trail shoes | Acme", MetaDescription: "Grip & care.", Language: "de",
		FAQ: []v1alpha1.FAQ{{Question: "Waschen?", Answer: "Von Hand."}},
	}}
}

// began is when attempts of the tests begin.
var began = time.Unix(1_800_000_000, 0)

// recorded returns an article as status has it after an attempt.
func recorded(a publish.Article, o publish.Outcome) publish.Article {
	a.ExternalID, a.URL = o.ID, o.URL
	a.Recorded = publish.Recorded{Slug: o.Slug, Hash: o.Hash, Attempted: began}
	return a
}

// connection is a shop with a Site for it.
type connection struct {
	*fake
	site *v1alpha1.Site
	// secret has the values of the Secret by their keys.
	secret    map[string]string
	clock     *testclock.FakeClock
	connector *shopify.Connector
	transport http.RoundTripper
}

func newConnection(t *testing.T) *connection {
	t.Helper()
	f := newFake()
	site := &v1alpha1.Site{}
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSShopify, Shopify: &v1alpha1.ShopifyConnection{
		Shop: shop, BlogID: blogNumber, AuthorName: "Mara", CredentialsSecretRef: v1alpha1.LocalReference{Name: "shopify"}, Tags: []string{"shoes"},
	}}
	return &connection{
		fake: f, site: site, secret: map[string]string{"token": accessToken}, clock: testclock.NewFakeClock(began),
		connector: shopify.New(), transport: connectortest.ToServer(t, shop, f),
	}
}

func (c *connection) target(transport http.RoundTripper) publish.Target {
	secrets := publish.Secrets{}
	for key, value := range c.secret {
		secrets[v1alpha1.SecretKeyReference{Name: "shopify", Key: key}] = []byte(value)
	}
	return publish.Target{Site: c.site, Secrets: secrets, HTTP: connectortest.Client(transport), Clock: c.clock}
}

func (c *connection) publish(t *testing.T, a publish.Article) publish.Outcome {
	t.Helper()
	return c.connector.Publish(t.Context(), c.target(c.transport), a)
}

func (c *connection) only(t *testing.T) *post {
	t.Helper()
	if len(c.posts) != 1 {
		t.Fatalf("the shop has %d articles, want one", len(c.posts))
	}
	return c.posts[0]
}

func TestAnArticleBecomesOneOfTheBlog(t *testing.T) {
	c := newConnection(t)
	o := c.publish(t, article())
	made := c.only(t)
	if o.Outcome != v1alpha1.AttemptAccepted || o.ID != made.id || o.URL != "https://www.acme.example/blogs/news/trail-shoes" || o.Slug != "" {
		t.Errorf("%+v", o)
	}
	if made.title != "Trail shoes" || made.handle != "trail-shoes" || made.summary != "Grip &amp; care." || made.author != "Mara" || !made.published ||
		made.body != "<p>Lugs.</p>\n<h2>Häufige Fragen</h2>\n<h3>Waschen?</h3>\n<p>Von Hand.</p>\n" || len(made.tags) != 1 {
		t.Errorf("%+v", made)
	}
	title, description := made.metafields["global.title_tag"], made.metafields["global.description_tag"]
	if title[1] != "Trail shoes | Acme" || description[1] != "Grip & care." {
		t.Errorf("%v", made.metafields)
	}
}

// An editor ends the file that kubectl makes the Secret of with a line end.
func TestALineEndBehindACredentialDoesNotMatter(t *testing.T) {
	for name, secret := range map[string]map[string]string{
		"a token": {"token": accessToken + "\n"},
		"an app":  {"clientID": clientID + "\n", "clientSecret": clientSecret + "\n"},
	} {
		c := newConnection(t)
		c.secret = secret
		if o := c.publish(t, article()); o.Outcome != v1alpha1.AttemptAccepted {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestSEOTextsAndFAQAreOmittedIfTheSiteSaysSo(t *testing.T) {
	c := newConnection(t)
	c.site.Spec.CMS.FAQ, c.site.Spec.CMS.Shopify.SEO = v1alpha1.FAQOmit, v1alpha1.ShopifySEOOmit
	c.publish(t, article())
	if made := c.only(t); len(made.metafields) > 0 || made.body != "<p>Lugs.</p>" {
		t.Errorf("%+v", made)
	}
}

// The blogs of a shop have one address. Handles are unique in a blog.
func TestEachBlogIsADestinationOfItsOwn(t *testing.T) {
	c := newConnection(t)
	before := c.connector.Connection(c.site).Destination()
	c.site.Spec.CMS.Shopify.BlogID = "1"
	if after := c.connector.Connection(c.site).Destination(); after == before {
		t.Errorf("two blogs share the destination %s", after)
	}
}

func TestARedeliveryUpdatesTheSameArticle(t *testing.T) {
	c := newConnection(t)
	first := c.publish(t, article())
	changed := recorded(article(), first)
	changed.Title, changed.Slug = "Trail shoes 2", "trail-shoes-2"
	second := c.publish(t, changed)
	if got := c.only(t); second.ID != first.ID || got.title != "Trail shoes 2" || got.handle != "trail-shoes-2" {
		t.Errorf("%+v, %+v", second, got)
	}
}

func TestAnArticleWhoseCreationWasNotAnsweredIsFoundByItsSlug(t *testing.T) {
	for name, lags := range map[string]bool{"by the search": false, "while the search lags": true} {
		c := newConnection(t)
		first := c.publish(t, article())
		c.searchLags = lags
		again := article()
		again.Recorded.Attempted = began
		if second := c.publish(t, again); second.ID != first.ID || c.created != 1 {
			t.Errorf("%s: %+v, %d articles were created", name, second, c.created)
		}
	}
}

func TestAnotherArticleWhoseHandleBeginsTheSameIsLeftAlone(t *testing.T) {
	c := newConnection(t)
	longer := article()
	longer.Slug = "trail-shoes-for-winter"
	c.publish(t, longer)
	if o := c.publish(t, article()); o.Outcome != v1alpha1.AttemptAccepted || len(c.posts) != 2 || c.posts[0].handle != "trail-shoes-for-winter" {
		t.Errorf("%+v", o)
	}
}

func TestAnArticleThatIsGoneIsMadeAgain(t *testing.T) {
	c := newConnection(t)
	first := c.publish(t, article())
	c.posts = nil
	again := recorded(article(), first)
	if second := c.publish(t, again); second.Outcome != v1alpha1.AttemptAccepted || second.ID == first.ID {
		t.Errorf("%+v", second)
	}
}

// Shops have metafields of the type that Shopify had once, which cannot change.
func TestTheTypesOfMetafieldsThatAreThereAreKept(t *testing.T) {
	c := newConnection(t)
	c.publish(t, article())
	for name := range c.posts[0].metafields {
		c.posts[0].metafields[name] = [2]string{"string", "old"}
	}
	again := article()
	again.Recorded = publish.Recorded{Attempted: began, Overwrite: true}
	if o := c.publish(t, again); o.Outcome != v1alpha1.AttemptAccepted || c.posts[0].metafields["global.title_tag"] != [2]string{"string", "Trail shoes | Acme"} {
		t.Errorf("%+v, %v", o, c.posts[0].metafields)
	}
}

func TestAHandleThatShopifyChangesIsTheArticles(t *testing.T) {
	c := newConnection(t)
	c.handles = func(handle string) string { return handle + "-1" }
	if o := c.publish(t, article()); o.Slug != "trail-shoes-1" || o.URL != "https://www.acme.example/blogs/news/trail-shoes-1" {
		t.Errorf("%+v", o)
	}
}

func TestNoCutMakesASecondArticle(t *testing.T) {
	for name, secret := range map[string]map[string]string{
		"with a token":  {"token": accessToken},
		"with a client": {"clientID": clientID, "clientSecret": clientSecret},
	} {
		t.Run(name, func(t *testing.T) {
			connectortest.CutEachRequest(t, func(t *testing.T) connectortest.CMS {
				t.Helper()
				c := newConnection(t)
				c.secret, c.searchLags = secret, true
				return connectortest.CMS{
					Transport: c.transport,
					Attempt: func(transport http.RoundTripper, id string) publish.Outcome {
						a := article()
						a.ExternalID, a.Recorded.Attempted = id, began
						return c.connector.Publish(t.Context(), c.target(transport), a)
					},
					Posts: func() int { return len(c.posts) },
				}
			})
		})
	}
}

func TestATokenIsGrantedOnceAndRenewedInTime(t *testing.T) {
	c := newConnection(t)
	c.secret = map[string]string{"clientID": clientID, "clientSecret": clientSecret}
	publishAfter := func(d time.Duration, granted int) {
		t.Helper()
		c.clock.Step(d)
		a := article()
		a.Recorded.Attempted, a.Recorded.Overwrite = began, true
		if o := c.publish(t, a); o.Outcome != v1alpha1.AttemptAccepted || c.granted != granted {
			t.Errorf("after %s: %+v, %d tokens were granted, want %d", d, o, c.granted, granted)
		}
	}
	publishAfter(0, 1)
	publishAfter(22*time.Hour, 1)
	publishAfter(2*time.Hour, 2)
	clear(c.tokens)
	publishAfter(0, 3)
	c.secret["clientSecret"] = "shpss_another"
	if o := c.publish(t, article()); o.ErrorClass != v1alpha1.ErrorWrongCredentials {
		t.Errorf("a token that another secret was granted is used: %+v", o)
	}
}

// Somebody gave the app the scope after the token was granted, as the sentence about the failure asks for.
func TestATokenThatLacksAScopeIsRenewed(t *testing.T) {
	c := newConnection(t)
	c.secret = map[string]string{"clientID": clientID, "clientSecret": clientSecret}
	c.refuse = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("X-Shopify-Access-Token") != "shpat_granted1" {
			return false
		}
		answer(w, http.StatusOK, map[string]any{"data": nil, "errors": []any{map[string]any{
			"message": "Access denied", "extensions": map[string]any{"code": "ACCESS_DENIED"},
		}}})
		return true
	}
	if o := c.publish(t, article()); o.Outcome != v1alpha1.AttemptAccepted || c.granted != 2 {
		t.Errorf("%+v, and %d tokens were granted", o, c.granted)
	}
}
