package article_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func TestAPublishedTextThatStaysSaysWhyAndWhereThatIsChanged(t *testing.T) {
	settings := pagetest.In("sites", operationtest.SiteUID, "edit") + "#updates"
	for name, tt := range map[string]struct {
		scopes   []v1alpha1.Scope
		want     string
		wantLink bool
	}{
		"who may manage":    {nil, "articles that are published at this site stay as they are", true},
		"who may not":       {[]v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}, "Somebody who may manage sites can change that", false},
		"who may only read": {[]v1alpha1.Scope{v1alpha1.ScopeRead}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := pagetest.SignIn(t, tt.scopes...)
			page := p.Get(pagetest.In("articles", p.API.Published().Name))
			p.Want(page, http.StatusOK, nil)
			if got := page.Text("#fixed"); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("the page says %q, want %q", got, tt.want)
			}
			links := page.Links("#fixed a")
			if (len(links) == 1 && links[0] == settings) != tt.wantLink {
				t.Errorf("it links to %v", links)
			}
			if path, _, _ := strings.Cut(settings, "#"); tt.wantLink && p.Get(path).Find("#updates").Length() != 1 {
				t.Error("the setting is not there")
			}
		})
	}
}

func TestAPostThatNothingTakesBackSaysSo(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.SiteWith(func(s *v1alpha1.Site) {
		s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{URL: "https://hooks.example.com/a"}}
		s.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed
	})
	a := p.API.Published()
	a.Status.Run = &v1alpha1.GenerationRun{State: v1alpha1.RunSucceeded, RequestHash: lifecycle.RequestHash(a.Spec.Generate)}
	p.API.Indexed(a)
	page := p.Get(pagetest.In("articles", a.Name))
	p.Want(page, http.StatusOK, map[string]string{"#fixed": "To take the post down, remove it at the site"})
	if got := page.Text("#fixed"); strings.Contains(got, "does not change") {
		t.Errorf("a text that may be edited: %q", got)
	}
}

// Each asks before it does anything, and says what follows for the post.
func TestWhatTakesSomethingAwayAsksFirst(t *testing.T) {
	for name, tt := range map[string]struct {
		do      string
		removal v1alpha1.RemovalPolicy
		want    string
	}{
		"archive at a site that keeps posts":       {"archive", v1alpha1.RemovalKeep, "Its post stays on the site."},
		"archive at a site that unpublishes posts": {"archive", v1alpha1.RemovalUnpublish, "Its post is unpublished"},
		"discard": {"discard", v1alpha1.RemovalKeep, "The article gets the text of its site again."},
	} {
		t.Run(name, func(t *testing.T) {
			p := pagetest.SignIn(t)
			a := p.API.WithPost()
			p.API.SiteWith(func(s *v1alpha1.Site) {
				operationtest.WordPress(s)
				s.Spec.Publishing.Updates, s.Spec.Publishing.Removal = v1alpha1.UpdatesReviewed, tt.removal
			})
			page := p.Get(pagetest.In("articles", a.Name))
			links := page.Links("main a[href$='do=" + tt.do + "']")
			if len(links) != 1 || page.Find("main form[action$='/"+tt.do+"']").Length() != 0 {
				t.Fatalf("the menu has %v, and perhaps a form that acts at once", links)
			}
			ask := p.Get(links[0])
			p.Want(ask, http.StatusOK, map[string]string{"main": tt.want})
			if got := ask.Find("main form[action$='/" + tt.do + "'] button.danger").Length(); got != 1 {
				t.Errorf("%d buttons do it", got)
			}
		})
	}
}
