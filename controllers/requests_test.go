package controllers_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// requests observes the requests of a manager to kube-apiserver, and can stall watches.
type requests struct {
	mu     sync.Mutex
	counts map[string]int
	kinds  map[string]bool
	// shown is what watches have shown of each resource.
	shown map[string][]byte
	// stalled is a resource whose watches show nothing until resumed is closed.
	stalled string
	resumed chan struct{}
	// hung has the paths whose requests wait, and how many came.
	hung map[string]*hung
}

// hung are requests that wait until their channel is closed.
type hung struct {
	came     int
	released chan struct{}
}

// record counts what goes through a transport.
func (q *requests) record(through http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		q.count(r)
		q.waitIfHung(r)
		answer, err := through.RoundTrip(r)
		if err == nil && r.URL.Query().Get("watch") != "" {
			answer.Body = watch{answer.Body, q, resourceOf(r.URL.Path)}
		}
		return answer, err
	})
}

// watch is the answer to a watch of a resource.
type watch struct {
	io.ReadCloser
	requests *requests
	resource string
}

// Read returns what the watch shows, and waits while it is stalled.
func (w watch) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if resumed := w.requests.stalls(w.resource); resumed != nil {
		<-resumed
	}
	w.requests.show(w.resource, p[:n])
	return n, err
}

func (q *requests) show(resource string, data []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shown == nil {
		q.shown = map[string][]byte{}
	}
	q.shown[resource] = append(q.shown[resource], data...)
}

// hasShown reports whether a watch has shown a state of an object to its end, which is the end of a line.
func (q *requests) hasShown(resource string, o client.Object) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	_, rest, found := bytes.Cut(q.shown[resource], fmt.Appendf(nil, `"resourceVersion":%q`, o.GetResourceVersion()))
	return found && bytes.ContainsRune(rest, '\n')
}

func (q *requests) stalls(resource string) <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stalled != resource {
		return nil
	}
	return q.resumed
}

// stall has the watches of a resource show nothing from now on, until the function is called.
func (q *requests) stall(resource string) (resume func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stalled, q.resumed = resource, make(chan struct{})
	resume = sync.OnceFunc(func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.stalled = ""
		close(q.resumed)
	})
	DeferCleanup(resume)
	return resume
}

// hang has the requests for paths that end like this wait until the spec is over, or until they are given up. It returns how many came.
func (q *requests) hang(suffix string) (came func() int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	h := &hung{released: make(chan struct{})}
	if q.hung == nil {
		q.hung = map[string]*hung{}
	}
	q.hung[suffix] = h
	DeferCleanup(func() { close(h.released) })
	return func() int {
		q.mu.Lock()
		defer q.mu.Unlock()
		return h.came
	}
}

func (q *requests) waitIfHung(r *http.Request) {
	q.mu.Lock()
	for suffix, h := range q.hung {
		if strings.HasSuffix(r.URL.Path, suffix) {
			h.came++
			q.mu.Unlock()
			select {
			case <-h.released:
			case <-r.Context().Done():
			}
			return
		}
	}
	q.mu.Unlock()
}

func (q *requests) count(r *http.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.counts == nil {
		q.counts, q.kinds = map[string]int{}, map[string]bool{}
	}
	resource := resourceOf(r.URL.Path)
	if r.URL.Query().Get("watch") != "" {
		q.kinds[resource] = true
		return
	}
	q.counts[r.Method+" "+resource]++
}

// resourceOf returns the resource of a path, with its subresource.
func resourceOf(path string) string {
	_, rest, _ := strings.Cut(path, "/v1")
	parts := strings.Split(rest, "/")[1:]
	if len(parts) > 2 && parts[0] == "namespaces" {
		parts = parts[2:]
	}
	switch len(parts) {
	case 0:
		return ""
	case 3:
		return parts[0] + "/" + parts[2]
	default:
		return parts[0]
	}
}

// watched returns the resources that are watched, sorted.
func (q *requests) watched() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Sorted(maps.Keys(q.kinds))
}

// take returns how many requests were made since it was last called, by method and resource.
func (q *requests) take() map[string]int {
	q.mu.Lock()
	defer q.mu.Unlock()
	counts := q.counts
	q.counts = map[string]int{}
	return counts
}

