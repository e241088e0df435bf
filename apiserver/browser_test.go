package apiserver_test

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/apiserver/facadetest"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// withPages has a replica serve the pages. Replicas of one spec share the keys of their sessions.
func withPages() func(*apiserver.Options) {
	GinkgoHelper()
	file := facadetest.NewSessionKeys()
	return func(o *apiserver.Options) { o.Pages.SessionKeyFile = file }
}

// browser is what the pages need of a browser: it carries cookies and sends forms, and follows nothing by itself.
type browser struct {
	url     string
	cookies map[string]string
}

func newBrowser(r *replica) *browser { return &browser{url: r.URL, cookies: map[string]string{}} }

// unfollowed does not follow redirects: they lead to apps, which are not there.
var unfollowed = &http.Client{
	Timeout: httpClient.Timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (b *browser) get(path string) testkit.Answer {
	GinkgoHelper()
	return b.send(http.MethodGet, path, "")
}

func (b *browser) submit(path string, form url.Values) testkit.Answer {
	GinkgoHelper()
	return b.send(http.MethodPost, path, form.Encode())
}

func (b *browser) send(method, path, body string) testkit.Answer {
	GinkgoHelper()
	q, err := http.NewRequestWithContext(ctx, method, b.url+path, strings.NewReader(body))
	Expect(err).NotTo(HaveOccurred())
	if method == http.MethodPost {
		q.Header.Set("Content-Type", formType)
		q.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	for name, value := range b.cookies {
		q.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	got, err := testkit.TrySend(unfollowed, q)
	Expect(err).NotTo(HaveOccurred())
	for _, c := range (&http.Response{Header: got.Header}).Cookies() {
		b.cookies[c.Name] = c.Value
	}
	return got
}

// hidden is the value of a field that a page carries.
func hidden(a testkit.Answer, name string) string {
	GinkgoHelper()
	m := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(a.Raw)
	Expect(m).NotTo(BeNil(), "the page (%d) has no field %s: %s", a.Status, name, a.Raw)
	return html.UnescapeString(m[1])
}

// signIn signs in with a key on the page that asks for it.
func (b *browser) signIn(path, key string) {
	GinkgoHelper()
	got := b.submit("/oauth/sign-in", url.Values{"return": {hidden(b.get(path), "return")}, "key": {key}})
	Expect(got.Status).To(Equal(http.StatusSeeOther), got.Raw)
	Expect(got.Header.Get("Location")).To(Equal(path))
}

// approve lets an app in, with these ticks, and returns where the person is sent.
func (b *browser) approve(path string, ticks url.Values) *url.URL {
	GinkgoHelper()
	form := url.Values{"ticket": {hidden(b.get(path), "ticket")}, "decision": {"approve"}}
	maps.Copy(form, ticks)
	got := b.submit("/oauth/consent", form)
	Expect(got.Status).To(Equal(http.StatusSeeOther), got.Raw)
	to, err := url.Parse(got.Header.Get("Location"))
	Expect(err).NotTo(HaveOccurred())
	return to
}
