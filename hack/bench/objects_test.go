//go:build e2e

package bench_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/cluster"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

const (
	// objectsVariable is the environment variable with the number of objects of each kind; objectsSize is its default.
	objectsVariable = "PRESSROOM_BENCH_OBJECTS"
	objectsSize     = 5000
	// objectsArticle is the article of which all objects are copies.
	objectsArticle = "trail-shoes"
)

// measuredKinds are what a published article and its event leave in etcd, and how much of kube-apiserver's heap an object may take, in KB.
// A Post has one record, which takes about 0.9 KB: its ten members are a map of sixteen places in kube-apiserver.
var measuredKinds = []struct {
	kind, resource string
	most           float64
}{
	{"ArticleRevision", "articlerevisions", 27}, {"Article", "articles", 19}, {"Post", "posts", 6}, {"EventDelivery", "eventdeliveries", 14},
}

// The texts of revisions have this many bytes: sizes fall off from the least to the most, and their mean is 13,700.
const (
	leastText  = 5_000
	usualText  = 8_700 // beside the least
	mostText   = 60_000
	goldenPart = 0.6180339887
)

// BenchmarkObjects measures how much of kube-apiserver's heap an object takes of what a published article leaves. kube-apiserver keeps each
// object of a kind decoded in its watch cache, which the first request for the kind fills. The objects are copies of those of an article
// that Pressroom has generated, published and told a subscriber of. kube-apiserver is started again before the measurement, so that it
// has no earlier states of them.
func BenchmarkObjects(b *testing.B) {
	size := number(b, objectsVariable, objectsSize)
	for b.Loop() {
		w, err := startIn(b.Context(), b.TempDir())
		b.Cleanup(func() { must(b, w.Stop()) })
		must(b, err)
		originals := w.published(b)
		must(b, errors.Join(w.Controller.Stop(), w.APIServer.Stop()))
		for _, k := range measuredKinds {
			inParallel(b, names(strings.ToLower(k.kind), size), func(name string) error { return w.duplicate(b.Context(), originals[k.kind], name) })
		}
		b.ReportMetric(float64(size), "objects")
		w.measure(b, originals, size)
	}
}

// published has Pressroom generate and publish an article and deliver its event, and returns the objects of that article.
func (w *bench) published(b *testing.B) map[string]*unstructured.Unstructured {
	b.Helper()
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	b.Cleanup(receiver.Close)
	must(b, w.api.Create(b.Context(), &v1alpha1.EventSubscription{
		ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: "objects"},
		Spec: v1alpha1.EventSubscriptionSpec{
			URL: receiver.URL, Events: []v1alpha1.EventSelector{v1alpha1.SelectAll},
			SigningSecretRef: v1alpha1.SecretKeyReference{Name: webhookSecret, Key: "signingSecret"},
		},
	}))
	article := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: system.Workspace, Name: objectsArticle},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: system.SiteName}, Stage: v1alpha1.StagePublished,
			Generate: &v1alpha1.GenerateRequest{Keyword: "trail running shoes", SecondaryKeywords: []string{"grip", "rock plate"}, Tone: "encouraging"},
		},
	}
	must(b, w.api.Create(b.Context(), article))
	await(b, "the text", func() bool {
		must(b, w.api.Get(b.Context(), client.ObjectKeyFromObject(article), article))
		return article.Status.Revision != nil
	})
	before := article.DeepCopy()
	article.Spec.Review = &v1alpha1.ArticleReview{
		Decision: v1alpha1.DecisionApproved, Digest: article.Status.Revision.Digest, By: "mara@acme.example", Note: "Good to go.",
	}
	must(b, w.api.Patch(b.Context(), article, client.MergeFrom(before)))
	found := map[string]*unstructured.Unstructured{}
	await(b, "the article, its Post and its events to be delivered", func() bool {
		for _, k := range measuredKinds {
			var list unstructured.UnstructuredList
			list.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(k.kind + "List"))
			must(b, w.api.List(b.Context(), &list, client.InNamespace(system.Workspace)))
			for i := range list.Items {
				if o := &list.Items[i]; isOf(o, objectsArticle) && isDone(o) {
					found[k.kind] = o
				}
			}
		}
		return len(found) == len(measuredKinds)
	})
	return found
}

// isOf reports whether an object is an article or belongs to it.
func isOf(o *unstructured.Unstructured, article string) bool {
	about, _, _ := unstructured.NestedString(o.Object, "spec", "articleRef", "name")
	return about == article || o.GetKind() == "Article" && o.GetName() == article
}

// isDone reports whether nothing is to come in an object.
func isDone(o *unstructured.Unstructured) bool {
	cycle := []string{"status", "cycle", "state"}
	switch o.GetKind() {
	case "Article":
		cycle = []string{"status", "publication", "cycle", "state"}
	case "Post":
		cycle = []string{"spec", "url"} // It is there once the Post is published.
	case "ArticleRevision":
		return true
	}
	state, _, _ := unstructured.NestedString(o.Object, cycle...)
	return state == string(v1alpha1.CycleAccepted) || o.GetKind() == "Post" && state != ""
}

