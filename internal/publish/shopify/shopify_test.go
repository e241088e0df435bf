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
	"github.com/pressroom-dev/pressroom/internal/testkit/connectortest"
)

func article() publish.Article {
	return publish.Article{HTML: "<p>Lugs.</p>", Document: content.Document{
		Title: "Trail shoes", Slug: "trail-shoes", MetaTitle: "Trail shoes | Acme", MetaDescription: "Grip & care.", Language: "de",
		FAQ: []v1alpha1.FAQ{{Question: "Waschen?", Answer: "Von Hand."}},
	}}
}

// world is a shop with a Site for it.
type world struct {
	*fake
	site *v1alpha1.Site
	// secret has the values of the Secret by their keys.
	secret    map[string]string
	clock     *testclock.FakeClock
	connector *shopify.Connector
	transport http.RoundTripper
}

func newWorld(t *testing.T) *world {
	t.Helper()
	f := newFake()
	site := &v1alpha1.Site{}
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSShopify, Shopify: &v1alpha1.ShopifyConnection{
		Shop: shop, BlogID: blogNumber, Author: "Mara", CredentialsRef: v1alpha1.LocalReference{Name: "shopify"}, Tags: []string{"shoes"},
	}}
	return &world{
		fake: f, site: site, secret: map[string]string{"token": accessToken}, clock: testclock.NewFakeClock(time.Unix(1_800_000_000, 0)),
		connector: shopify.New(), transport: connectortest.ToServer(t, shop, f),
	}
}

func (w *world) target(transport http.RoundTripper) publish.Target {
	secrets := publish.Secrets{}
	for key, value := range w.secret {
		secrets[v1alpha1.SecretKeyReference{Name: "shopify", Key: key}] = []byte(value)
	}
	return publish.Target{Site: w.site, Secrets: secrets, HTTP: connectortest.Client(transport), Clock: w.clock}
}

func (w *world) publish(t *testing.T, a publish.Article) publish.Outcome {
	t.Helper()
	return w.connector.Publish(t.Context(), w.target(w.transport), a)
}

func (w *world) only(t *testing.T) *post {
	t.Helper()
	if len(w.posts) != 1 {
		t.Fatalf("the shop has %d articles, want one", len(w.posts))
	}
	return w.posts[0]
}

