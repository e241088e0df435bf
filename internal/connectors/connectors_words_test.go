package connectors_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/connectortest"
)

// bodies are the destinations of a post, with where its HTML is in the JSON of the one request that has it.
var bodies = map[v1alpha1.CMSType]struct {
	cms  v1alpha1.SiteCMS
	path []string
}{
	v1alpha1.CMSHeadless: {v1alpha1.SiteCMS{Headless: &v1alpha1.HeadlessConnection{
		URL: "https://www.acme.example/hook", PayloadFormat: v1alpha1.PayloadJSON, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "cms", Key: "secret"},
	}}, []string{"content_html"}},
	v1alpha1.CMSWordPress: {v1alpha1.SiteCMS{WordPress: &v1alpha1.WordPressConnection{
		URL: "https://www.acme.example", CredentialsSecretRef: v1alpha1.LocalReference{Name: "cms"},
	}}, []string{"content"}},
	v1alpha1.CMSWebflow: {v1alpha1.SiteCMS{Webflow: &v1alpha1.WebflowConnection{
		SiteID: "580e63e98c9a982ac9b8b741", CollectionID: "580e63fc8c9a982ac9b8b745",
		CredentialsSecretRef: v1alpha1.LocalReference{Name: "cms"}, Fields: v1alpha1.WebflowFields{Body: "post-body"},
	}}, []string{"fieldData", "post-body"}},
	v1alpha1.CMSShopify: {v1alpha1.SiteCMS{Shopify: &v1alpha1.ShopifyConnection{
		Shop: "acme.myshopify.com", BlogID: "1", AuthorName: "Mara", CredentialsSecretRef: v1alpha1.LocalReference{Name: "cms"},
	}}, []string{"variables", "article", "body"}},
}

// receiver is any CMS: it answers what all of them need up to the request that has the post, and keeps the HTML of that.
type receiver struct {
	path []string
	sent []string
}

// known is the answer to all requests before: a WordPress and a Webflow without posts, and a Shopify blog without articles.
const known = `{"namespaces": ["wp/v2"], "name": "Acme", "url": "https://www.acme.example", "home": "https://www.acme.example",
	"capabilities": {"edit_posts": true, "publish_posts": true, "edit_published_posts": true, "upload_files": true},
	"slug": "post", "shortName": "acme", "customDomains": [], "collections": [], "items": [], "pagination": {"total": 0},
	"fields": [{"slug": "post-body", "type": "RichText"}],
	"data": {"shop": {"primaryDomain": {"url": "https://www.acme.example"}}, "blog": {"handle": "news", "articles": {"nodes": []}},
		"articles": {"nodes": []}}}`

// RoundTrip implements http.RoundTripper.
func (r *receiver) RoundTrip(q *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	answer.Header().Set("Content-Type", "application/json")
	answer.Header().Set("Link", `<https://www.acme.example/wp-json/>; rel="https://api.w.org/"`)
	if q.Body != nil {
		defer q.Body.Close()
		text, err := io.ReadAll(q.Body)
		if err != nil {
			return nil, err
		}
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			return nil, err
		}
		for _, name := range r.path {
			members, _ := value.(map[string]any)
			value = members[name]
		}
		if body, ok := value.(string); ok {
			r.sent = append(r.sent, body)
			// The rest of the attempt does not matter.
			answer.WriteHeader(http.StatusBadRequest)
			return resultOf(answer, q), nil
		}
	}
	text := known
	if q.Method == http.MethodGet && strings.HasSuffix(q.URL.Path, "/posts") {
		text = "[]"
	}
	if _, err := answer.WriteString(text); err != nil {
		return nil, err
	}
	return resultOf(answer, q), nil
}

func resultOf(answer *httptest.ResponseRecorder, q *http.Request) *http.Response {
	response := answer.Result()
	response.Request = q
	return response
}

// sentTo returns the HTML that a CMS of a type gets of an article.
func sentTo(t *testing.T, kind v1alpha1.CMSType, a publish.Article) string {
	t.Helper()
	site := siteOf(bodies[kind].cms)
	site.Spec.CMS.Type, site.Spec.Domain, site.Spec.CMS.FAQ = kind, "www.acme.example", v1alpha1.FAQOmit
	to := &receiver{path: bodies[kind].path}
	secrets := publish.Secrets{}
	for _, key := range []string{"secret", "username", "password", "token"} {
		secrets[v1alpha1.SecretKeyReference{Name: "cms", Key: key}] = []byte(t.Name()) // a CMS counts requests by token
	}
	outcome := connectors.For(site).Publish(t.Context(), publish.Target{
		Site: site, Secrets: secrets, HTTP: connectortest.Client(to), Clock: testclock.NewFakeClock(time.Unix(1_800_000_000, 0)),
	}, a)
	if len(to.sent) == 0 {
		t.Fatalf("%s got no text: %+v", kind, outcome)
	}
	return to.sent[0]
}

// wordsOf returns what people read of a page that has an HTML within it, and after it a paragraph of the page's own.
func wordsOf(t *testing.T, fragment string) string {
	t.Helper()
	page, err := html.Parse(strings.NewReader("<!DOCTYPE html><body><article>" + fragment + "</article><footer>The end</footer></body>"))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for n := range page.Descendants() {
		if n.Type == html.TextNode {
			words = append(words, strings.Fields(n.Data)...)
		}
		for _, a := range n.Attr {
			if a.Key == "alt" || a.Key == "href" || a.Key == "src" {
				words = append(words, a.Key+"="+a.Val)
			}
		}
		if n.Type == html.ElementNode && n.Data == "footer" && n.Parent.Data != "body" {
			t.Errorf("the rest of the page is within <%s> of the text", n.Parent.Data)
		}
	}
	return strings.Join(words, " ")
}

