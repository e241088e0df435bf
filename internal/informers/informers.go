// Package informers says how the informers of a program's cache are: whether each has had all objects of its kind once, and how often it
// fails to list or to watch them.
package informers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"sync"
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
	errors *prometheus.CounterVec

	mu     sync.Mutex
	synced []toolscache.InformerSynced
}

// NewHealth returns the Health of a cache that Observe must be told of.
func NewHealth() *Health {
	return &Health{errors: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_informer_errors_total",
		Help: "Failures to list or watch the objects of a kind, by kind. What changes meanwhile is not seen.",
	}, []string{"kind"})}
}

// Observe returns the options of the cache whose informers are observed. It changes neither what they do nor what they log.
func (h *Health) Observe(o cache.Options) cache.Options {
	o.NewInformer = h.newInformer
	return o
}

// Collectors returns the metrics.
func (h *Health) Collectors() []prometheus.Collector { return []prometheus.Collector{h.errors} }

// HasSynced reports whether each informer that the cache has made has had all objects of its kind once. One that fails later keeps what
// it has, so a program that is ready stays ready.
func (h *Health) HasSynced() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !slices.ContainsFunc(h.synced, func(synced toolscache.InformerSynced) bool { return !synced() })
}

// Check is the readiness of a program.
func (h *Health) Check(*http.Request) error {
	if !h.HasSynced() {
		return errors.New("the cache is not complete yet")
	}
	return nil
}

func (h *Health) newInformer(
	lw toolscache.ListerWatcher, example runtime.Object, resync time.Duration, indexers toolscache.Indexers,
) toolscache.SharedIndexInformer {
	informer, kind := toolscache.NewSharedIndexInformer(lw, example, resync, indexers), kindOf(example)
	err := informer.SetWatchErrorHandlerWithContext(func(ctx context.Context, r *toolscache.Reflector, err error) {
		toolscache.DefaultWatchErrorHandler(ctx, r, err)
		if !ended(err) {
			h.errors.WithLabelValues(kind).Inc()
		}
	})
	// Only an informer that runs refuses it.
	utilruntime.Must(err)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.synced = append(h.synced, informer.HasSynced)
	return informer
}

// ended reports whether a watch ended as each does every few minutes.
func ended(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// kindOf returns the kind of an informer's objects, also if it has only their metadata.
func kindOf(example runtime.Object) string {
	if kind := example.GetObjectKind().GroupVersionKind().Kind; kind != "" {
		return kind
	}
	return reflect.TypeOf(example).Elem().Name()
}
