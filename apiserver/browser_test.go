package apiserver_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// withPages has a replica serve the pages. Replicas of one spec share the keys of their sessions.
func withPages() func(*apiserver.Options) {
	GinkgoHelper()
	file := facadetest.NewSessionKeys()
	return func(o *apiserver.Options) { o.Pages.SessionKeyFile = file }
}

// browser is a browser on a replica.
type browser struct{ *testkit.Browser }

func newBrowser(r *replica) *browser {
	GinkgoHelper()
	target, err := url.Parse(r.URL)
	Expect(err).NotTo(HaveOccurred())
	return &browser{testkit.NewBrowser(GinkgoTB(), &httputil.ReverseProxy{Rewrite: func(q *httputil.ProxyRequest) { q.SetURL(target) }})}
}

func (b *browser) get(path string) testkit.Answer {
	GinkgoHelper()
	return read(b.Get(path))
}

func (b *browser) submit(path string, form url.Values) testkit.Answer {
	GinkgoHelper()
	return read(b.Post(path, form))
}

func read(answer *httptest.ResponseRecorder) testkit.Answer {
	GinkgoHelper()
	got, err := testkit.Recorded(answer)
	Expect(err).NotTo(HaveOccurred())
	return got
}

// signIn signs in with a key on the page that asks for it.
func (b *browser) signIn(path, key string) {
	GinkgoHelper()
	got := b.submit("/oauth/sign-in", url.Values{"return": {b.Hidden(b.Get(path), "return")}, "key": {key}})
	Expect(got.Status).To(Equal(http.StatusSeeOther), got.Raw)
	Expect(got.Header.Get("Location")).To(Equal(path))
}

// approve lets an app in, with these ticks, and returns where the person is sent.
func (b *browser) approve(path string, ticks url.Values) *url.URL {
	GinkgoHelper()
	form := url.Values{"ticket": {b.Hidden(b.Get(path), "ticket")}, "decision": {"approve"}}
	maps.Copy(form, ticks)
	got := b.submit("/oauth/consent", form)
	Expect(got.Status).To(Equal(http.StatusSeeOther), got.Raw)
	to, err := url.Parse(got.Header.Get("Location"))
	Expect(err).NotTo(HaveOccurred())
	return to
}