// texts are ordinary and hostile ones, with words that must be read, in this order.
var texts = map[string]struct{ markdown, want string }{
	"paragraphs":               {"One.\n\nTwo\nthree.", "One. Two three."},
	"headings":                 {"## One\n\nText\n\n### Two {#x}\n\nMore", "One Text Two"},
	"nested lists":             {"1. one\n   - two\n     - three\n2. four", "one two three four"},
	"a task list":              {"- [ ] open\n- [x] done", "[ ] open [x] done"},
	"a table":                  {"| a | b |\n|---|--:|\n| 1 \\| 2 | `x` |", "a b 1 | 2 x"},
	"a table without an end":   {"<table><tr><td>cell\n\nafter", "cell after"},
	"an open <details>":        {"<details><summary>more\n\nafter", "more after"},
	"ends without a beginning": {"</div></article></section>after", "after"},
	"misnested markup":         {"<b>one <i>two</b> three</i>", "one two three"},
	"a script":                 {"one <script>alert(1)</script> two", "one two"},
	"a comment":                {"one <!-- not --> two\n\n<!-- wp:html -->\n\nthree", "one two three"},
	"a shortcode":              {"see [gallery ids=\"1\"] here", `see [gallery ids="1"] here`},
	"a shortcode in code":      {"`[gallery]` and\n\n```\n[audio src=x]\n```", "[gallery] and [audio src=x]"},
	"an escaped shortcode":     {"\\[[gallery]\\]", "[[gallery]]"},
	"an address alone":         {"before\n\nhttps://www.youtube.com/watch?v=1\n\nafter", "before href=https://www.youtube.com/watch?v=1 https://www.youtube.com/watch?v=1 after"},
	"one tilde":                {"10~20 minutes, or 30~40", "10~20 minutes, or 30~40"},
	"two tildes":               {"~~old~~ new", "old new"},
	"bold in Chinese":          {"这是**“重点”**内容", "这是 “重点” 内容"},
	"lines of Japanese":        {"東京\n大阪", "東京大阪"},
	"footnotes":                {"word[^1] more\n\n[^1]: The note.", "word"},
	"entities":                 {"&lt;b&gt; &amp;amp; &copy; &#91;x&#93; &nbsp;y", "<b> &amp; © [x] y"},
	"code with brackets":       {"```go\nx := a[0] // <b> & [[c]]\n```", "x := a[0] // <b> & [[c]]"},
	"a long link":              {"[words](https://www.acme.example/" + strings.Repeat("a", 1500) + "?b=1&c=[2])", "words"},
	"a link of references":     {"[words][r] and [no][s]\n\n[r]: https://www.acme.example/r \"Title\"", "words and [no][s]"},
	"a link of a script":       {"[words](javascript:alert(1))", "words"},
	"emoji":                    {"👩\u200D💻 and 🇨🇭 and ☕\uFE0F", "👩\u200D💻 and 🇨🇭 and ☕\uFE0F"},
	"Hebrew and Arabic":        {"שלום **עולם** (abc)\n\nمرحبا `x` می\u200Cخواهم", "שלום עולם (abc) مرحبا x می\u200Cخواهم"},
	"an image":                 {"![A [hut] & more](https://www.acme.example/hut.png)", "A [hut] & more"},
	"dollars and percents":     {"$1 {{ product.title }} {% raw %} %s ${x}", "$1 {{ product.title }} {% raw %} %s ${x}"},
	"a quotation":              {"> one\n> > two\n\nthree", "one two three"},
	"line breaks":              {"one  \ntwo\\\nthree", "one two three"},
	"a preformatted block":     {"<pre>one\n  [two]\n</pre>\n\nthree", "one [two] three"},
	"questions":                {"## FAQ\n\n### Why [so]?\n\nBecause.", "FAQ Why [so]? Because."},
}

// What the preview and content_html of the REST API show is content.HTML: the first that is compared.
func TestEveryDestinationShowsTheWordsThatWereApproved(t *testing.T) {
	for name, c := range texts {
		t.Run(name, func(t *testing.T) {
			doc, err := content.Normalize(content.Document{Title: "Trail shoes", Slug: "trail-shoes", Language: "en", Markdown: c.markdown})
			if err != nil {
				t.Fatal(err)
			}
			approved, err := content.HTML(doc.Markdown)
			if err != nil {
				t.Fatal(err)
			}
			want := wordsOf(t, approved)
			if !strings.Contains(want, c.want) || !strings.HasSuffix(want, "The end") {
				t.Errorf("a reviewer reads %q, want %q", want, c.want)
			}
			article := &v1alpha1.Article{}
			article.Status.Slug = doc.Slug
			a, err := publish.NewArticle(article, doc)
			if err != nil {
				t.Fatal(err)
			}
			for kind := range bodies {
				sent := sentTo(t, kind, a)
				if got := wordsOf(t, sent); got != want {
					t.Errorf("%s shows %q, and %q was approved", kind, got, want)
				}
				if kind == v1alpha1.CMSWordPress && strings.Contains(sent, "[") {
					t.Errorf("WordPress runs the shortcodes of %q", sent)
				}
			}
		})
	}
}
