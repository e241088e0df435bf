package webflow_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/webflow"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

func site() *v1alpha1.Site {
	s := &v1alpha1.Site{}
	s.Spec.Domain = "www.example.com"
	s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWebflow, Webflow: &v1alpha1.WebflowConnection{
		SiteID: siteID, CollectionID: collectionID, CredentialsSecretRef: v1alpha1.LocalReference{Name: "webflow"},
		Fields: v1alpha1.WebflowFields{Body: "post-body", Excerpt: "post-summary", MetaTitle: "seo-title", MetaDescription: "seo-description"},
	}}
	return s
}

func article() publish.Article {
	return publish.Article{HTML: "<p>Lugs.</p>", Document: content.Document{
		Title: "Trail shoes", Slug: "trail-shoes", MetaTitle: "Trail shoes | Acme", MetaDescription: "How to choose.", Language: "de",
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

// connection is a Webflow with a Site for it.
type connection struct {
	*fake
	site      *v1alpha1.Site
	token     string
	clock     *testclock.FakeClock
	connector *webflow.Connector
	transport http.RoundTripper
}

func newConnection(t *testing.T) *connection {
	t.Helper()
	f := newFake()
	return &connection{
		fake: f, site: site(), token: token, clock: testclock.NewFakeClock(began), connector: webflow.New(),
		transport: connectortest.ToServer(t, "api.webflow.com", f),
	}
}

func (c *connection) target(transport http.RoundTripper) publish.Target {
	secrets := publish.Secrets{}
	for _, ref := range c.connector.Connection(c.site).Secrets {
		secrets[ref.SecretKeyReference] = []byte(c.token)
	}
	return publish.Target{Site: c.site, Secrets: secrets, HTTP: connectortest.Client(transport), Clock: c.clock}
}

func (c *connection) publish(t *testing.T, a publish.Article) publish.Outcome {
	t.Helper()
	return c.connector.Publish(t.Context(), c.target(c.transport), a)
}

// only returns the one live item.
func (c *connection) only(t *testing.T) item {
	t.Helper()
	if len(c.staged) != 1 || len(c.live) != 1 {
		t.Fatalf("%d items are staged, %d live, want one", len(c.staged), len(c.live))
	}
	for _, i := range c.live {
		return i
	}
	panic("unreachable")
}

func TestAnArticleBecomesALiveItem(t *testing.T) {
	c := newConnection(t)
	o := c.publish(t, article())
	made := c.only(t)
	if o.Outcome != v1alpha1.AttemptAccepted || o.ID != made.ID || o.URL != "https://www.example.com/post/trail-shoes" || o.Slug != "" {
		t.Errorf("%+v", o)
	}
	want := map[string]any{
		"name": "Trail shoes", "slug": "trail-shoes", "post-summary": "How to choose.", "seo-title": "Trail shoes | Acme", "seo-description": "How to choose.",
		"post-body": "<p>Lugs.</p>\n<h2>Häufige Fragen</h2>\n<h3>Waschen?</h3>\n<p>Von Hand.</p>\n",
	}
	for name, text := range want {
		if made.FieldData[name] != text {
			t.Errorf("%s is %q, want %q", name, made.FieldData[name], text)
		}
	}
	if len(made.FieldData) != len(want) || made.IsDraft || made.IsArchived {
		t.Errorf("%+v", made)
	}
}

// An editor ends the file that kubectl makes the Secret of with a line end.
func TestALineEndBehindTheTokenDoesNotMatter(t *testing.T) {
	c := newConnection(t)
	c.token += "\n"
	if o := c.publish(t, article()); o.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("%+v", o)
	}
}

func TestFieldsThatTheSiteDoesNotNameAreNotSent(t *testing.T) {
	c := newConnection(t)
	c.site.Spec.CMS.Webflow.Fields = v1alpha1.WebflowFields{Body: "post-body"}
	c.site.Spec.CMS.FAQ = v1alpha1.FAQOmit
	c.publish(t, article())
	if got := c.only(t).FieldData; len(got) != 3 || got["post-body"] != "<p>Lugs.</p>" {
		t.Errorf("%v", got)
	}
}

// All sites of Webflow have one address. Slugs are unique in a collection.
func TestEachCollectionIsADestinationOfItsOwn(t *testing.T) {
	c := newConnection(t)
	before := c.connector.Connection(c.site).Destination()
	c.site.Spec.CMS.Webflow.CollectionID = strings.Repeat("0", 24)
	if after := c.connector.Connection(c.site).Destination(); after == before {
		t.Errorf("two collections share the destination %s", after)
	}
}

func TestARedeliveryUpdatesTheSameItem(t *testing.T) {
	c := newConnection(t)
	first := c.publish(t, article())
	changed := recorded(article(), first)
	changed.Title, changed.MetaTitle = "Trail shoes 2", ""
	second := c.publish(t, changed)
	if got := c.only(t); second.ID != first.ID || got.FieldData["name"] != "Trail shoes 2" || got.FieldData["seo-title"] != "" {
		t.Errorf("%+v, %v", second, got.FieldData)
	}
}

func TestAnItemWhoseCreationWasNotAnsweredIsFoundByItsSlug(t *testing.T) {
	c := newConnection(t)
	first := c.publish(t, article())
	again := article()
	again.Recorded.Attempted = began
	if second := c.publish(t, again); second.ID != first.ID || c.created != 1 {
		t.Errorf("%+v, %d items were created", second, c.created)
	}
}

func TestAnItemThatIsGoneIsMadeAgain(t *testing.T) {
	c := newConnection(t)
	first := c.publish(t, article())
	delete(c.staged, first.ID)
	delete(c.live, first.ID)
	again := recorded(article(), first)
	if second := c.publish(t, again); second.Outcome != v1alpha1.AttemptAccepted || second.ID == first.ID || c.only(t).ID != second.ID {
		t.Errorf("%+v", second)
	}
}

func TestTheURLHasTheDomainOfTheSite(t *testing.T) {
	for name, tt := range map[string]struct{ custom, domain, want string }{
		"that Webflow has":     {"www.example.com", "www.example.com", "https://www.example.com/post/trail-shoes"},
		"that Webflow has not": {"blog.example.org", "www.example.com", "https://blog.example.org/post/trail-shoes"},
		"with a scheme":        {"https://blog.example.org/", "www.example.com", "https://blog.example.org/post/trail-shoes"},
		"that is Webflow's":    {"", "www.example.com", "https://acme-blog.webflow.io/post/trail-shoes"},
	} {
		c := newConnection(t)
		c.customDomain, c.site.Spec.Domain = tt.custom, tt.domain
		if o := c.publish(t, article()); o.URL != tt.want {
			t.Errorf("%s: %q, want %q", name, o.URL, tt.want)
		}
	}
}

func TestASlugThatWebflowChangesIsTheItems(t *testing.T) {
	c := newConnection(t)
	c.slugs = func(slug string) string { return strings.TrimSuffix(slug, "s") + "-2" }
	if o := c.publish(t, article()); o.Slug != "trail-shoe-2" || o.URL != "https://www.example.com/post/trail-shoe-2" {
		t.Errorf("%+v", o)
	}
}

func TestNoCutMakesASecondItem(t *testing.T) {
	connectortest.CutEachRequest(t, func(t *testing.T) connectortest.CMS {
		t.Helper()
		c := newConnection(t)
		return connectortest.CMS{
			Transport: c.transport,
			Attempt: func(transport http.RoundTripper, id string) publish.Outcome {
				a := article()
				a.ExternalID, a.Recorded.Attempted = id, began
				return c.connector.Publish(t.Context(), c.target(transport), a)
			},
			Posts: func() int { return len(c.staged) },
		}
	})
}

// 40 articles need more than 60 requests, of which no minute has more than that.
func TestTheRequestsOfASiteStayBelowTheLimit(t *testing.T) {
	c := newConnection(t)
	var sent []time.Time
	c.refuse = func(http.ResponseWriter, *http.Request) bool {
		sent = append(sent, c.clock.Now())
		return false
	}
	connectortest.WhileTimePasses(c.clock, 100*time.Millisecond, func() {
		for range 40 {
			a := article()
			a.Recorded.Attempted, a.Recorded.Overwrite = began, true
			if o := c.publish(t, a); o.Outcome != v1alpha1.AttemptAccepted {
				t.Errorf("%+v", o)
			}
		}
	})
	if len(sent) < 100 {
		t.Fatalf("%d requests were sent", len(sent))
	}
	for i := 60; i < len(sent); i++ {
		if sent[i].Sub(sent[i-60]) < time.Minute {
			t.Fatalf("61 requests within %s", sent[i].Sub(sent[i-60]))
		}
	}
}

// Anybody can read the id of a site in its pages.
func TestAnotherTokenDoesNotUseUpTheRequestsOfASite(t *testing.T) {
	c := newConnection(t)
	stranger := c.target(c.transport)
	stranger.Secrets = publish.Secrets{{Name: "webflow", Key: "token"}: []byte("made-up")}
	for range 10 { // the burst
		c.connector.Publish(t.Context(), stranger, article())
	}
	before := c.clock.Now()
	if o := c.publish(t, article()); o.Outcome != v1alpha1.AttemptAccepted || c.clock.Now() != before {
		t.Errorf("%+v", o)
	}
	other := c.site.DeepCopy()
	other.Namespace = "other"
	if c.connector.Connection(c.site).Host == c.connector.Connection(other).Host {
		t.Error("they wait for the same slots")
	}
}
