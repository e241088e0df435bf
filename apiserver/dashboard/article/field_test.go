package article_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func TestALinkCanLeadToWhatIsPublishedOnTheSite(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Published()
	links := pagetest.In("articles", "new", "links")
	for query, want := range map[string]string{
		"?site=" + operationtest.SiteUID + "&q=SHOE":             "Shoes & trails at https://blog.example.com/shoes",
		"?site=" + operationtest.SiteUID + "&q=":                 "Shoes & trails at https://blog.example.com/shoes",
		"?site=" + operationtest.SiteUID + "&q=hut":              "",
		"?site=0198f0a1-0000-7000-8000-00000000dead&q=shoe":      "",
		"?site=" + operationtest.SiteUID + "&q=shoes+trails":     "Shoes & trails at https://blog.example.com/shoes",
		"?q=%22%3Cscript%3E&site=" + operationtest.SiteUID + "x": "",
	} {
		page := p.Get(links + query)
		got := ""
		if item := page.Find("li"); item.Length() == 1 {
			got = item.Text() + " at " + item.AttrOr("data-url", "")
		}
		if got != want {
			t.Errorf("%s: %d, %q, want %q", query, page.Status, got, want)
		}
	}
	if refused := pagetest.SignIn(t, v1alpha1.ScopeWrite).Get(links); refused.Status != http.StatusForbidden {
		t.Errorf("who may not read gets %d", refused.Status)
	}
}

// The styles of CodeMirror have a nonce of their own in each answer, and only pages with an editor allow one.
func TestThePageOfAnEditorAllowsTheStylesOfItsField(t *testing.T) {
	p := pagetest.SignIn(t)
	a := checked(t, p, trailText)
	seen := map[string]bool{}
	for _, path := range []string{pagetest.In("articles", a.Name, "edit"), pagetest.In("articles", a.Name, "edit")} {
		page := p.Get(path)
		nonce := page.Find("#markdown").AttrOr("data-nonce", "")
		if policy := page.Header.Get("Content-Security-Policy"); len(nonce) < 20 || seen[nonce] || !strings.Contains(policy, "style-src 'self' 'nonce-"+nonce+"';") {
			t.Errorf("%s: %d, the nonce %q, the policy %s, %s", path, page.Status, nonce, policy, page.Text("main"))
		}
		seen[nonce] = true
	}
	if policy := p.Get(pagetest.In("articles")).Header.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'self';") {
		t.Errorf("the policy of the list is %s", policy)
	}
}
