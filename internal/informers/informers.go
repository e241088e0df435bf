// Package informers says how the informers of a program's cache are: whether each has had all objects of its kind once, and whether it
// fails to list or to watch them. It says so to probes, in a metric, and in Kubernetes Events.
package informers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

// Health of the informers of one cache.
type Health struct {
	failing *prometheus.Desc

	mu   sync.Mutex
	each []*informer
}

// informer is one of the cache.
type informer struct {
	toolscache.SharedIndexInformer

	kind string
	// failed is the last failure, nil if there was none.
	failed atomic.Pointer[failure]
}

// failure of a list or a watch.
type failure struct {
	err error
	// version is the resource version that the informer had.
	version string
}

// NewHealth returns the Health of a cache. Observe adds it to the options of the cache.
func NewHealth() *Health {
	return &Health{failing: prometheus.NewDesc("pressroom_informer_failing",
		"1 if the objects of a kind cannot be listed or watched, so that what changes is not seen; otherwise 0, by kind.",
		[]string{"kind"}, nil)}
}

// Observe returns the options of the cache whose informers are observed. It changes neither what they do nor what they log.
func (h *Health) Observe(o cache.Options) cache.Options {
	o.NewInformer = h.newInformer
	return o
}

// Describe implements prometheus.Collector.
func (h *Health) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- h.failing }

// Collect is of prometheus.Collector.
func (h *Health) Collect(metrics chan<- prometheus.Metric) {
	kinds := map[string]float64{}
	for _, i := range h.informers() {
		kinds[i.kind] = max(kinds[i.kind], 0)
		if i.failure() != nil {
			kinds[i.kind] = 1
		}
	}
	for kind, failing := range kinds {
		metrics <- prometheus.MustNewConstMetric(h.failing, prometheus.GaugeValue, failing, kind)
	}
}

// HasSynced reports whether each informer that the cache has made has had all objects of its kind once. One that fails later keeps what
// it has, so a program that is ready stays ready.
func (h *Health) HasSynced() bool {
	return !slices.ContainsFunc(h.informers(), func(i *informer) bool { return !i.HasSynced() })
}

// Check is the readiness of a program.
func (h *Health) Check(*http.Request) error {
	if !h.HasSynced() {
		return errors.New("the cache is not complete yet")
	}
	return nil
}

// failures returns why each kind that cannot be listed or watched cannot.
func (h *Health) failures() map[string]error {
	kinds := map[string]error{}
	for _, i := range h.informers() {
		if err := i.failure(); err != nil {
			kinds[i.kind] = err
		}
	}
	return kinds
}

func (h *Health) informers() []*informer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.each)
}

func (h *Health) newInformer(
	lw toolscache.ListerWatcher, example runtime.Object, resync time.Duration, indexers toolscache.Indexers,
) toolscache.SharedIndexInformer {
	made := &informer{SharedIndexInformer: toolscache.NewSharedIndexInformer(lw, example, resync, indexers), kind: kindOf(example)}
	// Only an informer that runs refuses a handler.
	utilruntime.Must(made.SetWatchErrorHandlerWithContext(made.handle))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.each = append(h.each, made)
	return made.SharedIndexInformer
}

func (i *informer) handle(ctx context.Context, r *toolscache.Reflector, err error) {
	toolscache.DefaultWatchErrorHandler(ctx, r, err)
	if !ended(err) {
		i.failed.Store(&failure{err, i.LastSyncResourceVersion()})
	}
}

// failure is the last one if nothing has been listed since, otherwise nil. Each list has a newer resource version, as kube-apiserver and
// its leases never rest.
func (i *informer) failure() error {
	if failed := i.failed.Load(); failed != nil && failed.version == i.LastSyncResourceVersion() {
		return failed.err
	}
	return nil
}

// ended reports whether a watch ended as each does every few minutes.
func ended(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// kindOf returns the kind of an informer's objects, even if it has only their metadata.
func kindOf(example runtime.Object) string {
	if kind := example.GetObjectKind().GroupVersionKind().Kind; kind != "" {
		return kind
	}
	return reflect.TypeOf(example).Elem().Name()
}
