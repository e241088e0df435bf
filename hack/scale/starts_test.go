//go:build e2e

package scale_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

const mib = 1 << 20

// measureStarts starts the four programs one after another with what is loaded, and measures how long each takes until it is ready, and
// what a bare client takes to list and decode what both programs of Pressroom have most of.
func (w *world) measureStarts(t *testing.T, of *table, articles int) {
	t.Helper()
	must(t, w.Cluster.StartEtcd(t.Context()))
	w.addStart(of, "etcd", w.Cluster.Etcd)
	must(t, w.Cluster.StartAPIServer(t.Context()))
	w.addStart(of, "kube-apiserver", w.Cluster.APIServer)
	w.connect(t)
	began := time.Now()
	for _, kind := range []client.Object{&v1alpha1.Article{}, &v1alpha1.Post{}, &v1alpha1.ArticleRevision{}} {
		w.awaitWatchCache(t, kind)
	}
	of.add("start of kube-apiserver: watch caches are full", "s", linear, time.Since(began).Seconds())
	listed := w.bareList(t, &v1alpha1.ArticleList{}, articles)
	of.add("bare list of the Articles, decoded", "s", linear, listed)
	listedPosts := w.bareList(t, &v1alpha1.PostList{}, 1)
	of.add("bare list of the Posts, decoded", "s", linear, listedPosts)
	w.startFacade(t)
	of.add("start of the facade / bare list of the Articles", "times", constant, w.addStart(of, "the facade", w.APIServer)/listed)
	must(t, w.StartController(t.Context()))
	of.add("start of the controller / bare lists of Articles and Posts", "times", constant,
		w.addStart(of, "the controller", w.Controller)/(listed+listedPosts))
	w.awaitReconciled(t, articles)
	w.awaitIdle(t)
	of.add("start of the controller: all Articles are looked at", "s", linear, time.Since(w.Controller.Began()).Seconds())
	of.add("start of the controller: writes", "requests", given, w.writes())
}

// fromCache has a list come from the watch cache of kube-apiserver, as that of an informer does.
var fromCache = &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: "0"}}

// bareList returns how many seconds it takes to list and decode all objects of a kind, of which there are so many at least.
func (w *world) bareList(t *testing.T, list client.ObjectList, least int) float64 {
	t.Helper()
	began := time.Now()
	must(t, w.api.List(t.Context(), list, fromCache))
	if n := meta.LenList(list); n < least {
		t.Fatalf("kube-apiserver has %d objects in a %T, want %d", n, list, least)
	}
	return time.Since(began).Seconds()
}

// addStart adds how many seconds a program took from its start until it was ready, which it is now, and returns them.
func (w *world) addStart(of *table, name string, p *process.Process) float64 {
	took := time.Since(p.Began()).Seconds()
	of.add("start of "+name+" until it is ready", "s", linear, took)
	return took
}

// awaitReconciled waits until the controller has looked at so many Articles.
func (w *world) awaitReconciled(t *testing.T, articles int) {
	t.Helper()
	await(t, "the controller to look at the Articles", func() bool {
		return w.metric(w.Ports.ControllerMetrics, `controller_runtime_reconcile_total{controller="article"`) >= float64(articles)
	})
}

// awaitWatchCache waits until kube-apiserver has the objects of a kind in its watch cache. kube-apiserver makes the cache at the first request
// for the kind.
func (w *world) awaitWatchCache(t *testing.T, of client.Object) {
	t.Helper()
	resource := strings.ToLower(fmt.Sprintf("%T", of))
	resource = resource[strings.LastIndexByte(resource, '.')+1:] + "s"
	await(t, "the watch cache of "+resource, func() bool {
		must(t, client.IgnoreNotFound(w.api.Get(t.Context(), client.ObjectKey{Namespace: templates, Name: "none"}, of)))
		for line := range bytes.Lines(w.kubeAPIServer(t, "/metrics")) {
			if text := string(line); strings.HasPrefix(text, "apiserver_watch_cache_initialization_duration_seconds_count{") &&
				strings.Contains(text, `resource="`+resource+`"`) {
				return true
			}
		}
		return false
	})
}

