package wordpress_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/wordpress"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

func newBlog(t *testing.T) *fakewordpress.Blog {
	t.Helper()
	b := fakewordpress.New()
	t.Cleanup(b.Close)
	return b
}

// siteOf is a Site of a blog, and what an attempt is made with.
func siteOf(b *fakewordpress.Blog) publish.Target {
	site := &v1alpha1.Site{}
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{
		URL: b.URL, CredentialsSecretRef: v1alpha1.LocalReference{Name: "wordpress"},
	}}
	return publish.Target{
		Site: site, PlainHTTP: true, Clock: testclock.NewFakeClock(began), HTTP: egress.NewClient(loopback, 0),
		Secrets: publish.Secrets{
			{Name: "wordpress", Key: "username"}: []byte(b.Username), {Name: "wordpress", Key: "password"}: []byte(b.Password + "\n"),
		},
	}
}

var loopback = egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

func article() publish.Article {
	return publish.Article{HTML: "<p>Grip\nis all.</p>", Document: content.Document{
		Title: "Shoes & more", Slug: "shoes", MetaTitle: "All shoes", MetaDescription: "About shoes.", Language: "en",
		FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
	}}
}

// began is when attempts of the tests begin, by the clock of siteOf.
var began = time.Unix(1_800_000_000, 0)

// recorded returns an article as status has it after an attempt.
func recorded(a publish.Article, o publish.Outcome) publish.Article {
	a.ExternalID, a.URL = o.ID, o.URL
	a.Recorded = publish.Recorded{Slug: o.Slug, Hash: o.Hash, Attempted: began}
	return a
}

const stored = "<p>Grip is all.</p> <h2>Frequently asked questions</h2> <h3>Why?</h3> <p>Because.</p> "

func send(t *testing.T, to publish.Target, a publish.Article) publish.Outcome {
	t.Helper()
	return wordpress.New().Publish(t.Context(), to, a)
}

// expectOnePost expects that the blog has one post, which is the article's, and that the outcome says so.
func expectOnePost(t *testing.T, b *fakewordpress.Blog, o publish.Outcome) {
	t.Helper()
	posts := b.Posts()
	if len(posts) != 1 {
		t.Fatalf("there are %d posts: %+v", len(posts), posts)
	}
	p := posts[0]
	if p.Slug != "shoes" || p.Status != "publish" || p.Title != "Shoes &amp; more" || p.Content != stored || p.Excerpt != "About shoes." {
		t.Errorf("the post is %+v", p)
	}
	if o.Outcome != v1alpha1.AttemptAccepted || o.ID != idOf(p) || o.URL != p.Link || o.Slug != "" {
		t.Errorf("the outcome is %+v, and the post %+v", o, p)
	}
}

func hasSecret(b *fakewordpress.Blog, o publish.Outcome) bool {
	for _, text := range []string{o.Message, o.Snippet, o.ID, o.URL, o.Slug} {
		if strings.Contains(text, b.Password) || strings.Contains(text, strings.ReplaceAll(b.Password, " ", "")) || strings.Contains(text, basicOf(b)) {
			return true
		}
	}
	return false
}

func basicOf(b *fakewordpress.Blog) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(b.Username, b.Password)
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Basic ")
}
