//go:build e2e

package wordpress_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/wordpress"
	"github.com/pressroom-dev/pressroom/internal/content"
)

const body = "Grip is everything,\nand more.\n\n## Soles\n\nThey hold.\n\n```\nline 1\nline 2\n```\n"

func TestAnArticleBecomesAPageOnce(t *testing.T) {
	needWordPress(t)
	for name, login := range map[string]wordpress.Login{"author": server.Author, "editor": server.Editor} {
		a := article(t, "shoes-"+name, "Shoes <b> & more", body)
		first := accepted(t, publishTo(t, blog(login), a))
		if want := server.URL() + "/shoes-" + name + "/"; first.URL != want || first.Slug != "" || first.HTTPStatus != 201 {
			t.Errorf("%+v, want %s", first, want)
		}
		shows(t, first.URL, "Shoes &lt;b&gt; &amp; more</h1>", "<p>Grip is everything, and more.</p>", "line 1\nline 2", "<h2>Soles</h2>",
			"<h2>Frequently asked questions</h2>", "<h3>Which question is this?</h3>", "<p>The only one.</p>")

		again := article(t, a.Slug, "Better shoes", "Other text.")
		again.ExternalID = first.ID
		second := accepted(t, publishTo(t, blog(login), again))
		if second.ID != first.ID || second.URL != first.URL || second.HTTPStatus != 200 {
			t.Errorf("published again: %+v, want the post %s", second, first.ID)
		}
		shows(t, second.URL, "Better shoes</h1>", "<p>Other text.</p>", "<h2>Frequently asked questions</h2>")
	}
	all := posts(t)
	if len(all) != 2 || all[0].Excerpt != "About Better shoes." || all[0].Author == all[1].Author {
		t.Errorf("the posts are %+v", all)
	}
}

func TestPlainPermalinks(t *testing.T) {
	needWordPress(t)
	eval(t, `update_option('permalink_structure', ''); flush_rewrite_rules();`)
	if o := connectorTest(t, blog(server.Author)); o.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("the test: %+v", o)
	}
	o := accepted(t, publishTo(t, blog(server.Author), article(t, "shoes", "Shoes", body)))
	if !strings.Contains(o.URL, "/?p=") {
		t.Errorf("the URL is %s", o.URL)
	}
	shows(t, o.URL, "Shoes</h1>", "<h2>Soles</h2>", "<h2>Frequently asked questions</h2>")
	accepted(t, publishTo(t, blog(server.Author), article(t, "shoes", "Shoes", body)))
	onlyPost(t)
}

func TestWhatTheSiteNames(t *testing.T) {
	needWordPress(t)
	a := article(t, "shoes", "Shoes", body)
	to := blog(server.Editor, func(w *v1alpha1.WordPressConnection) {
		w.AuthorID, w.Categories, w.Tags = 2, []string{"news"}, []string{"trail"}
	})
	to.Site.Spec.CMS.FAQ = v1alpha1.FAQOmit
	accepted(t, publishTo(t, to, a))
	p := onlyPost(t)
	if p.Author != "author" || strings.Join(p.Terms, " ") != "news trail" || strings.Contains(p.Content, "Frequently") {
		t.Errorf("the post is %+v", p)
	}
	page := blog(server.Editor, func(w *v1alpha1.WordPressConnection) { w.PostType = "page" })
	o := accepted(t, publishTo(t, page, a))
	if got := eval(t, "echo get_post_type("+o.ID+");"); got != "page" || len(posts(t)) != 1 {
		t.Errorf("the post type is %s", got)
	}
}

func TestTheFieldsOfSEOPlugins(t *testing.T) {
	needWordPress(t)
	a := article(t, "shoes", "Shoes", body)
	accepted(t, publishTo(t, blog(server.Author), a))
	if p := onlyPost(t); len(p.Meta) > 0 {
		t.Errorf("without a plugin: %v", p.Meta)
	}
	breaks(t, "seo")
	accepted(t, publishTo(t, blog(server.Author), a))
	p := onlyPost(t)
	if len(p.Meta) != 3 || p.Meta["_yoast_wpseo_title"] != "SEO Shoes" || p.Meta["_yoast_wpseo_metadesc"] != "About Shoes." || p.Meta["rank_math_title"] != "SEO Shoes" {
		t.Errorf("with plugins: %v", p.Meta)
	}
}

func TestATakenSlug(t *testing.T) {
	needWordPress(t)
	a := article(t, "shoes", "Shoes", body)
	for _, status := range []string{"publish", "draft", "pending", "private", "future"} {
		theirs := eval(t, `wp_set_current_user(1); echo wp_insert_post(['post_name' => 'shoes', 'post_title' => 'Theirs', 'post_content' => 'Theirs.', 'post_status' => '`+status+`', 'post_author' => 1,
			'post_date' => '`+status+`' === 'future' ? '2037-01-01 00:00:00' : '']);`)
		o := accepted(t, publishTo(t, blog(server.Editor), a))
		if p := onlyPost(t); o.ID != theirs || o.Slug != "" || p.Slug != "shoes" || p.Status != "publish" || p.Title != "Shoes" {
			t.Errorf("a post that is %s: %+v, %+v", status, o, p)
		}
		eval(t, `wp_delete_post(`+theirs+`, true);`)
	}
}

