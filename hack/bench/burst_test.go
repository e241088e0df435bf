//go:build e2e

package bench_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	// burstVariable is the environment variable with the number of articles of a burst; burstSize is its default.
	burstVariable = "PRESSROOM_BENCH_BURST"
	burstSize     = 3000
	// burstWorkspace keeps the many articles out of the lists of other benchmarks.
	burstWorkspace = "burst"
	manySites      = 8
)

// BenchmarkBurst measures how fast approved, hand-written articles are delivered that are all created at once: those of one
// Site, and as many of 8 Sites, each with a receiver of its own that answers at once. Before each of them the bytes of the same
// articles are created as ConfigMaps, which no controller handles. After them a bare client makes the writes of as many articles: the
// floor of an engine that writes ahead.
func BenchmarkBurst(b *testing.B) {
	r := newBurst(b)
	for n := 0; b.Loop(); n++ {
		one := r.run(b, fmt.Sprintf("one-%d", n), 1)
		many := r.run(b, fmt.Sprintf("many-%d", n), manySites)
		one.report(b, "1-site")
		many.report(b, "8-sites")
		b.ReportMetric(many.rate()/one.rate(), "8-sites/1-site")
		floor := r.floor(b, fmt.Sprintf("many-%d", n))
		b.ReportMetric(floor, "floor-articles/s")
		b.ReportMetric(float64(many.articles)/many.recorded.Seconds()/floor, "8-sites/floor")
		b.ReportMetric(float64(one.articles)/one.recorded.Seconds()/floor, "1-site/floor")
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
	must(b, client.IgnoreAlreadyExists(w.api.Create(b.Context(), workspace)))
	secret := &corev1.Secret{StringData: map[string]string{"signingSecret": "a long random string of the bench's"}}
	secret.Namespace, secret.Name = burstWorkspace, webhookSecret
	must(b, client.IgnoreAlreadyExists(w.api.Create(b.Context(), secret)))
	return &burst{publishing{w, burstWorkspace}, size}
}

// delivery is what a burst came to.
type delivery struct {
	articles int
	// took is from the first create to the last arrival, recorded to the last outcome in status. bare is from the first to the last
	// create of the same bytes.
	took, recorded, bare time.Duration
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
	articles := names(name, r.size)
	article, all := r.articles(articles, name, sites), newArrivals(r.publishing, r.size)
	r.receive(b, all, name, sites)
	r.awaitIdle(b)
	d := delivery{articles: r.size, bare: r.createBare(b, article, articles)}
	r.awaitIdle(b)
	before, conflicts := r.requests(b)
	start := time.Now()
	inParallel(b, articles, func(name string) error { return r.api.Create(b.Context(), article[name]) })
	all.await(b)
	d.took = all.last().Sub(start)
	awaitDelivered(b, r.publishing, articles, "the burst to be recorded")
	d.recorded = time.Since(start)
	r.awaitIdle(b)
	d.requests, d.conflicts = r.requests(b)
	d.conflicts -= conflicts
	for method := range d.requests {
		d.requests[method] -= before[method]
	}
	return d
}

// receive creates Sites with a receiver each, all of which count arrivals.
func (r *burst) receive(b *testing.B, all *arrivals, name string, sites int) {
	b.Helper()
	for i := range sites {
		receiver := httptest.NewServer(all)
		b.Cleanup(receiver.Close)
		must(b, r.target(b.Context(), siteOf(name, i), receiver.URL))
	}
}

// articles returns articles that are approved, as many of each Site.
func (r *burst) articles(articles []string, name string, sites int) map[string]*v1alpha1.Article {
	article := map[string]*v1alpha1.Article{}
	for i, a := range articles {
		article[a] = r.article(a, siteOf(name, i%sites))
		article[a].Spec.Content.Markdown = burstText
	}
	return article
}

func siteOf(burst string, i int) string { return fmt.Sprintf("%s-site-%d", burst, i) }

// burstText is the body of an article of about 3 KB.
var burstText = strings.Repeat("## What to look for\n\nLugs of *4 mm* or more, and a heel that holds, on **any** ground.\n\n", 32)

// createBare returns how long creating the bytes of articles takes.
func (r *burst) createBare(b *testing.B, article map[string]*v1alpha1.Article, articles []string) time.Duration {
	b.Helper()
	bare := bareOf(b, article)
	start := time.Now()
	inParallel(b, articles, func(name string) error { return r.api.Create(b.Context(), bare[name]) })
	return time.Since(start)
}

// bareOf returns ConfigMaps with the bytes of articles, which no controller handles.
func bareOf(b *testing.B, article map[string]*v1alpha1.Article) map[string]*corev1.ConfigMap {
	b.Helper()
	bare := map[string]*corev1.ConfigMap{}
	for name, a := range article {
		data, err := json.Marshal(a)
		must(b, err)
		bare[name] = &corev1.ConfigMap{Data: map[string]string{"article": string(data)}}
		bare[name].Namespace, bare[name].Name = burstWorkspace, name
	}
	return bare
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