func TestAnArticleBecomesOneOfTheBlog(t *testing.T) {
	w := newWorld(t)
	o := w.publish(t, article())
	made := w.only(t)
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
		w := newWorld(t)
		w.secret = secret
		if o := w.publish(t, article()); o.Outcome != v1alpha1.AttemptAccepted {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestSEOTextsAndFAQAreOmittedIfTheSiteSaysSo(t *testing.T) {
	w := newWorld(t)
	w.site.Spec.CMS.FAQ, w.site.Spec.CMS.Shopify.SEO = v1alpha1.FAQOmit, v1alpha1.ShopifySEOOmit
	w.publish(t, article())
	if made := w.only(t); len(made.metafields) > 0 || made.body != "<p>Lugs.</p>" {
		t.Errorf("%+v", made)
	}
}

// The blogs of a shop have one address. Handles are unique in a blog.
func TestEachBlogIsADestinationOfItsOwn(t *testing.T) {
	w := newWorld(t)
	before := w.connector.Connection(w.site).Destination()
	w.site.Spec.CMS.Shopify.BlogID = "1"
	if after := w.connector.Connection(w.site).Destination(); after == before {
		t.Errorf("two blogs share the destination %s", after)
	}
}

func TestARedeliveryUpdatesTheSameArticle(t *testing.T) {
	w := newWorld(t)
	first := w.publish(t, article())
	changed := article()
	changed.Title, changed.Slug, changed.ExternalID = "Trail shoes 2", "trail-shoes-2", first.ID
	second := w.publish(t, changed)
	if got := w.only(t); second.ID != first.ID || got.title != "Trail shoes 2" || got.handle != "trail-shoes-2" {
		t.Errorf("%+v, %+v", second, got)
	}
}

func TestAnArticleIsFoundByItsSlug(t *testing.T) {
	for name, lags := range map[string]bool{"by the search": false, "while the search lags": true} {
		w := newWorld(t)
		first := w.publish(t, article())
		w.searchLags = lags
		if second := w.publish(t, article()); second.ID != first.ID || w.created != 1 {
			t.Errorf("%s: %+v, %d articles were created", name, second, w.created)
		}
	}
}

func TestAnotherArticleWhoseHandleBeginsTheSameIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	longer := article()
	longer.Slug = "trail-shoes-for-winter"
	w.publish(t, longer)
	if o := w.publish(t, article()); o.Outcome != v1alpha1.AttemptAccepted || len(w.posts) != 2 || w.posts[0].handle != "trail-shoes-for-winter" {
		t.Errorf("%+v", o)
	}
}

func TestAnArticleThatIsGoneIsMadeAgain(t *testing.T) {
	w := newWorld(t)
	first := w.publish(t, article())
	w.posts = nil
	again := article()
	again.ExternalID = first.ID
	if second := w.publish(t, again); second.Outcome != v1alpha1.AttemptAccepted || second.ID == first.ID {
		t.Errorf("%+v", second)
	}
}

// Shops have metafields of the type that Shopify had once, which cannot change.
func TestTheTypesOfMetafieldsThatAreThereAreKept(t *testing.T) {
	w := newWorld(t)
	w.publish(t, article())
	for name := range w.posts[0].metafields {
		w.posts[0].metafields[name] = [2]string{"string", "old"}
	}
	if o := w.publish(t, article()); o.Outcome != v1alpha1.AttemptAccepted || w.posts[0].metafields["global.title_tag"] != [2]string{"string", "Trail shoes | Acme"} {
		t.Errorf("%+v, %v", o, w.posts[0].metafields)
	}
}

func TestAHandleThatShopifyChangesIsTheArticles(t *testing.T) {
	w := newWorld(t)
	w.handles = func(handle string) string { return handle + "-1" }
	if o := w.publish(t, article()); o.Slug != "trail-shoes-1" || o.URL != "https://www.acme.example/blogs/news/trail-shoes-1" {
		t.Errorf("%+v", o)
	}
}

func TestNoCutMakesASecondArticle(t *testing.T) {
	for name, secret := range map[string]map[string]string{
		"with a token":  {"token": accessToken},
		"with a client": {"clientID": clientID, "clientSecret": clientSecret},
	} {
		t.Run(name, func(t *testing.T) {
			connectortest.CutEachRequest(t, func(t *testing.T) connectortest.World {
				t.Helper()
				w := newWorld(t)
				w.secret, w.searchLags = secret, true
				return connectortest.World{
					Transport: w.transport,
					Attempt: func(transport http.RoundTripper, id string) publish.Outcome {
						a := article()
						a.ExternalID = id
						return w.connector.Publish(t.Context(), w.target(transport), a)
					},
					Posts: func() int { return len(w.posts) },
				}
			})
		})
	}
}

func TestATokenIsGrantedOnceAndRenewedInTime(t *testing.T) {
	w := newWorld(t)
	w.secret = map[string]string{"clientID": clientID, "clientSecret": clientSecret}
	publishAfter := func(d time.Duration, granted int) {
		t.Helper()
		w.clock.Step(d)
		if o := w.publish(t, article()); o.Outcome != v1alpha1.AttemptAccepted || w.granted != granted {
			t.Errorf("after %s: %+v, %d tokens were granted, want %d", d, o, w.granted, granted)
		}
	}
	publishAfter(0, 1)
	publishAfter(22*time.Hour, 1)
	publishAfter(2*time.Hour, 2)
	clear(w.tokens)
	publishAfter(0, 3)
	w.secret["clientSecret"] = "shpss_another"
	if o := w.publish(t, article()); o.ErrorClass != v1alpha1.ErrorWrongCredentials {
		t.Errorf("a token that another secret was granted is used: %+v", o)
	}
}
