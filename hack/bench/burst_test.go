package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	// burstVariable is the environment variable with the number of articles of a burst; burstSize is its default.
	burstVariable = "PRESSROOM_BENCH_BURST"
	burstSize     = 3000
	// burstWorkspace keeps the many articles out of the lists of other benchmarks.
	burstWorkspace = "burst"
	burstSecret    = "acme-webhook"
	manySites      = 8
)

// BenchmarkBurst measures how fast approved, hand-written articles are delivered that are all created at once: those of one
// Site, and as many of 8 Sites, each with a receiver of its own that answers at once. Before each of them the bytes of the same
// articles are created as ConfigMaps, which no controller handles.
func BenchmarkBurst(b *testing.B) {
	r := newBurst(b)
	for n := 0; b.Loop(); n++ {
		one := r.run(b, fmt.Sprintf("one-%d", n), 1)
		many := r.run(b, fmt.Sprintf("many-%d", n), manySites)
		one.report(b, "1-site")
		many.report(b, "8-sites")
		b.ReportMetric(many.rate()/one.rate(), "8-sites/1-site")
	}
}

// burst creates articles in a workspace of its own.
type burst struct {
	publishing
	size int
}

func newBurst(b *testing.B) *burst {
	b.Helper()
	w := whole(b)
	size := burstSize
	if value := os.Getenv(burstVariable); value != "" {
		var err error
		size, err = strconv.Atoi(value)
		must(b, err)
	}
	workspace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: burstWorkspace, Labels: map[string]string{v1alpha1.AccountLabel: "acme"},
	}}
	must(b, w.api.Create(b.Context(), workspace))
	secret := &corev1.Secret{StringData: map[string]string{"signingSecret": "a long random string of the bench's"}}
	secret.Namespace, secret.Name = burstWorkspace, burstSecret
	must(b, w.api.Create(b.Context(), secret))
	return &burst{publishing{w, burstWorkspace}, size}
}

// delivery is what a burst came to.
type delivery struct {
	articles int
	// took is from the first create to the last arrival, bare from the first to the last create of the same bytes.
	took, bare time.Duration
	// requests are the controller's, by method; conflicts are those that were answered 409.
	requests  map[string]float64
	conflicts float64
}

func (d delivery) rate() float64 { return float64(d.articles) / d.took.Seconds() }

// report reports the figures of a burst under a name.
func (d delivery) report(b *testing.B, name string) {
	b.Helper()
	bare := float64(d.articles) / d.bare.Seconds()
	b.ReportMetric(d.rate(), name+"-articles/s")
	b.ReportMetric(bare, name+"-bare-creates/s")
	b.ReportMetric(bare/d.rate(), name+"-bare/articles")
	all := 0.0
	for method, n := range d.requests {
		b.ReportMetric(n/float64(d.articles), name+"-"+method+"/article")
		all += n
	}
	b.ReportMetric(all/float64(d.articles), name+"-requests/article")
	b.ReportMetric(d.conflicts/float64(d.articles), name+"-conflicts/article")
}

// run makes a burst over so many Sites.
func (r *burst) run(b *testing.B, name string, sites int) delivery {
	b.Helper()
	all := newArrivals(r.publishing, r.size)
	for i := range sites {
		receiver := httptest.NewServer(all)
		b.Cleanup(receiver.Close)
		must(b, r.target(b.Context(), siteOf(name, i), receiver.URL))
	}
	articles := names(name, r.size)
	article := map[string]*v1alpha1.Article{}
	for i, a := range articles {
		article[a] = r.article(a, siteOf(name, i%sites))
		article[a].Spec.Content.Markdown = burstText
	}
	r.awaitIdle(b)
	d := delivery{articles: r.size, bare: r.createBare(b, article, articles)}
	r.awaitIdle(b)
	before, conflicts := r.requests(b)
	start := time.Now()
	inParallel(b, articles, func(name string) error { return r.api.Create(b.Context(), article[name]) })
	d.took = all.await(b).Sub(start)
	awaitCycles(b, r, articles, "the burst to be recorded", delivered)
	r.awaitIdle(b)
	d.requests, d.conflicts = r.requests(b)
	d.conflicts -= conflicts
	for method := range d.requests {
		d.requests[method] -= before[method]
	}
	return d
}

func siteOf(burst string, i int) string { return fmt.Sprintf("%s-site-%d", burst, i) }

// burstText is the body of an article of about 3 KB.
var burstText = strings.Repeat("## What to look for\n\nLugs of *4 mm* or more, and a heel that holds, on **any** ground.\n\n", 32)

// createBare returns how long creating the bytes of articles takes.
func (r *burst) createBare(b *testing.B, article map[string]*v1alpha1.Article, articles []string) time.Duration {
	b.Helper()
	bytes := map[string]string{}
	for _, name := range articles {
		data, err := json.Marshal(article[name])
		must(b, err)
		bytes[name] = string(data)
	}
	start := time.Now()
	inParallel(b, articles, func(name string) error {
		c := &corev1.ConfigMap{Data: map[string]string{"article": bytes[name]}}
		c.Namespace, c.Name = burstWorkspace, name
		return r.api.Create(b.Context(), c)
	})
	return time.Since(start)
}

// requests returns how many requests the controller has made of kube-apiserver, by method, and how many conflicted.
func (w *bench) requests(b *testing.B) (byMethod map[string]float64, conflicts float64) {
	b.Helper()
	byMethod = map[string]float64{}
	w.eachSample(b, "rest_client_requests_total{", func(line string, value float64) {
		for _, method := range []string{"GET", "POST", "PATCH", "PUT", "DELETE"} {
			if strings.Contains(line, `method="`+method+`"`) {
				byMethod[method] += value
			}
		}
		if strings.Contains(line, `code="409"`) {
			conflicts += value
		}
	})
	return byMethod, conflicts
}

// arrivals are the requests of a burst, at any of its receivers.
type arrivals struct {
	publishing publishing
	want       int

	mu   sync.Mutex
	seen map[string]bool
	done chan time.Time
}

func newArrivals(p publishing, want int) *arrivals {
	return &arrivals{publishing: p, want: want, seen: map[string]bool{}, done: make(chan time.Time, 1)}
}

// ServeHTTP accepts an article.
func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	name := a.publishing.nameIn(r, body)
	if a.seen[name] {
		return
	}
	a.seen[name] = true
	if len(a.seen) == a.want {
		a.done <- time.Now()
	}
}

// await returns when the last article came.
func (a *arrivals) await(b *testing.B) time.Time {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 2*patience)
	defer cancel()
	select {
	case at := <-a.done:
		return at
	case <-ctx.Done():
		a.mu.Lock()
		defer a.mu.Unlock()
		b.Fatalf("%d of %d articles came", len(a.seen), a.want)
		return time.Time{}
	}
}