func TestASlugThatAnInvisiblePostHas(t *testing.T) {
	needWordPress(t)
	eval(t, `wp_insert_post(['post_name' => 'shoes', 'post_title' => 'Theirs', 'post_status' => 'private', 'post_author' => 1]);`)
	a := article(t, "shoes", "Shoes", body)
	o := accepted(t, publishTo(t, blog(server.Author), a))
	if o.Slug != "shoes-2" || !strings.HasSuffix(o.URL, "/shoes-2/") {
		t.Errorf("%+v, want the slug shoes-2", o)
	}
	a.ExternalID = o.ID
	if again := accepted(t, publishTo(t, blog(server.Author), a)); again.ID != o.ID || again.Slug != "shoes-2" || len(posts(t)) != 2 {
		t.Errorf("again: %+v, %+v", again, posts(t))
	}
}

func TestATrashedPostIsRestored(t *testing.T) {
	needWordPress(t)
	a := article(t, "shoes", "Shoes", body)
	first := accepted(t, publishTo(t, blog(server.Author), a))
	for _, known := range []string{"", first.ID} {
		eval(t, `wp_trash_post(`+first.ID+`);`)
		a.ExternalID = known
		o := accepted(t, publishTo(t, blog(server.Author), a))
		if p := onlyPost(t); o.ID != first.ID || o.Slug != "" || p.Status != "publish" || p.Slug != "shoes" {
			t.Errorf("id %q known: %+v, %+v", known, o, p)
		}
		shows(t, o.URL, "Shoes</h1>")
	}
}

func TestALongBody(t *testing.T) {
	needWordPress(t)
	long := strings.Repeat("A short paragraph of many.\n\n", 250<<10/28) + "The very end."
	a := article(t, "long", "Long", long)
	if len(a.HTML) < 300<<10 {
		t.Fatalf("the body has %d bytes", len(a.HTML))
	}
	o := accepted(t, publishTo(t, blog(server.Author), a))
	shows(t, o.URL, "<p>The very end.</p>", "<h2>Frequently asked questions</h2>")
}

func TestEmojiAndCJK(t *testing.T) {
	needWordPress(t)
	for _, title := range []string{"越野跑鞋 👟 指南", "トレイルシューズ入門", "👟👟👟"} {
		slug := content.Slug(title, "zh")
		a := article(t, slug, title, "脚と 👟 の話。")
		a.Language, a.MetaDescription = "ja", "要約 👟"
		o := accepted(t, publishTo(t, blog(server.Author), a))
		if o.Slug != "" || !strings.HasSuffix(o.URL, "/"+slug+"/") {
			t.Errorf("%s: %+v, want the slug %s", title, o, slug)
		}
		shows(t, o.URL, title+"</h1>", "脚と 👟 の話。", "<h2>よくある質問</h2>")
		all := posts(t)
		if last := all[len(all)-1]; last.Title != title || last.Excerpt != "要約 👟" {
			t.Errorf("%+v", last)
		}
	}
}

// PHP dies after the post is in the database and before there is an answer.
func TestPHPIsKilledInTheMiddle(t *testing.T) {
	needWordPress(t)
	a := article(t, "shoes", "Shoes", body)
	breaks(t, "killed")
	o := publishTo(t, blog(server.Author), a)
	if o.Outcome != v1alpha1.AttemptConnectionFailed || o.Final {
		t.Fatalf("%+v", o)
	}
	server.Web().Wait()
	if p := onlyPost(t); p.Slug != "shoes" {
		t.Fatalf("%+v", p)
	}
	if o := publishTo(t, blog(server.Author), a); o.ErrorClass != v1alpha1.ErrorConnection || o.Final {
		t.Errorf("nobody there: %+v", o)
	}
	if err := server.StartWeb(t.Context()); err != nil {
		t.Fatal(err)
	}
	o = accepted(t, publishTo(t, blog(server.Author), a))
	if p := onlyPost(t); o.ID != id(p) || p.Slug != "shoes" {
		t.Errorf("%+v, %+v", o, p)
	}
}

func TestAScheduleOfWordPressDoesNotHoldAPostBack(t *testing.T) {
	needWordPress(t)
	a := article(t, "shoes", "Shoes", body)
	first := accepted(t, publishTo(t, blog(server.Editor), a))
	eval(t, `wp_update_post(['ID' => `+first.ID+`, 'post_status' => 'future', 'edit_date' => true, 'post_date' => '2037-01-01 00:00:00', 'post_date_gmt' => '2037-01-01 00:00:00']);`)
	accepted(t, publishTo(t, blog(server.Editor), a))
	if got := eval(t, "echo get_post("+first.ID+")->post_date_gmt;"); got > time.Now().UTC().Add(time.Hour).Format(time.DateTime) {
		t.Errorf("the post is of %s", got)
	}
}
