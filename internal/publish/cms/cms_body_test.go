package cms_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/cms"
)

func TestTheFAQFollowsTheBodyUnlessTheSiteOmitsIt(t *testing.T) {
	article := publish.Article{HTML: "<p>Body.</p>", Document: content.Document{Language: "en"}}
	withFAQ := article
	withFAQ.FAQ = []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}}
	const section = "<p>Body.</p>\n<h2>Frequently asked questions</h2>\n<h3>Why?</h3>\n<p>Because.</p>\n"
	for name, tt := range map[string]struct {
		placement v1alpha1.FAQPlacement
		article   publish.Article
		want      string
	}{
		"by default":   {"", withFAQ, section},
		"asked for":    {v1alpha1.FAQAppend, withFAQ, section},
		"omitted":      {v1alpha1.FAQOmit, withFAQ, "<p>Body.</p>"},
		"no questions": {v1alpha1.FAQAppend, article, "<p>Body.</p>"},
	} {
		site := &v1alpha1.Site{}
		site.Spec.CMS.FAQ = tt.placement
		if got, err := cms.Body(site, tt.article); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tt.want)
		}
	}
}

func TestOnlyPlainNamesOfACMSAreShown(t *testing.T) {
	for text, want := range map[string]string{
		"rest_cannot_create": "rest_cannot_create", "seo-title": "seo-title", "": "", "a b": "", "<b>": "", "é": "", "\x1b[0m": "",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": "",
	} {
		if got := cms.Name(text); got != want {
			t.Errorf("Name(%q) = %q, want %q", text, got, want)
		}
	}
}
