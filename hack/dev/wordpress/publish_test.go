//go:build e2e

package wordpress_test

import (
	"html"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/wordpress"
	"github.com/pressroom-dev/pressroom/internal/content"
	connector "github.com/pressroom-dev/pressroom/internal/publish/wordpress"
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

		again := recorded(article(t, a.Slug, "Better shoes", "Other text."), first)
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
	accepted(t, publishTo(t, blog(server.Author), recorded(article(t, "shoes", "Shoes", body), o)))
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
	o := accepted(t, publishTo(t, blog(server.Author), a))
	if p := onlyPost(t); len(p.Meta) > 0 {
		t.Errorf("without a plugin: %v", p.Meta)
	}
	breaks(t, "seo")
	accepted(t, publishTo(t, blog(server.Author), recorded(a, o)))
	p := onlyPost(t)
	if len(p.Meta) != 3 || p.Meta["_yoast_wpseo_title"] != "SEO Shoes" || p.Meta["_yoast_wpseo_metadesc"] != "About Shoes." || p.Meta["rank_math_title"] != "SEO Shoes" {
		t.Errorf("with plugins: %v", p.Meta)
	}
}

// 200 posts of people have the slugs of articles, in every status. They stay as they are, byte for byte, unless the Site adopts them.
func TestPostsOfPeople(t *testing.T) {
	needWordPress(t)
	eval(t, `wp_set_current_user(1); foreach (['publish', 'draft', 'pending', 'private', 'future'] as $status) { foreach (range(1, 40) as $n) {
		wp_insert_post(['post_name' => "$status-$n", 'post_title' => "Theirs $n", 'post_content' => "Theirs\n\n<b>$status</b>.", 'post_status' => $status, 'post_author' => 1,
			'post_date' => $status === 'future' ? '2037-01-01 00:00:00' : '']); } }`)
	rows := func() string {
		return eval(t, `global $wpdb; echo json_encode([$wpdb->get_results("SELECT * FROM $wpdb->posts ORDER BY ID"), $wpdb->get_results("SELECT * FROM $wpdb->postmeta ORDER BY meta_id"),
			$wpdb->get_results("SELECT * FROM $wpdb->term_relationships ORDER BY object_id, term_taxonomy_id")]);`)
	}
	before, theirs, known := rows(), posts(t), connector.New()
	if len(theirs) != 200 {
		t.Fatalf("there are %d posts", len(theirs))
	}
	for _, p := range theirs {
		a := article(t, p.Slug, "Shoes", body)
		if p.ID%2 == 1 { // An attempt whose answer was lost changes nothing about it.
			a.Recorded.Attempted = time.Now()
		}
		if o := publishBy(t, known, blog(server.Editor), a); o.ErrorClass != v1alpha1.ErrorSlugTaken || o.Conflict == "" {
			t.Errorf("%s: %+v", p.Slug, o)
		}
	}
	if rows() != before {
		t.Errorf("posts of people have changed: %+v", posts(t))
	}
	to := blog(server.Editor)
	to.Site.Spec.Publishing.ExistingPosts = v1alpha1.ExistingPostsAdopt
	for n := 0; n < len(theirs); n += 20 {
		p := theirs[n]
		if o := accepted(t, publishBy(t, known, to, article(t, p.Slug, "Shoes", body))); o.ID != id(p) || o.Slug != "" {
			t.Errorf("%s: %+v", p.Slug, o)
		}
	}
}

