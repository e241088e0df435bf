package article_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func TestTheScoreSaysWhatTheSiteAsksFor(t *testing.T) {
	for _, tt := range []struct {
		policy v1alpha1.ReviewPolicy
		least  v1alpha1.Score
		want   string
	}{
		{v1alpha1.ReviewManual, 0, "That is good. The site asks for no score: a reviewer decides."},
		{v1alpha1.ReviewManual, 90, "That is good. The site asks for no score: a reviewer decides."},
		{v1alpha1.ReviewAutomatic, 80, "That is good. The site asks for 80: that is enough."},
		{v1alpha1.ReviewAutomatic, 81, "That is good. The site asks for 81: 1 point is missing."},
		{v1alpha1.ReviewAutomatic, 92, "That is good. The site asks for 92: 12 points are missing."},
	} {
		p := pagetest.SignIn(t)
		p.API.SiteWith(func(s *v1alpha1.Site) { s.Spec.Review = v1alpha1.SiteReview{Policy: tt.policy, MinimumScore: tt.least} })
		a := p.API.Published()
		p.Want(p.Get(pagetest.In("articles", a.Name)), http.StatusOK, map[string]string{"#checks": "SEO score: 80 of 100 · 1 check failed", "#asked": tt.want})
	}
}

// A few words are no good article, whatever their title is.
func TestAPreviewOfFewWordsSaysWhatIsMissing(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.SiteWith(func(s *v1alpha1.Site) {
		s.Spec.Review = v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic, MinimumScore: 60}
	})
	page := previewed(p, checked(t, p, trailText), url.Values{
		"markdown": {"Trail shoes hold. " + strings.Repeat("Grip ", 9)}, "title": {"Trail shoes"}, "keyword": {"trail shoes"},
	})
	p.Want(page, http.StatusOK, map[string]string{"#measure": "SEO score 12 of 100, low. The site asks for 60: 48 points are missing. 12 words"})
}

// previewed is the preview of an article with other fields.
func previewed(p *pagetest.Person, a *v1alpha1.Article, fields url.Values) *pagetest.Page {
	edit := p.Get(pagetest.In("articles", a.Name, "edit"))
	form := edit.Find("form.editor")
	form.SetAttr("action", form.AttrOr("data-preview", ""))
	return p.Submit(edit, "form.editor", fields)
}

// What a check is about is marked in the text, with and without scripts.
func TestACheckShowsItsPassagesInTheText(t *testing.T) {
	const text = "It rains. We walk. We *run*. We rest."
	p := pagetest.SignIn(t)
	a := checked(t, p, text)
	for _, rev := range p.API.Objects.Revisions {
		rev.Spec.Scores.Failed = []string{"Readability/sentence-beginnings 3/9: three in a row", "SEO/images 3/9: no images"}
	}
	page := previewed(p, a, url.Values{"markdown": {text}})
	link := page.Find(".score [data-finding=sentence-beginnings] a")
	target := strings.TrimPrefix(link.AttrOr("href", ""), "#")
	if link.Length() != 1 || page.Find("#"+target).Length() != 1 || page.Find("mark."+target).Text() != "We walk.We run.We rest." {
		t.Errorf("the preview marks %q by %q", page.Find("mark."+target).Text(), target)
	}
	if style := page.Find("style").Text(); !strings.Contains(style, ".score .f"+strings.TrimPrefix(target, "c")+":is(:hover,:focus-within)) mark."+target) {
		t.Errorf("nothing shows the marks: %s", style)
	}
	shown := p.Get(pagetest.In("articles", a.Name))
	links := shown.Links(".checks .failed a[target=text]")
	if len(links) != 1 || !strings.HasSuffix(links[0], "/preview?mark=sentence-beginnings#c0") || shown.Find("iframe[name=text]").Length() != 1 {
		t.Fatalf("the links are %q: %s", links, shown.Text(".checks"))
	}
	marked := p.Get(strings.TrimSuffix(links[0], "#c0"))
	if marked.Find("#c0").Length() != 1 || marked.Find("mark.c0").Text() != "We walk.We run.We rest." {
		t.Errorf("the text marks %q", marked.Find("mark").Text())
	}
	if other := p.Get(strings.Replace(links[0], "sentence-beginnings#c0", "images", 1)); other.Find("mark").Length() > 0 {
		t.Errorf("a check without passages marks %q", other.Find("mark").Text())
	}
	p.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead}
	if reader := p.Get(pagetest.In("articles", a.Name)).Links("a[target=text]"); len(reader) > 0 {
		t.Errorf("who may not write has %q", reader)
	}
}
