package wordpress_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/wordpress"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

func idOf(p fakewordpress.Post) string { return strconv.FormatInt(p.ID, 10) }

func TestAnArticleBecomesAPost(t *testing.T) {
	for _, plain := range []bool{false, true} {
		b := newBlog(t)
		b.Change(func() { b.Plain = plain })
		o := send(t, siteOf(b), article())
		expectOnePost(t, b, o)
		expectOnePost(t, b, send(t, siteOf(b), recorded(article(), o)))
	}
}

// The id in status may be of another blog, which the Site had before.
func TestAnIDOfAnotherBlogNamesNoPost(t *testing.T) {
	b := newBlog(t)
	theirs := b.Add(fakewordpress.Post{Slug: "about-us", Title: "About us", Status: "publish"})
	a := article()
	a.ExternalID, a.URL = strconv.FormatInt(theirs, 10), "https://other.example/shoes/"
	o := send(t, siteOf(b), a)
	posts := b.Posts()
	if len(posts) != 2 || posts[0].Title != "About us" || o.ID != idOf(posts[1]) {
		t.Errorf("%+v: %+v", o, posts)
	}
}

func TestASlugThatWordPressChangesIsReported(t *testing.T) {
	b := newBlog(t)
	b.Change(func() { b.Hidden = []string{"shoes"} })
	a := article()
	for range 2 {
		o := send(t, siteOf(b), a)
		if posts := b.Posts(); len(posts) != 1 || o.Slug != "shoes-2" || o.URL != b.URL+"/shoes-2/" || o.ID != idOf(posts[0]) {
			t.Errorf("%+v: %+v", o, posts)
		}
		a = recorded(a, o)
	}
}

func TestMetaKeysAreSentWhereTheyAreRegistered(t *testing.T) {
	b := newBlog(t)
	for _, keys := range [][]string{nil, {"_yoast_wpseo_title"}, {"rank_math_title", "rank_math_description", "other"}} {
		b.Change(func() { b.MetaKeys = keys })
		a := article()
		a.ExternalID, a.Recorded.Overwrite = "1", true
		send(t, siteOf(b), a)
		want := map[string]string{}
		for key, value := range map[string]string{"_yoast_wpseo_title": "All shoes", "rank_math_title": "All shoes", "rank_math_description": "About shoes."} {
			for _, registered := range keys {
				if key == registered {
					want[key] = value
				}
			}
		}
		if diff := cmp.Diff(want, b.Posts()[0].Meta); diff != "" {
			t.Errorf("registered are %v (-want +got):\n%s", keys, diff)
		}
	}
}

func TestCategoriesOfTheSite(t *testing.T) {
	b := newBlog(t)
	to := siteOf(b)
	to.Site.Spec.CMS.WordPress.Categories = []string{"news"}
	expectOnePost(t, b, send(t, to, article()))
	if got := b.Posts()[0].Categories; !cmp.Equal(got, []int64{7}) {
		t.Errorf("categories %v", got)
	}
}

func TestATestLeavesNothingBehind(t *testing.T) {
	b := newBlog(t)
	o := wordpress.New().Test(t.Context(), siteOf(b), "n")
	if o.Outcome != v1alpha1.AttemptAccepted || o.Message != "WordPress accepts the credentials, and the user may publish" || len(b.Posts()) > 0 {
		t.Errorf("%+v: %+v", o, b.Posts())
	}
}

func TestBlankCredentialsAreNotSent(t *testing.T) {
	b := newBlog(t)
	b.Change(func() { b.Password = " " })
	for _, o := range []v1alpha1.AttemptOutcome{send(t, siteOf(b), article()).Outcome, wordpress.New().Test(t.Context(), siteOf(b), "n").Outcome} {
		if o != v1alpha1.AttemptNotSent {
			t.Errorf("the outcome is %s", o)
		}
	}
}

func TestAReaderSeesTheTextOfAShortcode(t *testing.T) {
	for setting, want := range map[v1alpha1.WordPressShortcodes]string{
		"":                        `<p><code>&#91;gallery]</code> <img src="/a.png" alt="&#91;b]"></p><p>https&#58;//video.example</p>`,
		v1alpha1.ShortcodesEscape: `<p><code>&#91;gallery]</code> <img src="/a.png" alt="&#91;b]"></p><p>https&#58;//video.example</p>`,
		v1alpha1.ShortcodesRun:    `<p><code>[gallery]</code> <img src="/a.png" alt="[b]"></p><p>https://video.example</p>`,
	} {
		b := newBlog(t)
		to, a := siteOf(b), article()
		to.Site.Spec.CMS.FAQ, to.Site.Spec.CMS.WordPress.Shortcodes = v1alpha1.FAQOmit, setting
		a.HTML = `<p><code>[gallery]</code> <img src="/a.png" alt="[b]"></p><p>https://video.example</p>`
		send(t, to, a)
		if got := b.Posts()[0].Content; got != want {
			t.Errorf("%q: %s\nwant %s", setting, got, want)
		}
	}
}
