//go:build e2e

package bench_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

const (
	// greedyVariable is the environment variable with the number of minutes; greedyMinutes is its default.
	greedyVariable = "PRESSROOM_BENCH_GREEDY_MINUTES"
	greedyMinutes  = 2
	// greedy is the account and its workspace. So many workers each send a request so often, which is less than the rate limit of a key.
	greedy        = "greedy"
	greedyWorkers = 8
	greedyEvery   = 100 * time.Millisecond
	// greedyText is the size of its own texts, in bytes.
	greedyText = 250 << 10
	// Another account sends a request so often, and each fourth is a creation. It is measured by itself for so long, before and after.
	otherEvery, otherQuiet, otherCreates = 100 * time.Millisecond, 30 * time.Second, 4
	otherTitle, otherText                = "The huts are open", "From the first of May."
	// lastCompaction is the metric with the time of etcd's last compaction.
	lastCompaction = "etcd_debugging_mvcc_db_compaction_last"
)

// BenchmarkGreedyTenant has an account send every request that creates something, 80 a second, each with a new Idempotency-Key, and beside
// that what leaves something behind or holds something: bulk requests, consents, lists that are read from kube-apiserver, pages, streams and
// forms of 17 people, and forms of strangers. It measures etcd's size at its peak, what of it is in use after the next compaction, the
// memory of both programs at its peak, and how long the requests of another account take beside it, in times of those by themselves. A bare
// read of kube-apiserver is the baseline of its reads, and the three writes of a creation with an Idempotency-Key that of its creations:
// they say what the load takes from the machine and its disk. The bars: the other account's p99 beside the
// load is at most 1.2 times that of the baseline, and grows by at most 1.2 times as much, etcd has at most 400 MiB, and the facade takes
// at most 250 MiB.
func BenchmarkGreedyTenant(b *testing.B) {
	w := whole(b)
	minutes := number(b, greedyVariable, greedyMinutes)
	for b.Loop() {
		g := newGreedyTenant(b, w)
		other := otherTenant{w, &tenantKey{w.APIURL(), w.APIKey, system.Workspace}}
		quiet := other.requests(b, otherQuiet)
		g.watch()
		g.load(b)
		g.start()
		beside := other.requests(b, time.Duration(minutes)*time.Minute)
		g.stop()
		for kind, took := range other.requests(b, otherQuiet) {
			quiet[kind] = append(quiet[kind], took...)
		}
		for _, kind := range []string{"read", "create"} {
			reportTimes(b, kind, quiet[kind], beside[kind])
			reportTimes(b, "bare-"+kind, quiet["bare-"+kind], beside["bare-"+kind])
			b.ReportMetric(milliseconds(quantile(beside[kind], .99))/milliseconds(quantile(beside["bare-"+kind], .99)), kind+"/bare-p99-beside")
			b.ReportMetric(growth(quiet[kind], beside[kind])/growth(quiet["bare-"+kind], beside["bare-"+kind]), kind+"/bare-p99-growth")
		}
		for status, n := range g.answers {
			b.ReportMetric(float64(n), "answers-"+strconv.Itoa(status))
		}
		b.ReportMetric(w.awaitCompaction(b)/mib, "etcd-compacted-MiB")
		g.unwatch()
		b.ReportMetric(g.peaks.etcd/mib, "etcd-peak-MiB")
		b.ReportMetric(g.peaks.controller/mib, "controller-peak-MiB")
		b.ReportMetric(g.peaks.facade/mib, "facade-peak-MiB")
	}
}

// growth is by what the p99 of a sample has grown.
func growth(quiet, beside []time.Duration) float64 {
	return milliseconds(quantile(beside, .99)) / milliseconds(quantile(quiet, .99))
}

// tenantKey sends requests to the REST API with a key.
type tenantKey struct{ url, key, workspace string }

