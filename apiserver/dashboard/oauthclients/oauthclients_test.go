package oauthclients_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

const appsPath = "/app/account/apps"

// What people give and end is proved in package apiserver/dashboard.
func TestAppsBelongToThoseWhoMayActForTheWholeAccount(t *testing.T) {
	limited := pagetest.SignIn(t, v1alpha1.ScopeRead, v1alpha1.ScopeWrite)
	limited.Workspaces = []string{"acme-blog"}
	limited.Want(limited.Get(appsPath), http.StatusForbidden, nil)
	limited.Want(limited.Get(appsPath+"/new"), http.StatusForbidden, nil)
	if got := limited.Get("/app/account/settings").Find("a[href='" + appsPath + "']").Length(); got != 0 {
		t.Errorf("%d links lead to the apps", got)
	}

	reader := pagetest.SignIn(t, v1alpha1.ScopeRead)
	page := reader.Get(appsPath)
	reader.Want(page, http.StatusOK, map[string]string{"main": "The account has registered none"})
	if got := page.Find("main a[href$='/new'], main form").Length(); got != 0 {
		t.Errorf("a reader is offered %d ways to change the apps", got)
	}
	reader.Want(reader.Get(appsPath+"/new"), http.StatusForbidden, nil)
}

func TestAnAppIsRegisteredOnAPageThatShowsItsSecretOnce(t *testing.T) {
	p := pagetest.SignIn(t)
	made := p.Submit(p.Get(appsPath+"/new"), "main form", url.Values{
		"name": {"Newsroom"}, "redirect_uris": {"https://app.example.com/callback\r\nhttp://127.0.0.1/cb"},
	})
	p.Want(made, http.StatusOK, map[string]string{"h1": "Registered", "main": "Newsroom"})
	secret := made.Value("#secret")
	if !strings.HasPrefix(secret, "pr_cs_") || made.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the page shows %q, with Cache-Control %q", secret, made.Header.Get("Cache-Control"))
	}
	app := p.Get(made.Links("main a.primary")[0])
	p.Want(app, http.StatusOK, map[string]string{"h1": "Newsroom", "main": "http://127.0.0.1/cb"})
	if strings.Contains(app.Text("html"), secret) {
		t.Error("the page of the app shows the secret")
	}
}

func TestThePageOfAPublicAppHasNoSecret(t *testing.T) {
	p := pagetest.SignIn(t)
	made := p.Submit(p.Get(appsPath+"/new"), "main form", url.Values{
		"name": {"Tool"}, "redirect_uris": {"http://127.0.0.1/cb"}, "client_type": {"public"}, "loopback_port": {"any"},
	})
	p.Want(made, http.StatusOK, map[string]string{"main": "A public app has no secret"})
	if made.Find("#secret").Length() != 0 {
		t.Error("the page has a secret")
	}
}
