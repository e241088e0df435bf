//go:build e2e

package bench_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/hack/dev/system"
)

// startsOf are the starts of one kind.
type startsOf struct {
	took []time.Duration
	// requests to kube-apiserver and milliseconds of CPU time of the controller.
	requests, cpu float64
}

// addStarts adds samples to those that were taken before.
func addStarts(sum, more map[string]startsOf) {
	for kind, s := range more {
		of := sum[kind]
		sum[kind] = startsOf{slices.Concat(of.took, s.took), of.requests + s.requests, of.cpu + s.cpu}
	}
}

// starts takes a sample of each kind, of so many starts: deliveries, and runs with a probe after each.
func (h *healthy) starts(b *testing.B, p *probe, kind string, count int) map[string]startsOf {
	b.Helper()
	publish := h.costing(b, func() []time.Duration { return h.sample(b, count) })
	probed := make([]time.Duration, count)
	generate := h.costing(b, func() []time.Duration {
		took := make([]time.Duration, count)
		for n := range took {
			took[n] = h.run(b, kind, n)
			probed[n] = p.once(b, fmt.Sprint("probe-", kind, "-", n))
		}
		return took
	})
	return map[string]startsOf{"publish": publish, "generate": generate, "probe": {took: probed}}
}

// costing takes a sample, and notes what the controller does meanwhile.
func (w *bench) costing(b *testing.B, sample func() []time.Duration) startsOf {
	b.Helper()
	requests, cpu := w.allRequests(b), w.metric(b, "process_cpu_seconds_total")
	took := sample()
	return startsOf{took: took, requests: w.allRequests(b) - requests, cpu: (w.metric(b, "process_cpu_seconds_total") - cpu) * 1000}
}

// reportCosts reports what a start costs on average, of what has costs.
func reportCosts(b *testing.B, name string, s startsOf) {
	b.Helper()
	if s.requests == 0 {
		return
	}
	b.ReportMetric(s.requests/float64(len(s.took)), name+"-requests/start")
	b.ReportMetric(s.cpu/float64(len(s.took)), name+"-cpu-ms/start")
}

// allRequests returns how many requests the controller has made of kube-apiserver.
func (w *bench) allRequests(b *testing.B) float64 {
	b.Helper()
	byMethod, _ := w.requests(b)
	sum := 0.0
	for _, n := range byMethod {
		sum += n
	}
	return sum
}

// probe makes the requests that a start waits for, without the controller.
type probe struct {
	*bench
	seen watch.Interface
}

func (w *bench) newProbe(b *testing.B) *probe {
	b.Helper()
	seen, err := w.api.Watch(b.Context(), &corev1.ConfigMapList{}, client.InNamespace(system.Workspace), client.MatchingLabels{"bench": "probe"})
	must(b, err)
	b.Cleanup(seen.Stop)
	return &probe{w, seen}
}

// once creates an object, waits until a watch shows it, reads it twice, and writes it.
func (p *probe) once(b *testing.B, name string) time.Duration {
	b.Helper()
	c := &corev1.ConfigMap{Data: map[string]string{"keyword": "trail running shoes"}}
	c.Namespace, c.Name, c.Labels = system.Workspace, name, map[string]string{"bench": "probe"}
	due := time.Now()
	must(b, p.api.Create(b.Context(), c))
	p.await(b, name)
	for range 2 {
		must(b, p.api.Get(b.Context(), client.ObjectKeyFromObject(c), c))
	}
	must(b, p.api.Patch(b.Context(), c, client.RawPatch(types.MergePatchType, []byte(`{"data": {"started": "true"}}`))))
	return time.Since(due)
}

// await waits until the watch shows an object.
func (p *probe) await(b *testing.B, name string) {
	b.Helper()
	deadline := time.After(patience)
	for {
		select {
		case e := <-p.seen.ResultChan():
			if o, ok := e.Object.(*corev1.ConfigMap); ok && o.Name == name {
				return
			}
		case <-deadline:
			b.Fatalf("the watch does not show %s", name)
		}
	}
}