// send sends a request, and returns the status of the answer and its body. once is its Idempotency-Key; it has none if once is empty.
func (k *tenantKey) send(method, path, once string, body any) (int, []byte, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
	}
	request, err := http.NewRequest(method, k.url+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("x-api-key", k.key)
	request.Header.Set("x-workspace-id", k.workspace)
	if once != "" {
		request.Header.Set("Idempotency-Key", once)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	data, err := io.ReadAll(answer.Body)
	return answer.StatusCode, data, err
}

// otherTenant reads a list, and creates an article each fourth time.
type otherTenant struct {
	*bench
	*tenantKey
}

// requests returns how long the requests of each kind took: read and create, and beside each of them bare-read and bare-create, a read of a
// Secret from kube-apiserver, and the writes of a creation.
func (o *otherTenant) requests(b *testing.B, length time.Duration) map[string][]time.Duration {
	b.Helper()
	took := map[string][]time.Duration{}
	timed := func(kind string, do func()) {
		start := time.Now()
		do()
		took[kind] = append(took[kind], time.Since(start))
	}
	tick := time.NewTicker(otherEvery)
	defer tick.Stop()
	for began, n := time.Now(), 0; time.Since(began) < length; n++ {
		<-tick.C
		if n%otherCreates > 0 {
			timed("read", func() { o.must(b, http.StatusOK, http.MethodGet, "/v1/api/blogs?limit=20", "", nil) })
			timed("bare-read", func() {
				must(b, o.api.Get(b.Context(), client.ObjectKey{Namespace: system.Workspace, Name: webhookSecret}, &corev1.Secret{}))
			})
			continue
		}
		name := fmt.Sprint("other-", began.UnixNano(), "-", n)
		timed("create", func() {
			o.must(b, http.StatusCreated, http.MethodPost, "/v1/api/blogs", name, map[string]any{
				"site_uid": o.SiteUID(), "title": otherTitle, "content_markdown": otherText, "draft": true,
			})
		})
		timed("bare-create", func() { o.create(b, name) })
	}
	return took
}

// create writes to kube-apiserver what a creation writes: a record, the article, and the article's uid in the record.
func (o *otherTenant) create(b *testing.B, name string) {
	b.Helper()
	article := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: "bare-" + name},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: system.SiteName}, Stage: v1alpha1.StageDraft,
			Content: &v1alpha1.ArticleContent{Title: otherTitle, Markdown: otherText},
		},
	}
	record := &internalv1alpha1.IdempotencyRecord{
		ObjectMeta: metav1.ObjectMeta{Namespace: article.Namespace, Name: article.Name},
		Spec:       internalv1alpha1.IdempotencyRecordSpec{Operation: "create", RequestHash: strings.Repeat("0", 64), Object: article.Name},
	}
	must(b, o.api.Create(b.Context(), record))
	must(b, o.api.Create(b.Context(), article))
	begun := record.DeepCopy()
	record.Complete(article.UID)
	must(b, o.api.Patch(b.Context(), record, client.MergeFromWithOptions(begun, client.MergeFromWithOptimisticLock{})))
}

// must sends a request that is answered with a status.
func (o *otherTenant) must(b *testing.B, wanted int, method, path, once string, body any) {
	b.Helper()
	status, answer, err := o.send(method, path, once, body)
	must(b, err)
	if status != wanted {
		b.Fatalf("the other account was answered %d %s", status, answer)
	}
}

// greedyTenant sends the requests of BenchmarkGreedyTenant.
type greedyTenant struct {
	*bench
	*tenantKey
	receiver *httptest.Server
	// ended ends the requests, and unwatched the look at sizes, which goes on until etcd has compacted.
	ended, unwatched atomic.Bool
	all, watching    sync.WaitGroup
	count            atomic.Int64
	endLoad          func()
	peaks            struct{ etcd, controller, facade float64 }

	mu      sync.Mutex
	answers map[int]int
	// made has the uids of what was made last, by the path under which it was made.
	made map[string]string
}

func newGreedyTenant(b *testing.B, w *bench) *greedyTenant {
	b.Helper()
	must(b, w.api.Create(b.Context(), &v1alpha1.Account{
		ObjectMeta: metav1.ObjectMeta{Name: greedy}, Spec: v1alpha1.AccountSpec{Credits: new(int64(1_000_000))},
	}))
	must(b, w.api.Create(b.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: greedy, Labels: map[string]string{v1alpha1.AccountLabel: greedy}},
	}))
	made, err := exec.CommandContext(b.Context(), w.Binary(), "keys", "create", "--kubeconfig="+w.Cluster.Kubeconfig(), "--account="+greedy,
		"--scopes=read,write,approve,manage", "--name=greedy").CombinedOutput()
	must(b, err)
	_, key, _ := strings.Cut(string(made), "pr_ak_")
	g := &greedyTenant{
		bench: w, tenantKey: &tenantKey{w.APIURL(), "pr_ak_" + strings.Fields(key)[0], greedy}, answers: map[int]int{}, made: map[string]string{},
	}
	g.receiver = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	b.Cleanup(g.receiver.Close)
	await(b, "the key to work", func() bool {
		status, _, err := g.send(http.MethodGet, "/v1/api/sites", "", nil)
		must(b, err)
		return status == http.StatusOK
	})
	return g
}