// kubeAPIServer returns what kube-apiserver answers to the administrator.
func (w *world) kubeAPIServer(t *testing.T, path string) []byte {
	t.Helper()
	admin, err := rest.HTTPClientFor(w.Cluster.Config())
	must(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.Cluster.URL()+path, http.NoBody)
	must(t, err)
	answer, err := admin.Do(request)
	must(t, err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	must(t, err)
	return data
}

// measureMemory measures what of its heap each program uses, and its resident memory, while nothing is done.
func (w *world) measureMemory(t *testing.T, of *table) {
	t.Helper()
	of.add("etcd's file, in use", "MiB", linear, w.metric(w.Ports.EtcdHealth, "etcd_mvcc_db_total_size_in_use_in_bytes")/mib)
	began := time.Now()
	for _, p := range []struct {
		name    string
		port    int
		process *process.Process
	}{
		{"etcd", w.Ports.EtcdHealth, w.Cluster.Etcd}, {"controller", w.Ports.ControllerMetrics, w.Controller},
		{"facade", w.Ports.APIMetrics, w.APIServer},
	} {
		of.add("heap of "+p.name, "MiB", linear, w.liveHeap(t, p.port, began)/mib)
		of.add("resident memory of "+p.name, "MiB", linear, resident(t, p.process)/mib)
	}
	of.add("heap of kube-apiserver", "MiB", linear, w.heapOfAPIServer(t)/mib)
	of.add("resident memory of kube-apiserver", "MiB", linear, resident(t, w.Cluster.APIServer)/mib)
}

// liveHeap returns what of its heap a program used when its garbage was collected last, once that was after a time: Go collects it every
// two minutes at least. The collector lets the heap grow by GOGC percent before the next time.
func (w *world) liveHeap(t *testing.T, port int, after time.Time) float64 {
	t.Helper()
	await(t, "the garbage collector", func() bool {
		return w.metric(port, "go_memstats_last_gc_time_seconds ") > float64(after.Unix())
	})
	percent := w.metric(port, "go_gc_gogc_percent ")
	if percent == 0 {
		t.Fatalf("the program on port %d does not say by how much its heap grows", port)
	}
	return w.metric(port, "go_memstats_next_gc_bytes ") / (1 + percent/100)
}

// heapOfAPIServer returns what of its heap kube-apiserver uses, once that does not change from one garbage collection to the next.
func (w *world) heapOfAPIServer(t *testing.T) float64 {
	t.Helper()
	last := 0.0
	await(t, "kube-apiserver's heap to be stable", func() bool {
		_, rest, _ := strings.Cut(string(w.kubeAPIServer(t, "/debug/pprof/heap?gc=1&debug=1")), "\n# HeapAlloc = ")
		now, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
		must(t, err)
		stable := math.Abs(now-last) < mib
		last = now
		return stable
	})
	return last
}

// resident returns the resident memory of a process, as Linux tells it.
func resident(t *testing.T, p *process.Process) float64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid()))
	must(t, err)
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	must(t, err)
	return kilobytes * 1024
}

// measureRestart kills kube-apiserver and starts it again. It measures how long that takes from its start until it is ready, and until both
// programs of Pressroom see what is created after that: the controller makes its revision, and the facade has it in its list.
func (w *world) measureRestart(t *testing.T, of *table, account string) {
	t.Helper()
	p := w.person(account)
	must(t, w.Cluster.APIServer.Kill())
	must(t, w.Cluster.StartAPIServer(t.Context()))
	began := w.Cluster.APIServer.Began()
	of.add("restart of kube-apiserver: it is ready", "s", linear, time.Since(began).Seconds())
	w.connect(t)
	a := approved("after-the-restart", 1)
	a.Namespace, a.Spec.SiteRef.Name, a.Spec.Stage = account, siteName(account, 0), v1alpha1.StageReview
	must(t, w.api.Create(t.Context(), a))
	await(t, "the facade to see what was created", func() bool {
		return bytes.Contains(w.listOf(t, p), []byte(identity.UID(identity.KindArticle, account, a.Name)))
	})
	of.add("restart of kube-apiserver: the facade is in sync", "s", linear, time.Since(began).Seconds())
	await(t, "the controller to see what was created", func() bool {
		must(t, w.api.Get(t.Context(), client.ObjectKeyFromObject(a), a))
		return a.Status.Revision != nil
	})
	of.add("restart of kube-apiserver: the controller is in sync", "s", linear, time.Since(began).Seconds())
}

// listOf returns the newest articles of an account; nothing while the facade cannot answer.
func (w *world) listOf(t *testing.T, p *person) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/v1/api/blogs?limit=20", http.NoBody)
	must(t, err)
	request.Header.Set("x-api-key", p.key)
	request.Header.Set("x-workspace-id", p.workspace)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	must(t, err)
	return data
}
