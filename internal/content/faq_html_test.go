package content_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestTheFAQIsASectionOfPlainHTML(t *testing.T) {
	faq := []v1alpha1.FAQ{
		{Question: "Is <b>grip</b> & weight all?", Answer: "No.\n\nSee [the table](https://acme.example/t)."},
		{Question: "Why?", Answer: "<script>alert(1)</script>Because."},
	}
	got, err := content.FAQSection(faq, "de-CH")
	if err != nil {
		t.Fatal(err)
	}
	want := "<h2>Häufige Fragen</h2>\n<h3>Is &lt;b&gt;grip&lt;/b&gt; &amp; weight all?</h3>\n<p>No.</p>\n" +
		"<p>See <a href=\"https://acme.example/t\">the table</a>.</p>\n<h3>Why?</h3>\n"
	if !strings.HasPrefix(got, want) || strings.Contains(got, "<script") || !strings.Contains(got, "Because.") {
		t.Errorf("got\n%s\nwant the beginning\n%s", got, want)
	}
}

func TestTheFAQHasAHeadingInTheLanguageOfTheArticle(t *testing.T) {
	for lang, want := range map[string]string{
		"": "Frequently asked questions", "en-GB": "Frequently asked questions", "fr": "Foire aux questions", "ja-JP": "よくある質問",
		"no": "Ofte stilte spørsmål", "zh-CN": "常见问题", "zh-TW": "常見問題", "zh-Hant-HK": "常見問題", "eo": "Frequently asked questions",
		"not a tag": "Frequently asked questions",
	} {
		got, err := content.FAQSection([]v1alpha1.FAQ{{Question: "Q?", Answer: "A."}}, lang)
		if err != nil || !strings.HasPrefix(got, "<h2>"+want+"</h2>\n") {
			t.Errorf("%q: %q, %v, want the heading %q", lang, got, err, want)
		}
	}
	if got, err := content.FAQSection(nil, "en"); got != "" || err != nil {
		t.Errorf("no questions: %q, %v", got, err)
	}
}