// Of an approved text that finds a slot, the controller writes the revision, the Post that claims the slug, the attempt ahead, its
// outcome, and what the Post is then. It reads the Site and the Secret for each attempt, unless that of another article has just read them.
var _ = Describe("The requests of an approved text", func() {
	const articles = 16

	// publish returns how many requests the manager makes to publish texts, by method and resource.
	publish := func(limits inflight.Limits, create func(t *tenant)) map[string]int {
		GinkgoHelper()
		t := newTenant()
		t.CreateSite()
		DeferCleanup(t.startManager(func(o *controllers.Options) { o.Deliveries = limits }))
		t.createApproved("first")
		t.awaitPosts(1)
		Eventually(func() string { return ConditionOf(t.GetAccount().Status.Conditions, v1alpha1.ConditionReady) }).Should(Equal("True/Valid"))
		Eventually(func() string { return ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionDelivering) }).Should(HavePrefix("True"))
		t.requests.take()
		create(t)
		t.awaitPosts(1 + articles)
		counts := t.requests.take()
		// Meanwhile the account controller may look at the new account, and the site controller records the deliveries once a minute.
		maps.DeleteFunc(counts, func(request string, _ int) bool {
			return strings.Contains(request, " account") || request == "PUT sites/status"
		})
		return counts
	}
	together := func(t *tenant) {
		inParallel(articles, func(i int) { t.createApproved(nameOf("article", i)) })
	}

	It("are five writes and two reads if it comes alone", func() {
		counts := publish(inflight.Limits{Total: 64, PerHost: 64}, func(t *tenant) {
			for i := range articles {
				t.await(t.createApproved(nameOf("article", i)), inPhase(v1alpha1.PhasePublished))
			}
		})
		// The site controller reads the Secret after each write of its own.
		Expect(counts["GET secrets"]).To(And(BeNumerically(">=", articles), BeNumerically("<", articles+articles/4)))
		delete(counts, "GET secrets")
		Expect(counts).To(Equal(map[string]int{
			"POST articlerevisions": articles, "POST posts": articles, "PUT articles/status": 2 * articles, "PATCH posts": articles,
			"GET sites": articles,
		}))
	})

	It("are five writes, and no read of a text, if it comes with others", func() {
		counts := publish(inflight.Limits{Total: 64, PerHost: 64}, together)
		AddReportEntry("figure", fmt.Sprintf("%v for %d texts", counts, articles))
		Expect(counts).To(And(HaveKeyWithValue("PUT articles/status", 2*articles), HaveKeyWithValue("PATCH posts", articles)))
		Expect(counts).NotTo(Or(HaveKey("GET posts"), HaveKey("GET articlerevisions"), HaveKey("GET articles")))
	})

	It("are one more write, and no read of its revision, if it waits for a slot", func() {
		counts := publish(inflight.Limits{Total: 64, PerHost: 2}, together)
		AddReportEntry("figure", fmt.Sprintf("%v for %d texts", counts, articles))
		Expect(counts["PUT articles/status"]).To(And(BeNumerically(">", 2*articles), BeNumerically("<=", 3*articles)))
		Expect(counts).To(HaveKeyWithValue("PATCH posts", articles))
		Expect(counts).NotTo(HaveKey("GET articlerevisions"))
		Expect(counts["GET sites"]).To(BeNumerically("<", articles))
	})
})

// createApproved creates a text that may be published at once.
func (t *tenant) createApproved(name string) client.ObjectKey {
	return t.CreateArticle(name, WithText(name, "Text."), ApprovedInManifest, ToBePublished)
}

// awaitPosts waits until so many Posts are published.
func (t *tenant) awaitPosts(n int) {
	GinkgoHelper()
	Eventually(func() []v1alpha1.Post {
		var posts v1alpha1.PostList
		Expect(api.List(t.Ctx, &posts, client.InNamespace(t.Namespace))).To(Succeed())
		return slices.DeleteFunc(posts.Items, func(p v1alpha1.Post) bool { return p.Spec.State != v1alpha1.PostPublished })
	}).WithTimeout(2 * time.Minute).Should(HaveLen(n))
}
