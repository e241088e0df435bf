//go:build e2e

package wordpress_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/wordpress"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	connector "github.com/pressroom-dev/pressroom/internal/publish/wordpress"
)

// needWordPress skips a test on a machine without WordPress. The blog is empty afterwards, with pretty permalinks.
func needWordPress(t *testing.T) {
	t.Helper()
	if server == nil {
		t.Skip("no WordPress is installed")
	}
	t.Cleanup(func() {
		eval(t, `
			foreach (get_posts(['post_type' => ['post', 'page'], 'post_status' => ['any', 'trash', 'auto-draft'], 'numberposts' => -1]) as $p) { wp_delete_post($p->ID, true); }
			update_option('permalink_structure', '/%postname%/'); flush_rewrite_rules();`)
	})
}

func eval(t *testing.T, code string) string {
	t.Helper()
	output, err := server.Eval(context.Background(), code)
	if err != nil {
		t.Fatal(err)
	}
	return output
}

// breaks makes WordPress fail in one of the ways of php/breaking.php until the test is over.
func breaks(t *testing.T, how string) {
	t.Helper()
	file := filepath.Join(server.Folder, "breaking")
	if err := os.WriteFile(file, []byte(how), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(file) })
}

// blog is a Site whose credentials are of a user, and what an attempt is made with.
func blog(login wordpress.Login, changes ...func(*v1alpha1.WordPressConnection)) publish.Target {
	connection := &v1alpha1.WordPressConnection{URL: server.URL(), CredentialsSecretRef: v1alpha1.LocalReference{Name: "wordpress"}}
	for _, change := range changes {
		change(connection)
	}
	site := &v1alpha1.Site{}
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: connection}
	policy := egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	return publish.Target{
		Site: site, HTTP: egress.NewClient(policy, 0), PlainHTTP: true, Clock: clock.RealClock{},
		Secrets: publish.Secrets{
			{Name: "wordpress", Key: "username"}: []byte(login.Username), {Name: "wordpress", Key: "password"}: []byte(login.Password + "\n"),
		},
	}
}

// article is one with a body, questions and SEO texts.
func article(t *testing.T, slug, title, markdown string) publish.Article {
	t.Helper()
	html, err := content.HTML(markdown)
	if err != nil {
		t.Fatal(err)
	}
	return publish.Article{HTML: html, Document: content.Document{
		Title: title, Slug: slug, Markdown: markdown, MetaTitle: "SEO " + title, MetaDescription: "About " + title + ".", Language: "en",
		FAQ: []v1alpha1.FAQ{{Question: "Which question is this?", Answer: "The only one."}},
	}}
}

// recorded returns an article as status has it after an attempt.
func recorded(a publish.Article, o publish.Outcome) publish.Article {
	a.ExternalID, a.URL = o.ID, o.URL
	a.Recorded = publish.Recorded{Slug: o.Slug, Hash: o.Hash, Attempted: time.Now()}
	return a
}

// publishTo publishes an article. On a busy machine an attempt may take longer than its 30 seconds: then it is repeated, as the
// controller does.
func publishTo(t *testing.T, to publish.Target, a publish.Article) publish.Outcome {
	t.Helper()
	return publishBy(t, connector.New(), to, a)
}

// publishBy does the same with a connector that may know the WordPress.
func publishBy(t *testing.T, c connector.Connector, to publish.Target, a publish.Article) publish.Outcome {
	t.Helper()
	began := time.Now()
	for {
		o := c.Publish(t.Context(), to, a)
		if o.Outcome != v1alpha1.AttemptTimeout {
			return o
		}
		if a.Recorded.Attempted.IsZero() {
			a.Recorded.Attempted = began
		}
	}
}

func accepted(t *testing.T, o publish.Outcome) publish.Outcome {
	t.Helper()
	if o.Outcome != v1alpha1.AttemptAccepted || o.ID == "" || o.URL == "" {
		t.Fatalf("%s %s: %s; id %q, URL %q, answer %q", o.Outcome, o.ErrorClass, o.Message, o.ID, o.URL, o.Snippet)
	}
	return o
}

func refused(t *testing.T, o publish.Outcome, class v1alpha1.ErrorClass, sentence string) {
	t.Helper()
	if o.ErrorClass != class || !strings.Contains(o.Message, sentence) || len(o.Message) > v1alpha1.MaxAttemptMessageBytes {
		t.Errorf("%s %s: %q, want %s: %q; answer %q", o.Outcome, o.ErrorClass, o.Message, class, sentence, o.Snippet)
	}
}

// stored is a post in the database.
type stored struct {
	ID      int64             `json:"id"`
	Title   string            `json:"title"`
	Slug    string            `json:"slug"`
	Status  string            `json:"status"`
	Content string            `json:"content"`
	Excerpt string            `json:"excerpt"`
	Author  string            `json:"author"`
	Meta    map[string]string `json:"meta"`
	Terms   []string          `json:"terms"`
}

// posts returns all posts in all statuses.
func posts(t *testing.T) []stored {
	t.Helper()
	output := eval(t, `
		$all = [];
		foreach (get_posts(['post_status' => ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft'], 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC']) as $p) {
			$meta = new stdClass;
			foreach (['_yoast_wpseo_title', '_yoast_wpseo_metadesc', 'rank_math_title', 'rank_math_description'] as $key) {
				if (metadata_exists('post', $p->ID, $key)) { $meta->$key = get_post_meta($p->ID, $key, true); }
			}
			$all[] = ['id' => $p->ID, 'title' => $p->post_title, 'slug' => $p->post_name, 'status' => $p->post_status, 'content' => $p->post_content,
				'excerpt' => $p->post_excerpt, 'author' => get_userdata($p->post_author)->user_login, 'meta' => $meta,
				'terms' => wp_get_object_terms($p->ID, ['category', 'post_tag'], ['fields' => 'slugs', 'orderby' => 'slug'])];
		}
		echo json_encode($all);`)
	var all []stored
	if err := json.Unmarshal([]byte(output), &all); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return all
}

// onlyPost returns the one post that there is.
func onlyPost(t *testing.T) stored {
	t.Helper()
	all := posts(t)
	if len(all) != 1 {
		t.Fatalf("there are %d posts, want 1: %+v", len(all), all)
	}
	return all[0]
}

// page returns the page of a post as a reader gets it.
func page(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, response.Status, err)
	}
	return string(body)
}

// shows expects each text once in the page's part for the post.
func shows(t *testing.T, url string, texts ...string) {
	t.Helper()
	_, main, _ := strings.Cut(page(t, url), "<main")
	main, _, ok := strings.Cut(main, "</main>")
	if !ok {
		t.Fatalf("%s has no <main>", url)
	}
	for _, text := range texts {
		if n := strings.Count(main, text); n != 1 {
			t.Errorf("%s has %q %d times, want once:\n%.1500s", url, text, n, main)
		}
	}
}

func id(p stored) string { return strconv.FormatInt(p.ID, 10) }
