//go:build e2e

package bench_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/system"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

// patience bounds what a busy machine may take to come to where a measurement begins.
const patience = 5 * time.Minute

// bench is what all benchmarks work with.
type bench struct {
	*system.System
	api client.WithWatch
}

var (
	running = sync.OnceValues(start)
	stop    = func() error { return nil }
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// whole returns the system, which the first benchmark starts.
func whole(b *testing.B) *bench {
	b.Helper()
	w, err := running()
	must(b, err)
	return w
}

func start() (*bench, error) {
	temporary, err := os.MkdirTemp("", "pressroom-bench")
	if err != nil {
		return nil, err
	}
	w, err := startIn(context.Background(), temporary)
	stop = func() error {
		return errors.Join(w.Stop(), os.RemoveAll(temporary))
	}
	return w, err
}

// startIn starts a system with its data in a folder. It must be stopped, also after an error.
func startIn(ctx context.Context, folder string) (*bench, error) {
	w := &bench{System: &system.System{}}
	root, err := filepath.Abs("../..")
	if err != nil {
		return w, err
	}
	free, err := ports.Free(ctx)
	if err != nil {
		return w, err
	}
	w.System, err = system.Start(ctx, system.Options{Root: root, Folder: folder, Ports: free, Say: func(string, ...any) {}})
	if err != nil {
		return w, err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1alpha1.AddToScheme(scheme), internalv1alpha1.AddToScheme(scheme)); err != nil {
		return w, err
	}
	config := w.Cluster.Config()
	config.QPS, config.Burst = 1000, 2000
	w.api, err = client.NewWithWatch(config, client.Options{Scheme: scheme})
	return w, err
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// await asks again and again until something is so.
func await(b *testing.B, what string, is func() bool) {
	b.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !is() {
		select {
		case <-tick.C:
		case <-deadline:
			b.Fatalf("waited too long for %s", what)
		}
	}
}

// awaitIdle waits until the controller has nothing to do but what is in progress.
func (w *bench) awaitIdle(b *testing.B) {
	b.Helper()
	idle := 0
	await(b, "the controller to be idle", func() bool {
		if w.metric(b, "workqueue_depth{")+w.metric(b, "controller_runtime_active_workers{") > 0 {
			idle = 0
		}
		idle++
		return idle > 3
	})
}

// metric returns the sum of the controller's metrics whose lines begin so.
func (w *bench) metric(b *testing.B, start string) float64 {
	b.Helper()
	sum := 0.0
	w.eachSample(b, start, func(_ string, value float64) { sum += value })
	return sum
}

// eachSample calls a function for each of the controller's metrics whose line begins so.
func (w *bench) eachSample(b *testing.B, start string, do func(line string, value float64)) {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, ports.URL(w.Ports.ControllerMetrics)+"/metrics", http.NoBody)
	must(b, err)
	answer, err := http.DefaultClient.Do(request)
	must(b, err)
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		line := lines.Text()
		if !strings.HasPrefix(line, start) {
			continue
		}
		value, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
		must(b, err)
		do(line, value)
	}
}

// inParallel does something for each name, several at once.
func inParallel(b *testing.B, names []string, do func(name string) error) {
	b.Helper()
	const workers = 8
	next := make(chan string, len(names))
	for _, name := range names {
		next <- name
	}
	close(next)
	var all sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	for range workers {
		all.Go(func() {
			for name := range next {
				if err := do(name); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	must(b, errors.Join(errs...))
}

// quantile returns the value that a share of the sample does not exceed.
func quantile(sample []time.Duration, share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(sample))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
