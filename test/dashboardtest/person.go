package dashboardtest

import (
	"cmp"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/htmlform"
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

// Visitor returns a visitor who has not signed in.
func (f *Facades) Visitor() *Person {
	GinkgoHelper()
	return f.visitorOf(0)
}

func (f *Facades) visitorOf(replica int) *Person {
	GinkgoHelper()
	return f.VisitorAt(f.URLs[replica])
}

// VisitorAt returns a visitor who has not signed in, at a replica with this address.
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

// Fill returns the path of a form of a page, and what it sends once the given fields are filled in, as htmlform.Form.Set does.
func (p *Person) Fill(page *Page, selector string, fields url.Values) (path string, form url.Values) {
	GinkgoHelper()
	found := page.Find(selector)
	Expect(found.Length()).To(Equal(1), "%s at %s: %s", selector, page.URL, page.Find("main").Text())
	filled := htmlform.Of(found)
	for name, values := range fields {
		Expect(filled.Set(name, values...)).To(Succeed(), "%s at %s", selector, page.URL)
	}
	return cmp.Or(filled.Action, page.URL.RequestURI()), filled.Values()
}

// Forge sends a form of a page as no browser does: with fields or values that the page does not offer.
func (p *Person) Forge(page *Page, selector string, fields url.Values) *Page {
	GinkgoHelper()
	path, form := p.Fill(page, selector, nil)
	maps.Copy(form, fields)
	return p.Post(path, form)
}

// File is what is at an address that is no page.
type File struct {
	Status int
	Header http.Header
	Body   []byte
}

// GetFile asks for what is no page.
func (p *Person) GetFile(path string) File {
	GinkgoHelper()
	answer, err := p.client.Get(p.Base + path)
	Expect(err).NotTo(HaveOccurred())
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	Expect(err).NotTo(HaveOccurred())
	return File{answer.StatusCode, answer.Header, body}
}

// Copy returns somebody who has a copy of the person's cookies as they are now, at a replica with this address.
func (p *Person) Copy(address string) *Person {
	GinkgoHelper()
	copied, err := cookiejar.New(nil)
	Expect(err).NotTo(HaveOccurred())
	from, err := url.Parse(p.Base)
	Expect(err).NotTo(HaveOccurred())
	to, err := url.Parse(address)
	Expect(err).NotTo(HaveOccurred())
	cookies := p.client.Jar.Cookies(from)
	for _, c := range cookies {
		c.Path, c.Secure = "/", true
	}
	copied.SetCookies(to, cookies)
	return &Person{Base: address, client: &http.Client{Transport: p.client.Transport, Timeout: p.client.Timeout, Jar: copied}}
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

// read reads a page. Every form of every page is checked: no two fields have one name.
func read(answer *http.Response, err error) *Page {
	GinkgoHelper()
	Expect(err).NotTo(HaveOccurred())
	defer answer.Body.Close()
	document, err := goquery.NewDocumentFromReader(answer.Body)
	Expect(err).NotTo(HaveOccurred())
	document.Find("form").Each(func(_ int, form *goquery.Selection) {
		Expect(htmlform.Of(form).Repeated()).To(BeEmpty(), "names of several fields of the form %q at %s",
			form.AttrOr("action", ""), answer.Request.URL)
	})
	return &Page{Document: document, Status: answer.StatusCode, Header: answer.Header, URL: answer.Request.URL}
}

// Text is what a part of the page says, on one line.
func (p *Page) Text(selector string) string {
	return strings.Join(strings.Fields(p.Find(selector).Text()), " ")
}