// duplicate creates a copy of an object, in two writes if it has a status, as Pressroom makes it. A revision gets a text of its own size.
func (w *bench) duplicate(ctx context.Context, original *unstructured.Unstructured, name string) error {
	o := original.DeepCopy()
	status, hasStatus := o.Object["status"]
	delete(o.Object, "status")
	o.Object["metadata"] = map[string]any{"namespace": o.GetNamespace(), "name": name}
	o.SetOwnerReferences(original.GetOwnerReferences())
	if o.GetKind() == "ArticleRevision" {
		if err := unstructured.SetNestedField(o.Object, textOf(name), "spec", "markdown"); err != nil {
			return err
		}
	}
	if err := w.api.Create(ctx, o, client.FieldOwner("pressroom")); err != nil || !hasStatus {
		return err
	}
	o.Object["status"] = status
	return w.api.Status().Update(ctx, o, client.FieldOwner("pressroom"))
}

// textOf returns the text of a revision, whose size depends on the number that its name ends in.
func textOf(name string) string {
	const sentence = "The lugs of this shoe hold on any ground, and the heel is steady on wet rock. "
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	if err != nil {
		return sentence
	}
	_, share := math.Modf(float64(n) * goldenPart) // They are spread evenly from 0 to 1.
	size := min(leastText-usualText*math.Log(1-share), mostText)
	return strings.TrimSpace(strings.Repeat(sentence, 1+mostText/len(sentence))[:int(size)])
}

// measure starts kube-apiserver again, and reports by how much its heap grows for each object when it reads the objects of a kind.
func (w *bench) measure(b *testing.B, originals map[string]*unstructured.Unstructured, size int) {
	b.Helper()
	must(b, w.Stop())
	group, err := process.NewGroup()
	must(b, err)
	w.Group = group
	w.Cluster, err = cluster.Start(b.Context(), cluster.Options{Root: w.Root, Folder: w.Folder, Ports: w.Ports, Group: group, Say: w.Say})
	must(b, err)
	http, err := rest.HTTPClientFor(w.Cluster.Config())
	must(b, err)
	before := w.heap(b, http)
	// A kind takes some memory without any object.
	w.fill(b, http, "eventsubscriptions")
	heap := w.heap(b, http)
	kind := heap - before
	for _, k := range measuredKinds {
		w.fill(b, http, k.resource)
		after := w.heap(b, http)
		each := (after - heap - kind) / float64(size) / 1000
		b.Logf("%s: %.2f KB", k.kind, each)
		b.ReportMetric(each, k.kind+"-heap-KB")
		if each > k.most {
			b.Errorf("an object of the kind %s takes %.1f KB of kube-apiserver's heap, want at most %.0f", k.kind, each, k.most)
		}
		if k.kind == "ArticleRevision" {
			must(b, unstructured.SetNestedField(originals[k.kind].Object, strings.Repeat("x", leastText+usualText), "spec", "markdown"))
		}
		data, err := json.Marshal(originals[k.kind])
		must(b, err)
		b.ReportMetric(float64(len(data))/1000, k.kind+"-JSON-KB")
		heap = after
	}
}

// fill has kube-apiserver read all objects of a kind, as the first request for one of them does.
func (w *bench) fill(b *testing.B, http *http.Client, resource string) {
	b.Helper()
	path := "/apis/" + v1alpha1.GroupVersion.String() + "/namespaces/" + system.Workspace + "/" + resource + "/none"
	_ = w.kubeAPIServer(b, http, path).Close()
	await(b, "the watch cache of "+resource, func() bool {
		answer := w.kubeAPIServer(b, http, "/metrics")
		defer func() { _ = answer.Close() }()
		for lines := bufio.NewScanner(answer); lines.Scan(); {
			if line := lines.Text(); strings.HasPrefix(line, "apiserver_watch_cache_initialization_duration_seconds_count{") &&
				strings.Contains(line, `resource="`+resource+`"`) {
				return true
			}
		}
		return false
	})
}

// heap returns how much of its heap kube-apiserver uses, in bytes, once that no longer changes from one garbage collection to the next.
func (w *bench) heap(b *testing.B, http *http.Client) float64 {
	b.Helper()
	last := 0.0
	await(b, "kube-apiserver's heap to be stable", func() bool {
		answer := w.kubeAPIServer(b, http, "/debug/pprof/heap?gc=1&debug=1")
		defer func() { _ = answer.Close() }()
		text, err := io.ReadAll(answer)
		must(b, err)
		_, rest, _ := strings.Cut(string(text), "\n# HeapAlloc = ")
		now, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
		must(b, err)
		stable := now > last-mib/4 && now < last+mib/4
		last = now
		return stable
	})
	return last
}

// kubeAPIServer returns the body of what kube-apiserver answers to the administrator.
func (w *bench) kubeAPIServer(b *testing.B, client *http.Client, path string) io.ReadCloser {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, w.Cluster.URL()+path, http.NoBody)
	must(b, err)
	answer, err := client.Do(request)
	must(b, err)
	return answer.Body
}
