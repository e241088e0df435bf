package login_test

import (
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/gin-gonic/gin"
	"github.com/oauth2-proxy/mockoidc"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/test/logintest"
)

// hello is the address of a page that says who is signed in. mountHello is all that a package of pages takes.
const hello = "/hello?from=a&to=b+c"

var helloTemplates = fstest.MapFS{"templates/hello.html": {Data: []byte(`{{template "head" .}}{{template "person" .Body}}{{template "foot" .}}`)}}

func mountHello(s *logintest.Site) {
	s.T.Helper()
	views := s.Login.Views(helloTemplates)
	show := func(c *gin.Context) {
		person, ok := s.Login.Require(c, c.Request.URL.RequestURI(), login.Prompt{Text: "Sign in to be greeted."})
		if ok {
			views.Show(c, http.StatusOK, "hello.html", "Hello", person)
		}
	}
	g := s.Frame.Group(s.Router)
	g.GET("/hello", show)
	g.GET(logintest.Home, show)
}

func newSite(t *testing.T) *logintest.Site {
	t.Helper()
	s := logintest.New(t, logintest.Options{})
	mountHello(s)
	return s
}

func organisation(t *testing.T) (*logintest.Site, *mockoidc.MockOIDC) {
	t.Helper()
	s, issuer := logintest.NewOrganisation(t)
	mountHello(s)
	return s, issuer
}
