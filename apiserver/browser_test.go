package apiserver_test

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

// withPages has a replica serve the pages. Replicas of one spec share the keys of their sessions.
func withPages() func(*apiserver.Options) {
	GinkgoHelper()
	key, err := seal.NewKey()
	Expect(err).NotTo(HaveOccurred())
	file := filepath.Join(GinkgoT().TempDir(), "session-keys")
	Expect(os.WriteFile(file, []byte(key), 0o600)).To(Succeed())
	return func(o *apiserver.Options) { o.Pages.SessionKeyFile = file }
}

// browser is what the pages need of a browser: it carries cookies and sends forms, and follows nothing by itself.
type browser struct {
	url     string
	cookies map[string]string
}

func newBrowser(r *replica) *browser { return &browser{url: r.url, cookies: map[string]string{}} }

// unfollowed does not follow redirects: they lead to apps, which are not there.
var unfollowed = &http.Client{
	Timeout: httpClient.Timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (b *browser) get(path string) answer {
	GinkgoHelper()
	return b.send(http.MethodGet, path, "")
}

func (b *browser) submit(path string, form url.Values) answer {
	GinkgoHelper()
	return b.send(http.MethodPost, path, form.Encode())
}

func (b *browser) send(method, path, body string) answer {
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
	got, err := sendBy(unfollowed, q)
	Expect(err).NotTo(HaveOccurred())
	for _, c := range (&http.Response{Header: got.header}).Cookies() {
		b.cookies[c.Name] = c.Value
	}
	return got
}

// hidden is the value of a field that a page carries.
func (a answer) hidden(name string) string {
	GinkgoHelper()
	m := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(a.raw)
	Expect(m).NotTo(BeNil(), "the page (%d) has no field %s: %s", a.status, name, a.raw)
	return html.UnescapeString(m[1])
}

// signIn signs in with a key on the page that asks for it.
func (b *browser) signIn(path, key string) {
	GinkgoHelper()
	got := b.submit("/oauth/sign-in", url.Values{"return": {b.get(path).hidden("return")}, "key": {key}})
	Expect(got.status).To(Equal(http.StatusSeeOther), got.raw)
	Expect(got.header.Get("Location")).To(Equal(path))
}

// approve lets an app in, with these ticks, and returns where the person is sent.
func (b *browser) approve(path string, ticks url.Values) *url.URL {
	GinkgoHelper()
	form := url.Values{"ticket": {b.get(path).hidden("ticket")}, "decision": {"approve"}}
	maps.Copy(form, ticks)
	got := b.submit("/oauth/consent", form)
	Expect(got.status).To(Equal(http.StatusSeeOther), got.raw)
	to, err := url.Parse(got.header.Get("Location"))
	Expect(err).NotTo(HaveOccurred())
	return to
}
