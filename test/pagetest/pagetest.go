// Package pagetest has the dashboard over the REST API of operationtest, for tests of what a page shows and of what its forms send. It has
// no server and no kube-apiserver: what pages do on these is proved in package apiserver/dashboard.
package pagetest

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/gin-gonic/gin"
	"github.com/go-logr/logr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/test/htmlform"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// Person is somebody who has signed in, with the pages that they use. Fields may be changed between requests.
type Person struct {
	login.Person

	API *operationtest.API
	// Images fetches featured images; nil if no test has any.
	Images dashboard.Images
	t      *testing.T
}

// SignIn returns somebody of the account acme with these scopes; with all if none are given.
func SignIn(t *testing.T, scopes ...v1alpha1.Scope) *Person {
	t.Helper()
	if len(scopes) == 0 {
		scopes = auth.Scopes()
	}
	p := &Person{t: t, API: operationtest.New(t), Person: login.Person{
		ID: "mara@acme.example", By: "mara@acme.example", Account: "acme", AccountName: "Acme", Scopes: scopes, SessionID: "s",
	}}
	keys, err := seal.ParseKeys([]byte(testkit.SessionKey()))
	if err != nil {
		t.Fatal(err)
	}
	p.API.Deps.Local = &operation.Local{}
	frame := pages.New(pages.Options{Keys: keys, Clock: p.API.Clock, Log: logr.Discard()})
	frame.Whose = func(*http.Request) (middleware.Holder, bool) {
		return middleware.Holder{Account: p.Account, Person: p.ID}, true
	}
	board, err := dashboard.New(dashboard.Options{
		Frame: frame, Login: people{p}, API: p.API.Deps.Local, Watch: p.API.Index.Watch, Clock: p.API.Clock, Log: logr.Discard(),
		Images: images{p},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.API.Deps.Mounts = []func(gin.IRouter){board.Mount}
	return p
}

// images are those of a person.
type images struct{ of *Person }

func (i images) Read(ctx context.Context, image v1alpha1.RevisionImage) ([]byte, error) {
	return i.of.Images.Read(ctx, image)
}

// people is one person, who has signed in.
type people struct{ who *Person }

func (p people) Require(*gin.Context, string, login.Prompt) (login.Person, bool) {
	return p.who.now(), true
}

func (p people) Person(*gin.Context) (login.Person, error) { return p.who.now(), nil }

func (p people) Background(*gin.Context) (login.Person, error) { return p.who.now(), nil }

// now is the person with the workspaces that they may open now.
func (p *Person) now() login.Person {
	who := p.Person
	for _, w := range p.API.Index.Workspaces(who.Account) {
		if who.Principal().Opens(w.Name) {
			who.Opens = append(who.Opens, w.Name)
		}
	}
	return who
}

// In returns a path of the person's workspace.
func In(segments ...string) string {
	return "/app/w/" + operationtest.Workspace + "/" + strings.Join(segments, "/")
}

// Page is an answer to the person.
type Page struct {
	*goquery.Document

	Status int
	Header http.Header
	path   string
}

// Text is what a part of the page says, on one line.
func (p *Page) Text(selector string) string {
	return strings.Join(strings.Fields(p.Find(selector).Text()), " ")
}

// Value is what a field of the page holds.
func (p *Page) Value(selector string) string { return p.Find(selector).AttrOr("value", "") }

// Links are the addresses of the links that a selector finds.
func (p *Page) Links(selector string) []string {
	return p.Find(selector).Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") })
}

// Get asks for a page.
func (p *Person) Get(path string) *Page {
	p.t.Helper()
	return p.do(httptest.NewRequestWithContext(p.t.Context(), http.MethodGet, path, http.NoBody))
}

// Submit sends a form of a page with what its fields hold, but for those that are given.
func (p *Person) Submit(page *Page, selector string, fields url.Values) *Page {
	p.t.Helper()
	found := page.Find(selector)
	if found.Length() != 1 {
		p.t.Fatalf("%s has %d forms %s: %s", page.path, found.Length(), selector, page.Text("main"))
	}
	form := htmlform.Of(found)
	for name, values := range fields {
		if err := form.Set(name, values...); err != nil {
			p.t.Fatalf("%s: %v", page.path, err)
		}
	}
	return p.post(cmp.Or(form.Action, page.path), form.Values())
}

// Forge sends a form of a page as no browser does: with fields or values that the page does not offer.
func (p *Person) Forge(page *Page, selector string, fields url.Values) *Page {
	p.t.Helper()
	form := htmlform.Of(page.Find(selector))
	values := form.Values()
	maps.Copy(values, fields)
	return p.post(cmp.Or(form.Action, page.path), values)
}

func (p *Person) post(path string, values url.Values) *Page {
	p.t.Helper()
	q := httptest.NewRequestWithContext(p.t.Context(), http.MethodPost, path, strings.NewReader(values.Encode()))
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	q.Header.Set("Sec-Fetch-Site", "same-origin")
	return p.do(q)
}

func (p *Person) do(q *http.Request) *Page {
	p.t.Helper()
	recorder := httptest.NewRecorder()
	p.API.ServeHTTP(recorder, q)
	document, err := goquery.NewDocumentFromReader(recorder.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return &Page{Document: document, Status: recorder.Code, Header: recorder.Header(), path: q.URL.RequestURI()}
}

// Want checks the status of an answer, and what parts of it say.
func (p *Person) Want(got *Page, status int, texts map[string]string) {
	p.t.Helper()
	if got.Status != status {
		p.t.Fatalf("%s: got %d, want %d: %s", got.path, got.Status, status, got.Text("main"))
	}
	for _, selector := range slices.Sorted(maps.Keys(texts)) {
		if said := got.Text(selector); !strings.Contains(said, texts[selector]) {
			p.t.Errorf("%s: %s says %q, want %q", got.path, selector, said, texts[selector])
		}
	}
}
