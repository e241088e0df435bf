package webhook_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
)

// The golden files were not made by this package: the payloads are testdata/make.py's, the signatures openssl's.

var full = publish.Article{
	Document: content.Document{
		Title:           `Trail shoes & "grip": Größe 42 👟`,
		Slug:            "trail-shoes",
		MetaTitle:       "Trail shoes | Acme",
		MetaDescription: "How to choose <trail> shoes & keep your grip.",
		Markdown:        "## Grip\n\nLugs of *4 mm* or more.\n\n```html\n<b>a & b</b>\n```\n\tEnd \\ 終わり\n",
		FAQ: []v1alpha1.FAQ{
			{Question: "How often to replace them?", Answer: "After 600-800 km."},
			{Question: "Wash them?", Answer: `By hand; "never" in a machine.`},
		},
	},
	HTML: "<h2>Grip</h2>\n<p>Lugs of <em>4 mm</em> or more.</p>\n<pre><code>&lt;b&gt;a &amp; b&lt;/b&gt;</code></pre>\n<p>End \\ 終わり</p>\n",
}

var bare = publish.Article{
	Document: content.Document{Title: "Bare", Slug: "bare", Markdown: "Text.\n"}, HTML: "<p>Text.</p>\n",
}

var tagged = publish.Article{
	Document: content.Document{
		Title: "Bare", Slug: "bare", Markdown: "Text.\n", Tags: []string{"Trail & rock", "Größe 42"}, Category: "Not sent", Author: "Not sent",
	}, HTML: "<p>Text.</p>\n",
}

var illustrated = publish.Article{
	Document: content.Document{
		Title: "Bare", Slug: "bare", Markdown: "Text.\n", Tags: []string{"Trail"},
		Image: &v1alpha1.RevisionImage{
			ArticleImage: v1alpha1.ArticleImage{URL: "https://media.acme.example/a.jpg?w=1&h=2", Alt: "Größe \"42\"", Credit: "Not sent"},
			ImageFile:    v1alpha1.ImageFile{SHA256: "not sent", Type: "image/jpeg", Width: 3, Height: 2, Bytes: 1},
		},
	}, HTML: "<p>Text.</p>\n",
}

var vectors = map[string]struct {
	format  v1alpha1.PayloadFormat
	article publish.Article
}{
	"full.json":            {v1alpha1.PayloadJSON, full},
	"full.markdown":        {v1alpha1.PayloadMarkdown, full},
	"full.html":            {v1alpha1.PayloadHTML, full},
	"bare.json":            {v1alpha1.PayloadJSON, bare},
	"bare.markdown":        {v1alpha1.PayloadMarkdown, bare},
	"bare.html":            {v1alpha1.PayloadHTML, bare},
	"tagged.json":          {v1alpha1.PayloadJSON, tagged},
	"tagged.markdown":      {v1alpha1.PayloadMarkdown, tagged},
	"tagged.html":          {v1alpha1.PayloadHTML, tagged},
	"illustrated.json":     {v1alpha1.PayloadJSON, illustrated},
	"illustrated.markdown": {v1alpha1.PayloadMarkdown, illustrated},
	"illustrated.html":     {v1alpha1.PayloadHTML, illustrated},
	"nothing.json":         {v1alpha1.PayloadJSON, publish.Article{}},
	"nothing.markdown":     {v1alpha1.PayloadMarkdown, publish.Article{}},
	"nothing.html":         {v1alpha1.PayloadHTML, publish.Article{}},
}

func golden(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestPayloadAndSignatureAreThoseOfTheGoldenFiles(t *testing.T) {
	secret := golden(t, "secret")
	for name, v := range vectors {
		want := golden(t, name+".payload")
		got, err := webhook.Payload(v.format, v.article)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: payload is\n%s, %v, want\n%s", name, got, err, want)
		}
		wantSignature := strings.TrimSpace(string(golden(t, name+".signature")))
		if got := webhook.Sign(secret, want); got != wantSignature {
			t.Errorf("%s: signature is %s, want %s", name, got, wantSignature)
		}
	}
}

func TestThePayloadIsTheSameAtEveryRetry(t *testing.T) {
	for name, v := range vectors {
		first, _ := webhook.Payload(v.format, v.article)
		for range 20 {
			if again, err := webhook.Payload(v.format, v.article); err != nil || !bytes.Equal(first, again) {
				t.Fatalf("%s: another payload for the same article: %s, %v", name, again, err)
			}
		}
	}
}

// Receivers get the bytes of the golden files until their site asks for more.
func TestTheDisclosureIsSentWhereTheSiteAsksForIt(t *testing.T) {
	for _, row := range []struct {
		setting    v1alpha1.HeadlessDisclosure
		disclosure string
		wantMember string
	}{
		{"", "ai_assisted", ""},
		{v1alpha1.HeadlessDisclosureOmit, "ai_assisted", ""},
		{v1alpha1.HeadlessDisclosureSend, "ai_assisted", `,"disclosure":"ai_assisted"`},
		{v1alpha1.HeadlessDisclosureSend, "", ""},
	} {
		site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{CMS: v1alpha1.SiteCMS{Headless: &v1alpha1.HeadlessConnection{
			PayloadFormat: v1alpha1.PayloadJSON, Disclosure: row.setting,
		}}}}
		sent := full
		sent.Disclosure = row.disclosure
		r, err := webhook.Unsigned(site, sent)
		want := strings.TrimSuffix(string(golden(t, "full.json.payload")), "}") + row.wantMember + "}"
		if err != nil || string(r.Body) != want {
			t.Errorf("disclosure %q, %q: the payload is\n%s, %v, want\n%s", row.setting, row.disclosure, r.Body, err, want)
		}
	}
}

func TestAnUnknownFormatHasNoPayload(t *testing.T) {
	for _, f := range []v1alpha1.PayloadFormat{"", "json", "XML"} {
		if got, err := webhook.Payload(f, bare); err == nil {
			t.Errorf("Payload(%q) = %s, want an error", f, got)
		}
	}
}

func TestTextThatIsNotUTF8StillMakesValidJSON(t *testing.T) {
	got, err := webhook.Payload(v1alpha1.PayloadMarkdown, publish.Article{
		Document: content.Document{Title: "a\xff", Slug: "a", Markdown: "line\u2028\x00"},
	})
	want := `{"title":"a\ufffd","slug":"a","status":"publish","content_format":"markdown","content":"line\u2028\u0000"}`
	if err != nil || string(got) != want {
		t.Errorf("Payload = %s, %v, want %s", got, err, want)
	}
}
