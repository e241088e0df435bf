package wordpress_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// described is an article with tags, a category and an author.
func described() publish.Article {
	a := article()
	a.Tags, a.Category, a.Author = []string{"Trail", "Wet Rock"}, "Shoes", "Mara"
	return a
}

// newsroom is a Site whose articles may name Mara, the user 5.
func newsroom(b *fakewordpress.Blog) publish.Target {
	b.Change(func() { b.Capabilities["edit_others_posts"] = true })
	to := siteOf(b)
	to.Site.Spec.Publishing.Authors = []v1alpha1.SiteAuthor{{Name: "Mara", ExternalID: "5"}, {Name: "Ben"}}
	to.Site.Spec.CMS.WordPress.CreateTags = v1alpha1.CreateTagsMissing
	return to
}

func TestAPostHasTheTagsCategoryAndAuthorOfItsArticle(t *testing.T) {
	b := newBlog(t)
	to := newsroom(b)
	to.Site.Spec.CMS.WordPress.Categories = []string{"news"}
	a := described()
	for range 2 {
		o := send(t, to, a)
		expectOnePost(t, b, o)
		p := b.Posts()[0]
		if !cmp.Equal(p.Tags, []int64{b.Tags["wet-rock"], 21}) || !cmp.Equal(p.Categories, []int64{8}) || p.Author != 5 {
			t.Errorf("%+v", p)
		}
		a = recorded(a, o)
	}
	if !cmp.Equal(b.TagNames, []string{"Wet Rock"}) {
		t.Errorf("created tags: %q", b.TagNames)
	}
	update := article()
	update.ExternalID, update.URL, update.Recorded = a.ExternalID, a.URL, a.Recorded
	expectOnePost(t, b, send(t, to, update))
	if p := b.Posts()[0]; len(p.Tags) != 2 || p.Author != 5 || !cmp.Equal(p.Categories, []int64{7}) {
		t.Errorf("what the article does not say any more is %+v", p)
	}
}

func TestAnAuthorWithoutAnExternalIDIsThatOfTheConnection(t *testing.T) {
	b := newBlog(t)
	to := newsroom(b)
	to.Site.Spec.CMS.WordPress.AuthorID = 4
	a := article()
	a.Author = "Ben"
	a = recorded(a, send(t, to, a))
	b.Edit(1, func(p *fakewordpress.Post) { p.Author = 9 })
	expectOnePost(t, b, send(t, to, a))
	if p := b.Posts()[0]; p.Author != 9 {
		t.Errorf("the author that somebody has chosen for the post is now %d", p.Author)
	}
}

func TestWhatWordPressLacksForAPostIsSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*publish.Target, *publish.Article)
		want   v1alpha1.ErrorClass
	}{
		"a tag":              {func(to *publish.Target, _ *publish.Article) { to.Site.Spec.CMS.WordPress.CreateTags = "" }, v1alpha1.ErrorNotFound},
		"a category":         {func(_ *publish.Target, a *publish.Article) { a.Category = "Hats" }, v1alpha1.ErrorNotFound},
		"a number of a user": {func(to *publish.Target, _ *publish.Article) { to.Site.Spec.Publishing.Authors[0].ExternalID = "mara" }, v1alpha1.ErrorNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBlog(t)
			to, a := newsroom(b), described()
			tt.change(&to, &a)
			if o := send(t, to, a); o.ErrorClass != tt.want || !o.Final || o.Message == "" || len(b.Posts()) > 0 {
				t.Errorf("%+v: %+v", o, b.Posts())
			}
		})
	}
	b := newBlog(t)
	to := newsroom(b)
	b.Change(func() { b.Capabilities["edit_others_posts"] = false })
	if o := send(t, to, described()); o.ErrorClass != v1alpha1.ErrorMissingPermission || len(b.Posts()) > 1 {
		t.Errorf("%+v", o)
	}
}

// An update may write more or less of a post than the last one did. What somebody has chosen in wp-admin stays anyway.
func TestAnUpdateWithOtherFieldsKeepsEditsInWPAdmin(t *testing.T) {
	for name, tt := range map[string]struct {
		before, now publish.Article
		edit        func(*fakewordpress.Post)
		want        v1alpha1.ErrorClass
	}{
		"more, and no edit":                      {article(), described(), nil, ""},
		"less, and no edit":                      {described(), article(), nil, ""},
		"tags, which somebody has chosen":        {article(), described(), func(p *fakewordpress.Post) { p.Tags = []int64{40} }, v1alpha1.ErrorChangedAtSite},
		"other tags than it had":                 {described(), described(), func(p *fakewordpress.Post) { p.Tags = []int64{40} }, v1alpha1.ErrorChangedAtSite},
		"no tags, and somebody has chosen some":  {article(), article(), func(p *fakewordpress.Post) { p.Tags = []int64{40} }, ""},
		"another author than it had":             {described(), described(), func(p *fakewordpress.Post) { p.Author = 9 }, v1alpha1.ErrorChangedAtSite},
		"less, and a title that was edited":      {described(), article(), func(p *fakewordpress.Post) { p.Title = "X" }, v1alpha1.ErrorChangedAtSite},
		"less, and tags that somebody has added": {described(), article(), func(p *fakewordpress.Post) { p.Tags = append(p.Tags, 40) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBlog(t)
			to := newsroom(b)
			first := recorded(tt.before, send(t, to, tt.before))
			if tt.edit != nil {
				b.Edit(b.Posts()[0].ID, tt.edit)
			}
			now := tt.now
			now.ExternalID, now.URL, now.Recorded = first.ExternalID, first.URL, first.Recorded
			if o := send(t, to, now); o.ErrorClass != tt.want {
				t.Errorf("%+v, want %q", o, tt.want)
			}
		})
	}
}
