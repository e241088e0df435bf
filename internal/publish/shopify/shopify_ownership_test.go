package shopify_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// theirs returns an article of somebody else, of an hour ago.
func (c *connection) theirs(handle string) *post {
	at := time.Now().Add(-time.Hour)
	p := &post{id: "gid://shopify/Article/" + strconv.Itoa(len(c.posts)+1), title: "Ours", handle: handle, body: "<p>Text.</p>", created: at, updated: at,
		metafields: map[string][2]string{}}
	c.posts = append(c.posts, p)
	return p
}

// A blog has articles of people with the slugs of 200 articles. All stay as they are.
func TestArticlesOfPeopleStayAsTheyAre(t *testing.T) {
	c := newConnection(t)
	for n := range 200 {
		p := c.theirs("shoes-of-" + strconv.Itoa(n))
		before := *p
		a := article()
		a.Slug = p.handle
		if n%2 == 1 { // An attempt whose answer was lost changes nothing about it.
			a.Recorded.Attempted = began
		}
		if o := c.publish(t, a); o.ErrorClass != v1alpha1.ErrorSlugTaken || o.Conflict != "https://www.acme.example/blogs/news/"+a.Slug {
			t.Errorf("%s: %+v", a.Slug, o)
		}
		if p.title != before.title || p.body != before.body || !p.updated.Equal(before.updated) || p.published || p.author != "" {
			t.Errorf("%+v was %+v", p, before)
		}
	}
	if len(c.posts) != 200 {
		t.Errorf("there are %d articles", len(c.posts))
	}
}

func TestASiteMayAdoptArticlesOfPeople(t *testing.T) {
	c := newConnection(t)
	id := c.theirs("trail-shoes").id
	c.site.Spec.Publishing.ExistingPosts = v1alpha1.ExistingPostsAdopt
	if o := c.publish(t, article()); o.ID != id || c.only(t).title != "Trail shoes" {
		t.Errorf("%+v", o)
	}
}

func TestEditsInShopifySurvive(t *testing.T) {
	for name, edit := range map[string]func(*post){
		"title":     func(p *post) { p.title = "Better shoes" },
		"handle":    func(p *post) { p.handle = "best-shoes" },
		"body":      func(p *post) { p.body += "<p>And socks.</p>" },
		"summary":   func(p *post) { p.summary = "On shoes." },
		"author":    func(p *post) { p.author = "Ben" },
		"published": func(p *post) { p.published = false },
		"tags":      func(p *post) { p.tags = append(p.tags, "sale") },
		"SEO title": func(p *post) { p.metafields["global.title_tag"] = [2]string{"single_line_text_field", "Buy shoes"} },
	} {
		c := newConnection(t)
		a := recorded(article(), c.publish(t, article()))
		p := c.only(t)
		edit(p)
		p.updated = p.updated.Add(time.Minute)
		edited := p.updated
		if o := c.publish(t, a); o.ErrorClass != v1alpha1.ErrorChangedAtSite || len(c.posts) != 1 || !p.updated.Equal(edited) {
			t.Errorf("%s: %+v, %+v", name, o, p)
		}
		a.Recorded.Overwrite = true
		o := c.publish(t, a)
		if again := c.publish(t, recorded(a, o)); again.Outcome != v1alpha1.AttemptAccepted || c.only(t).title != "Trail shoes" {
			t.Errorf("%s: %+v", name, again)
		}
	}
}

// The search lags behind creations, and the newest articles of a blog are more than are looked through.
func TestAnArticleThatIsNotListedYetIsWaitedFor(t *testing.T) {
	c := newConnection(t)
	c.userError = userError("TAKEN", "Handle has already been taken", "article", "handle")
	a := article()
	a.Recorded.Attempted = began
	if o := c.publish(t, a); o.ErrorClass != v1alpha1.ErrorUnavailable || o.Final {
		t.Errorf("%+v", o)
	}
}
