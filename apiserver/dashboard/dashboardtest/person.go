package dashboardtest

import (
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Person uses the pages without scripts, and without looking at them: with a client that keeps cookies and follows redirects.
type Person struct {
	// Base is the address of the replica.
	Base   string
	client *http.Client
}

// Page is a page that a Person has got.
type Page struct {
	*goquery.Document

	Status int
	Header http.Header
	// URL is where the page was found in the end.
	URL *url.URL
}

// Visitor is somebody who has not signed in.
func (f *Facades) Visitor() *Person {
	GinkgoHelper()
	return f.visitorOf(0)
}

func (f *Facades) visitorOf(replica int) *Person {
	GinkgoHelper()
	return f.VisitorAt(f.URLs[replica])
}

// VisitorAt is somebody who has not signed in, at a replica with this address.
func (f *Facades) VisitorAt(address string) *Person {
	GinkgoHelper()
	jar, err := cookiejar.New(nil)
	Expect(err).NotTo(HaveOccurred())
	return &Person{Base: address, client: &http.Client{Transport: f.http.Transport, Timeout: f.http.Timeout, Jar: jar}}
}

// SignIn signs in with the tenant's key.
func (t *Tenant) SignIn() *Person {
	GinkgoHelper()
	return t.SignInWith(t.Key)
}

// SignInWith signs in with an API key.
func (t *Tenant) SignInWith(key string) *Person {
	GinkgoHelper()
	return t.SignInAt(0, key)
}

// SignInAt signs in with an API key at a replica.
func (t *Tenant) SignInAt(replica int, key string) *Person {
	GinkgoHelper()
	p := t.Facades.visitorOf(replica)
	p.EnterKey(p.Get("/app/account/settings"), key)
	return p
}

// EnterKey signs in on the page that asks who somebody is.
func (p *Person) EnterKey(page *Page, key string) *Page {
	GinkgoHelper()
	return p.Submit(page, "form[action='/oauth/sign-in']", url.Values{"key": {key}})
}

// In returns a path of the tenant's workspace.
func (t *Tenant) In(segments ...string) string {
	return "/app/w/" + t.Workspace + "/" + strings.Join(segments, "/")
}

// Get asks for a page.
func (p *Person) Get(path string) *Page {
	GinkgoHelper()
	q, err := http.NewRequest(http.MethodGet, p.Base+path, nil)
	Expect(err).NotTo(HaveOccurred())
	return p.Do(q)
}

// Post sends a form as it is.
func (p *Person) Post(path string, form url.Values) *Page {
	GinkgoHelper()
	return p.Do(p.PostRequest(path, form))
}

// PostRequest is the request of a form, as a browser sends it from a page of the facade.
func (p *Person) PostRequest(path string, form url.Values) *http.Request {
	GinkgoHelper()
	q, err := http.NewRequest(http.MethodPost, p.Base+path, strings.NewReader(form.Encode()))
	Expect(err).NotTo(HaveOccurred())
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	q.Header.Set("Sec-Fetch-Site", "same-origin")
	return q
}

// Submit sends a form of a page with what its fields hold, but for those that are given.
func (p *Person) Submit(page *Page, selector string, fields url.Values) *Page {
	GinkgoHelper()
	return p.Do(p.PostRequest(p.Fill(page, selector, fields)))
}

// Fill returns the path of a form of a page, and what its fields hold, but for those that are given.
func (p *Person) Fill(page *Page, selector string, fields url.Values) (path string, form url.Values) {
	GinkgoHelper()
	found := page.Find(selector)
	Expect(found.Length()).To(Equal(1), "%s at %s: %s", selector, page.URL, page.Find("main").Text())
	form = fieldsOf(found)
	maps.Copy(form, fields)
	path, ok := found.Attr("action")
	if !ok {
		path = page.URL.RequestURI()
	}
	return path, form
}

// fieldsOf returns what the fields of a form hold, as a browser would send them; buttons are left out.
func fieldsOf(form *goquery.Selection) url.Values {
	out := url.Values{}
	form.Find("input[name], textarea[name], select[name]").Each(func(_ int, field *goquery.Selection) {
		name := field.AttrOr("name", "")
		_, checked := field.Attr("checked")
		switch kind := field.AttrOr("type", "text"); {
		case field.Is("select"):
			chosen := field.Find("option[selected]")
			if chosen.Length() == 0 {
				chosen = field.Find("option").First()
			}
			out.Add(name, chosen.AttrOr("value", chosen.Text()))
		case field.Is("textarea"):
			out.Add(name, field.Text())
		case kind == "checkbox" || kind == "radio":
			if checked {
				out.Add(name, field.AttrOr("value", "on"))
			}
		default:
			out.Add(name, field.AttrOr("value", ""))
		}
	})
	return out
}

// Do sends a request, and reads the page that it leads to.
func (p *Person) Do(q *http.Request) *Page {
	GinkgoHelper()
	return read(p.client.Do(q))
}

// DoOnce is Do for an answer that may be a redirect, which is not followed.
func (p *Person) DoOnce(q *http.Request) *Page {
	GinkgoHelper()
	stays := *p.client
	stays.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return read(stays.Do(q))
}

func read(answer *http.Response, err error) *Page {
	GinkgoHelper()
	Expect(err).NotTo(HaveOccurred())
	defer answer.Body.Close()
	document, err := goquery.NewDocumentFromReader(answer.Body)
	Expect(err).NotTo(HaveOccurred())
	return &Page{Document: document, Status: answer.StatusCode, Header: answer.Header, URL: answer.Request.URL}
}

// Text is what a part of the page says, on one line.
func (p *Page) Text(selector string) string {
	return strings.Join(strings.Fields(p.Find(selector).Text()), " ")
}
