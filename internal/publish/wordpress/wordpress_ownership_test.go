package wordpress_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// A blog has posts of people in every status, with the slugs of 200 articles. All stay as they are, byte for byte.
func TestPostsOfPeopleStayAsTheyAre(t *testing.T) {
	b := newBlog(t)
	statuses := []string{"publish", "draft", "private", "pending", "future"}
	for n := range 200 {
		b.Add(fakewordpress.Post{Slug: "shoes-of-" + strconv.Itoa(n), Status: statuses[n%len(statuses)], Title: "Ours", Content: fmt.Sprintf("Text %d.", n)})
	}
	before := b.Posts()
	for n, theirs := range before {
		a := article()
		a.Slug = theirs.Slug
		if n%2 == 1 { // An attempt whose answer was lost changes nothing about it.
			a.Recorded.Attempted = began
		}
		o := send(t, siteOf(b), a)
		if o.ErrorClass != v1alpha1.ErrorSlugTaken || !o.Final || o.Conflict != theirs.Link || o.ID != "" {
			t.Fatalf("%s: %+v", theirs.Slug, o)
		}
	}
	if diff := cmp.Diff(before, b.Posts()); diff != "" {
		t.Errorf("posts of people have changed (-before +after):\n%s", diff)
	}
}

func TestASiteMayAdoptPostsOfPeople(t *testing.T) {
	b := newBlog(t)
	b.Add(fakewordpress.Post{Slug: "shoes", Status: "draft", Title: "Ours"})
	to := siteOf(b)
	to.Site.Spec.Publishing.ExistingPosts = v1alpha1.ExistingPostsAdopt
	expectOnePost(t, b, send(t, to, article()))
}

func TestAPostInTheTrashHoldsNoSlug(t *testing.T) {
	b := newBlog(t)
	b.Trash(b.Add(fakewordpress.Post{Slug: "shoes", Status: "publish", Title: "Ours"}))
	before := b.Posts()[0]
	o := send(t, siteOf(b), article())
	if posts := b.Posts(); len(posts) != 2 || !cmp.Equal(posts[0], before) || o.ID != idOf(posts[1]) || posts[1].Slug != "shoes" {
		t.Errorf("%+v: %+v", o, posts)
	}
}

// What an editor does with an article's post in wp-admin stays until somebody says overwrite.
func TestEditsInWPAdminSurvive(t *testing.T) {
	for name, edit := range map[string]func(*fakewordpress.Post){
		"a title":     func(p *fakewordpress.Post) { p.Title = "Better shoes" },
		"a text":      func(p *fakewordpress.Post) { p.Content += "<p>And socks.</p>" },
		"an excerpt":  func(p *fakewordpress.Post) { p.Excerpt = "On shoes." },
		"a slug":      func(p *fakewordpress.Post) { p.Slug = "best-shoes" },
		"a draft":     func(p *fakewordpress.Post) { p.Status = "draft" },
		"the trash":   func(p *fakewordpress.Post) { p.Status, p.Slug = "trash", p.Slug+"__trashed" },
		"an SEO text": func(p *fakewordpress.Post) { p.Meta["_yoast_wpseo_title"] = "Buy shoes" },
		"a category":  func(p *fakewordpress.Post) { p.Categories = []int64{7, 9} },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBlog(t)
			b.Change(func() { b.MetaKeys = []string{"_yoast_wpseo_title"} })
			to := siteOf(b)
			to.Site.Spec.CMS.WordPress.Categories = []string{"news"}
			a := recorded(article(), send(t, to, article()))
			b.Edit(1, edit)
			before := b.Posts()
			if o := send(t, to, a); o.ErrorClass != v1alpha1.ErrorChangedAtSite || !o.Final || o.Conflict != before[0].Link {
				t.Errorf("%+v", o)
			}
			if diff := cmp.Diff(before, b.Posts()); diff != "" {
				t.Errorf("the edit is lost (-before +after):\n%s", diff)
			}
			a.Recorded.Overwrite = true
			o := send(t, to, a)
			expectOnePost(t, b, o)
			expectOnePost(t, b, send(t, to, recorded(a, o)))
		})
	}
}

// What is not written may be changed.
func TestWhatPressroomDoesNotWriteMayBeChanged(t *testing.T) {
	b := newBlog(t)
	a := recorded(article(), send(t, siteOf(b), article()))
	b.Edit(1, func(p *fakewordpress.Post) { p.Categories = []int64{9} })
	expectOnePost(t, b, send(t, siteOf(b), a))
}

// A WordPress that was set up again gives the ids of before to other posts.
func TestAnIDFromBeforeNamesNoOtherPost(t *testing.T) {
	old := newBlog(t)
	a := recorded(article(), send(t, siteOf(old), article()))
	b := newBlog(t)
	a.URL = b.URL + "/shoes/"
	b.Add(fakewordpress.Post{Slug: "hats", Status: "publish", Title: "Hats"})
	before := b.Posts()[0]
	o := send(t, siteOf(b), a)
	if posts := b.Posts(); len(posts) != 2 || !cmp.Equal(posts[0], before) || o.ID != idOf(posts[1]) {
		t.Errorf("%+v: %+v", o, posts)
	}
}

// Posts that were imported have other ids. The one with the slug is the article's if it is what was written.
func TestAnImportedPostIsKnownByWhatItIs(t *testing.T) {
	b := newBlog(t)
	a := recorded(article(), send(t, siteOf(b), article()))
	imported := b.Posts()[0]
	b.Add(fakewordpress.Post{Slug: "hats", Status: "publish", Title: "Hats"})
	a.ExternalID = "2"
	o := send(t, siteOf(b), a)
	if posts := b.Posts(); len(posts) != 2 || posts[1].Title != "Hats" || o.ID != idOf(imported) {
		t.Errorf("%+v: %+v", o, posts)
	}
}

// WordPress adds a number to a slug that a post has which this user cannot see. If that answer is lost, the next attempt finds the post.
func TestALostAnswerAboutANumberedSlugMakesNoSecondPost(t *testing.T) {
	b := newBlog(t)
	b.Change(func() { b.Hidden = []string{"shoes"} })
	b.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost {
			return false
		}
		b.Serve(nowhere{http.Header{}}, r)
		w.WriteHeader(http.StatusBadGateway)
		return true
	})
	send(t, siteOf(b), article())
	b.Intercept(nil)
	a := article()
	a.Recorded = publish.Recorded{Attempted: began}
	if o := send(t, siteOf(b), a); len(b.Posts()) != 1 || o.Slug != "shoes-2" {
		t.Errorf("%+v: %+v", o, b.Posts())
	}
}

// nowhere takes an answer that nobody gets.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header          { return n.header }
func (nowhere) Write(body []byte) (int, error) { return len(body), nil }
func (nowhere) WriteHeader(int)                {}
