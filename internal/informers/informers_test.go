package informers_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/pressroom-dev/pressroom/internal/informers"
)

// source lists nothing, or fails.
type source struct {
	fails   chan bool
	version string
}

func (s *source) List(metav1.ListOptions) (runtime.Object, error) {
	if <-s.fails {
		return nil, errors.New(`parsing time "2099-12-01t09:00:00z"`)
	}
	return &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: s.version}}, nil
}

func (*source) Watch(metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil }

func (*source) IsWatchListSemanticsUnSupported() bool { return true }

func start(t *testing.T, h *informers.Health, kind string) *source {
	t.Helper()
	s := &source{fails: make(chan bool), version: "7"}
	example := &metav1.PartialObjectMetadata{}
	example.SetGroupVersionKind(schema.GroupVersionKind{Group: "pressroom.dev", Version: "v1alpha1", Kind: kind})
	informer := h.Observe(cache.Options{}).NewInformer(s, example, 0, toolscache.Indexers{})
	go informer.RunWithContext(t.Context())
	return s
}

func await(t *testing.T, h *informers.Health, metrics string, synced bool) {
	t.Helper()
	const head = "# HELP pressroom_informer_failing 1 if the objects of a kind cannot be listed or watched, " +
		"so that what changes is not seen; otherwise 0, by kind.\n# TYPE pressroom_informer_failing gauge\n"
	var last error
	err := wait.PollUntilContextTimeout(t.Context(), time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		last = testutil.CollectAndCompare(h, strings.NewReader(head+metrics))
		return last == nil && h.HasSynced() == synced && (h.Check(nil) == nil) == synced, nil
	})
	if err != nil {
		t.Fatalf("synced: %t, %v", h.HasSynced(), last)
	}
}

func TestAKindThatCannotBeListedIsSeen(t *testing.T) {
	h := informers.NewHealth()
	articles, keys := start(t, h, "Article"), start(t, h, "APIKey")
	await(t, h, `pressroom_informer_failing{kind="APIKey"} 0
pressroom_informer_failing{kind="Article"} 0
`, false)
	keys.fails <- false
	articles.fails <- true
	await(t, h, `pressroom_informer_failing{kind="APIKey"} 0
pressroom_informer_failing{kind="Article"} 1
`, false)
	articles.fails <- false
	await(t, h, `pressroom_informer_failing{kind="APIKey"} 0
pressroom_informer_failing{kind="Article"} 0
`, true)
}