// creation returns the request of a number: those that create something come in turn.
func (g *greedyTenant) creation(n int64) (method, path string, body any) {
	g.mu.Lock()
	site, article := g.made["/v1/api/sites"], g.made["/v1/api/blogs"]
	subscription, app := g.made["/v1/api/event-subscriptions"], g.made["/v1/api/oauth/clients"]
	g.mu.Unlock()
	text := func() string { return strings.Repeat(fmt.Sprintf("Line of text %d. ", n), greedyText/24) }
	requests := []func() (string, string, any){
		func() (string, string, any) {
			return "POST", "/v1/api/sites", map[string]any{
				"domain": fmt.Sprintf("s%d.greedy.example", n), "cms_type": "headless", "review_policy": "automatic",
				"connection": map[string]any{"url": g.receiver.URL},
			}
		},
		func() (string, string, any) {
			return "POST", "/v1/api/blogs", map[string]any{"site_uid": site, "title": fmt.Sprint("Text ", n), "content_markdown": text()}
		},
		func() (string, string, any) {
			return "PATCH", "/v1/api/blogs/" + article, map[string]any{"content_markdown": text()}
		},
		func() (string, string, any) {
			return "POST", "/v1/api/generate", map[string]any{"site_uid": site, "keyword": fmt.Sprint("trail running shoes ", n)}
		},
		func() (string, string, any) {
			return "POST", "/v1/api/blogs/" + article + "/regenerate", nil
		},
		func() (string, string, any) {
			return "POST", "/v1/api/blogs/" + article + "/publish", map[string]any{}
		},
		func() (string, string, any) {
			return "POST", "/v1/api/blogs/" + article + "/redeliver", map[string]any{}
		},
		func() (string, string, any) {
			return "POST", "/v1/api/event-subscriptions", map[string]any{"url": g.receiver.URL, "events": []string{"*"}}
		},
		func() (string, string, any) {
			return "POST", "/v1/api/event-subscriptions/" + subscription + "/test", nil
		},
		func() (string, string, any) {
			return "POST", "/v1/api/event-subscriptions/" + subscription + "/rotate-secret", nil
		},
		func() (string, string, any) {
			return "POST", "/v1/api/keys", map[string]any{"name": fmt.Sprint("key ", n), "scopes": []string{"read"}}
		},
		func() (string, string, any) {
			return "POST", "/v1/api/oauth/clients", map[string]any{"name": fmt.Sprint("app ", n), "redirect_uris": []string{callback}}
		},
		func() (string, string, any) {
			return "POST", "/v1/api/oauth/clients/" + app + "/rotate-secret", nil
		},
		func() (string, string, any) { return "POST", "/v1/api/sites/" + site + "/test", nil },
	}
	return requests[n%int64(len(requests))]()
}

// start begins to send requests.
func (g *greedyTenant) start() {
	for range greedyWorkers {
		g.all.Go(func() {
			for tick := time.NewTicker(greedyEvery); !g.ended.Load(); <-tick.C {
				n := g.count.Add(1)
				method, path, body := g.creation(n)
				once := fmt.Sprint("greedy-", n)
				if method == http.MethodPatch || strings.HasSuffix(path, "/publish") {
					once = "" // They take no Idempotency-Key: repeating them does nothing.
				}
				if status, answer, err := g.send(method, path, once, body); err == nil {
					g.note(status, path, answer)
				}
			}
		})
	}
}

// watch begins to look at the sizes of etcd and of both programs.
func (g *greedyTenant) watch() {
	g.watching.Go(func() {
		for tick := time.NewTicker(time.Second); !g.unwatched.Load(); <-tick.C {
			g.peaks.etcd = max(g.peaks.etcd, sampleOf(g.Ports.EtcdHealth, "etcd_mvcc_db_total_size_in_bytes"))
			g.peaks.controller = max(g.peaks.controller, sampleOf(g.Ports.ControllerMetrics, "process_resident_memory_bytes"))
			g.peaks.facade = max(g.peaks.facade, sampleOf(g.Ports.APIMetrics, "process_resident_memory_bytes"))
		}
	})
}

func (g *greedyTenant) unwatch() {
	g.unwatched.Store(true)
	g.watching.Wait()
}

// stop ends what start has begun.
func (g *greedyTenant) stop() {
	g.endLoad()
	g.ended.Store(true)
	g.all.Wait()
}

func (g *greedyTenant) note(status int, path string, answer []byte) {
	var of struct {
		UID      string `json:"uid"`
		ClientID string `json:"client_id"`
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answers[status]++
	if status == http.StatusCreated && json.Unmarshal(answer, &of) == nil {
		g.made[path] = of.UID + of.ClientID
	}
}

// awaitCompaction waits until etcd has compacted what was written and deleted so far, and returns how much of it is in use, in bytes.
// kube-apiserver has it compact every five minutes, each time up to where it was the time before.
func (w *bench) awaitCompaction(b *testing.B) float64 {
	b.Helper()
	for range 2 {
		tick := time.NewTicker(time.Second)
		for last := sampleOf(w.Ports.EtcdHealth, lastCompaction); sampleOf(w.Ports.EtcdHealth, lastCompaction) == last; {
			<-tick.C
		}
	}
	return sampleOf(w.Ports.EtcdHealth, "etcd_mvcc_db_total_size_in_use_in_bytes")
}

// sampleOf returns a metric of a program without labels; 0 if the program does not answer.
func sampleOf(port int, name string) float64 {
	answer, err := http.Get(ports.URL(port) + "/metrics")
	if err != nil {
		return 0
	}
	defer func() { _ = answer.Body.Close() }()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), name+" "); found {
			value, _ := strconv.ParseFloat(rest, 64)
			return value
		}
	}
	return 0
}