// What an editor does in wp-admin stays until somebody says overwrite. What WordPress itself does is no edit.
func TestEditsInWPAdmin(t *testing.T) {
	needWordPress(t)
	for name, edit := range map[string]string{
		"title": `'post_title' => 'Better shoes'`, "text": `'post_content' => '<p>Better.</p>'`, "excerpt": `'post_excerpt' => 'Better.'`,
		"slug": `'post_name' => 'best-shoes'`, "status": `'post_status' => 'private'`, "schedule": `'post_status' => 'future', 'edit_date' => true, 'post_date' => '2037-01-01 00:00:00', 'post_date_gmt' => '2037-01-01 00:00:00'`,
	} {
		a := article(t, "shoes-"+name, "Shoes", body)
		a = recorded(a, accepted(t, publishTo(t, blog(server.Editor), a)))
		a = recorded(a, accepted(t, publishTo(t, blog(server.Editor), a)))
		eval(t, `wp_update_post(['ID' => `+a.ExternalID+`, `+edit+`]);`)
		before := posts(t)
		if o := publishTo(t, blog(server.Editor), a); o.ErrorClass != v1alpha1.ErrorChangedAtSite {
			t.Errorf("%s: %+v", name, o)
		}
		if after := posts(t); !reflect.DeepEqual(after, before) {
			t.Errorf("%s: the edit is lost: %+v, want %+v", name, after, before)
		}
		a.Recorded.Overwrite = true
		o := accepted(t, publishTo(t, blog(server.Editor), a))
		accepted(t, publishTo(t, blog(server.Editor), recorded(a, o)))
		if got := eval(t, "$p = get_post("+o.ID+"); echo $p->post_title, ' ', $p->post_name, ' ', $p->post_status, ' ', $p->post_date_gmt < '2037';"); got != "Shoes shoes-"+name+" publish 1" {
			t.Errorf("%s: the post is %s", name, got)
		}
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
	a = recorded(a, o)
	if again := accepted(t, publishTo(t, blog(server.Author), a)); again.ID != o.ID || again.Slug != "shoes-2" || len(posts(t)) != 2 {
		t.Errorf("again: %+v, %+v", again, posts(t))
	}
}

func TestAPostInTheTrash(t *testing.T) {
	needWordPress(t)
	a := article(t, "shoes", "Shoes", body)
	first := accepted(t, publishTo(t, blog(server.Author), a))
	eval(t, `wp_trash_post(`+first.ID+`);`)
	if o := publishTo(t, blog(server.Author), recorded(a, first)); o.ErrorClass != v1alpha1.ErrorChangedAtSite || onlyPost(t).Status != "trash" {
		t.Errorf("%+v", o)
	}
	again := recorded(a, first)
	again.Recorded.Overwrite = true
	o := accepted(t, publishTo(t, blog(server.Author), again))
	if p := onlyPost(t); o.ID != first.ID || o.Slug != "" || p.Status != "publish" || p.Slug != "shoes" {
		t.Errorf("%+v, %+v", o, p)
	}
	shows(t, o.URL, "Shoes</h1>")
	eval(t, `wp_trash_post(`+first.ID+`);`)
	if o := accepted(t, publishTo(t, blog(server.Author), a)); o.ID == first.ID || o.Slug != "" || len(posts(t)) != 2 {
		t.Errorf("a post in the trash holds the slug: %+v", o)
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
	began := time.Now()
	o := publishTo(t, blog(server.Author), a)
	if o.Outcome != v1alpha1.AttemptConnectionFailed || o.Final {
		t.Fatalf("%+v", o)
	}
	server.Web().Wait()
	if p := onlyPost(t); p.Slug != "shoes" {
		t.Fatalf("%+v", p)
	}
	a.Recorded.Attempted = began
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

// A reviewer has seen a text, and not what WordPress makes of it. Of an Author, WordPress filters the HTML.
func TestShortcodesAndEmbedsAreText(t *testing.T) {
	needWordPress(t)
	const text = "Use `[caption width=\"1\"]x[/caption]` or [caption width=\"1\"]y[/caption].\n\n```\nhttps://www.youtube.com/watch?v=1\n[gallery]\n```\n\n![[gallery]](/a.png)"
	for name, login := range map[string]wordpress.Login{"author": server.Author, "editor": server.Editor} {
		o := accepted(t, publishTo(t, blog(login), article(t, "codes-"+name, "Codes", text)))
		if got := html.UnescapeString(page(t, o.URL)); !strings.Contains(got, "[caption width=") || !strings.Contains(got, "[gallery]\n</code>") ||
			!strings.Contains(got, `alt="[gallery]"`) || strings.Contains(got, "wp-caption-text") {
			t.Errorf("%s: the page is %s", name, got)
		}
		accepted(t, publishTo(t, blog(login), recorded(article(t, "codes-"+name, "Codes", text), o)))
	}
	run := blog(server.Editor, func(w *v1alpha1.WordPressConnection) { w.Shortcodes = v1alpha1.ShortcodesRun })
	o := accepted(t, publishTo(t, run, article(t, "codes-run", "Codes", text)))
	if got := page(t, o.URL); strings.Contains(got, "[/caption]") {
		t.Errorf("with Run the page is %s", got)
	}
}
