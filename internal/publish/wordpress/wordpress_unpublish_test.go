package wordpress_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/wordpress"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

func unpublish(t *testing.T, to publish.Target, a publish.Article) publish.Outcome {
	t.Helper()
	// The text is not needed.
	a.HTML, a.Title, a.Markdown = "", "", ""
	return wordpress.New().Unpublish(t.Context(), to, a)
}

func TestAPostThatIsUnpublishedIsADraftAndComesBack(t *testing.T) {
	b := newBlog(t)
	to := siteOf(b)
	a := recorded(article(), send(t, to, article()))
	public := b.Posts()[0]
	o := unpublish(t, to, a)
	want := public
	want.Status = "draft"
	if got := b.Posts(); o.Outcome != v1alpha1.AttemptAccepted || len(got) != 1 || !cmp.Equal(got[0], want, ignoreModified) {
		t.Fatalf("%+v: %+v", o, got)
	}
	// An answer that is lost leads to another attempt, which finds nothing to do.
	if again := unpublish(t, to, a); again.Outcome != v1alpha1.AttemptAccepted || again.Hash != o.Hash || !cmp.Equal(b.Posts()[0], want, ignoreModified) {
		t.Errorf("%+v: %+v", again, b.Posts())
	}
	a.Recorded.Hash = o.Hash
	expectOnePost(t, b, send(t, to, a))
}

// The fields that not every attempt writes are no edits of other people when the post comes back.
func TestAPostWithTagsAndAnAuthorComesBack(t *testing.T) {
	b := newBlog(t)
	to := newsroom(b)
	a := recorded(described(), send(t, to, described()))
	o := unpublish(t, to, a)
	if o.Outcome != v1alpha1.AttemptAccepted || b.Posts()[0].Status != "draft" {
		t.Fatalf("%+v: %+v", o, b.Posts())
	}
	a.Recorded.Hash = o.Hash
	expectOnePost(t, b, send(t, to, a))
}

// ignoreModified compares what people see of posts.
var ignoreModified = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Modified" }, cmp.Ignore())

func TestAPostThatSomebodyHasChangedIsNotUnpublished(t *testing.T) {
	b := newBlog(t)
	to := siteOf(b)
	a := recorded(article(), send(t, to, article()))
	b.Edit(b.Posts()[0].ID, func(p *fakewordpress.Post) { p.Title = "Better shoes" })
	edited := b.Posts()
	if o := unpublish(t, to, a); o.ErrorClass != v1alpha1.ErrorChangedAtSite || !o.Final || !cmp.Equal(b.Posts(), edited) {
		t.Fatalf("%+v: %+v", o, b.Posts())
	}
	a.Recorded.Overwrite = true
	if o := unpublish(t, to, a); o.Outcome != v1alpha1.AttemptAccepted || b.Posts()[0].Status != "draft" || b.Posts()[0].Title != "Better shoes" {
		t.Errorf("%+v: %+v", o, b.Posts())
	}
}

// A post that has the recorded id and looks like another one may be the article's, or that of a WordPress that was set up again. It is not
// said to be taken back while people see it, and a person decides.
func TestAPostThatSomebodyHasRenamedIsNotSaidToBeUnpublished(t *testing.T) {
	b := newBlog(t)
	to := siteOf(b)
	a := recorded(article(), send(t, to, article()))
	b.Edit(b.Posts()[0].ID, func(p *fakewordpress.Post) {
		p.Title, p.Slug, p.Link = "Better shoes", "better-shoes", b.URL+"/better-shoes/"
	})
	renamed := b.Posts()
	o := unpublish(t, to, a)
	if o.ErrorClass != v1alpha1.ErrorChangedAtSite || !o.Final || o.Conflict != renamed[0].Link || !cmp.Equal(b.Posts(), renamed) {
		t.Fatalf("%+v: %+v", o, b.Posts())
	}
	a.Recorded.Overwrite = true
	if o := unpublish(t, to, a); o.Outcome != v1alpha1.AttemptAccepted || b.Posts()[0].Status != "draft" || b.Posts()[0].Slug != "better-shoes" {
		t.Errorf("%+v: %+v", o, b.Posts())
	}
}

// What is not public already is left as it is, and what somebody has changed of it is not taken for Pressroom's.
func TestThereIsNothingToUnpublish(t *testing.T) {
	for name, change := range map[string]func(*fakewordpress.Blog){
		"deleted": func(b *fakewordpress.Blog) {
			id := b.Posts()[0].ID
			b.Trash(id)
		},
		"private": func(b *fakewordpress.Blog) {
			b.Edit(b.Posts()[0].ID, func(p *fakewordpress.Post) { p.Status = "private" })
		},
		"a draft, and other": func(b *fakewordpress.Blog) {
			b.Edit(b.Posts()[0].ID, func(p *fakewordpress.Post) { p.Status, p.Title = "draft", "Ours" })
		},
	} {
		b := newBlog(t)
		to := siteOf(b)
		a := recorded(article(), send(t, to, article()))
		change(b)
		before := b.Posts()
		b.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodGet && r.Method != http.MethodOptions {
				t.Errorf("%s: %s %s", name, r.Method, r.URL)
			}
			return false
		})
		o := unpublish(t, to, a)
		if o.Outcome != v1alpha1.AttemptAccepted || !cmp.Equal(b.Posts(), before) {
			t.Errorf("%s: %+v: %+v", name, o, b.Posts())
		}
		if name == "a draft, and other" && o.Hash != "" {
			t.Errorf("what somebody has made of the post is taken for Pressroom's: %+v", o)
		}
	}
}

// A post of somebody else with the slug is not the article's, not even one without a title that is newer than the attempt.
func TestPostsOfPeopleAreNotUnpublished(t *testing.T) {
	for _, title := range []string{"Ours", ""} {
		b := newBlog(t)
		to := siteOf(b)
		a := recorded(article(), send(t, to, article()))
		a.Recorded.Attempted = time.Now().Add(-time.Hour)
		id := b.Posts()[0].ID
		b.Edit(id, func(p *fakewordpress.Post) { p.ID = 4711 })
		b.Edit(4711, func(p *fakewordpress.Post) { p.Title = title })
		before := b.Posts()
		if o := unpublish(t, to, a); o.Outcome != v1alpha1.AttemptAccepted || !cmp.Equal(b.Posts(), before) {
			t.Errorf("title %q: %+v: %+v", title, o, b.Posts())
		}
	}
}
