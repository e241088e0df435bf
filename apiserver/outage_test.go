package apiserver_test

import (
	"io"
	"net"
	"net/url"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// wire is a proxy before kube-apiserver that can be cut: then nobody listens, as if kube-apiserver had stopped.
type wire struct {
	address, target string

	mu          sync.Mutex
	listener    net.Listener
	connections []net.Conn
}

func newWire() *wire {
	GinkgoHelper()
	u, err := url.Parse(cluster.Config.Host)
	Expect(err).NotTo(HaveOccurred())
	w := &wire{address: freeAddress(), target: u.Host}
	w.mend()
	DeferCleanup(w.cut)
	return w
}

func (w *wire) mend() {
	GinkgoHelper()
	l, err := net.Listen("tcp", w.address)
	Expect(err).NotTo(HaveOccurred())
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listener = l
	go w.accept(l)
}

func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listener.Close()
	for _, c := range w.connections {
		c.Close()
	}
	w.connections = nil
}

func (w *wire) accept(l net.Listener) {
	for {
		near, err := l.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", w.target)
		if err != nil {
			near.Close()
			continue
		}
		w.hold(near, far)
		go join(near, far)
		go join(far, near)
	}
}

func (w *wire) hold(connections ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.connections = append(w.connections, connections...)
}

func join(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	to.Close()
}

var _ = Describe("While kube-apiserver is unavailable", func() {
	It("answers 503 if it needs kube-apiserver, lists from the index, and goes on when kube-apiserver is back", func() {
		w := newWire()
		r := startForSpec(func(o *apiserver.Options) { o.Config.Host = "https://" + w.address })
		t := newTenant(r)
		uid := t.inReview(r)
		Eventually(func() testkit.Answer { return r.ask(t, "GET", "/v1/api/blogs/"+uid, nil) }).Should(havingStatus(200, "review"))
		unread := t.inReview(r)
		Eventually(func() string { return r.ask(t, "GET", "/v1/api/blogs?limit=1", nil).Raw }).
			Should(And(ContainSubstring(unread), ContainSubstring(`"review"`)))

		w.cut()
		By("serving what is in memory")
		Expect(r.ask(t, "GET", "/v1/api/sites", nil).Status).To(Equal(200))
		Expect(r.ask(t, "GET", "/v1/api/workspaces", nil).Status).To(Equal(200))
		list := r.ask(t, "GET", "/v1/api/blogs", nil)
		Expect(list.Status).To(Equal(200))
		Expect(list.Body["data"]).To(HaveLen(2))
		Expect(r.ask(t, "GET", "/v1/api/blogs/"+uid, nil)).To(havingStatus(200, "review"), "its text has been read before")

		By("saying 503 where the API server is needed")
		for _, q := range []struct {
			method, path string
			body         any
		}{
			{"GET", "/v1/api/blogs/" + unread, nil},
			{"GET", "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa", nil},
			{"POST", "/v1/api/generate", t.generate("shoes")},
			{"POST", "/v1/api/blogs", t.written("Shoes")},
			{"PATCH", "/v1/api/blogs/" + uid, `{"title":"T"}`},
			{"POST", "/v1/api/blogs/" + uid + "/approve", nil},
			{"POST", "/v1/api/blogs/" + uid + "/publish", nil},
			{"DELETE", "/v1/api/blogs/" + uid, nil},
		} {
			got := r.ask(t, q.method, q.path, q.body)
			Expect(got).To(failing(503, "UNAVAILABLE"), q.method+" "+q.path)
			Expect(got.Header.Get("Retry-After")).To(MatchRegexp(`^[1-9][0-9]*$`), q.method+" "+q.path)
		}
		By("still refusing what is wrong, and keys that are junk")
		Expect(r.ask(t, "POST", "/v1/api/generate", t.generate("x"))).To(failing(400, "VALIDATION_ERROR"))
		Expect(r.ask(t.with("junk"), "GET", "/v1/api/blogs", nil)).To(failing(401, "UNAUTHORIZED"))

		w.mend()
		By("going on")
		Eventually(func() int { return r.ask(t, "POST", "/v1/api/generate", t.generate("shoes")).Status }).Should(Equal(202))
		Eventually(func() testkit.Answer { return r.ask(t, "POST", "/v1/api/blogs/"+uid+"/approve", nil) }).Should(havingStatus(200, "approved"))
		// The longer it was away, the longer the index waits before it asks again.
		Eventually(func() string { return r.ask(t, "GET", "/v1/api/blogs?status=approved", nil).Raw }).WithTimeout(5 * time.Minute).
			Should(ContainSubstring(uid))
		Expect(t.usage().CreditsUsed).To(BeEquivalentTo(len(t.generated())))
	})
})

// generated are the tenant's articles that took a credit.
func (t *tenant) generated() []v1alpha1.Article {
	var out []v1alpha1.Article
	for _, a := range t.articles() {
		if a.Spec.Generate != nil {
			out = append(out, a)
		}
	}
	return out
}
