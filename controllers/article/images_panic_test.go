package article

import (
	"context"
	"errors"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	testclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// A file on which a decoder panics does so each time: it is not fetched again at once.
func TestAnImageThatPanicsIsLeftAloneForAWhile(t *testing.T) {
	clock := testclock.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	images := &Images{
		Base:   &base.Base{Clock: clock},
		Engine: attempt.NewEngine(inflight.Limits{Total: 1, Clock: clock}, ImageResults(clock), "process", clock, attempt.Metrics{}),
	}
	ended := make(chan types.NamespacedName, 1)
	images.Engine.Calls.Notify(func(key types.NamespacedName) { ended <- key })
	a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "w", Name: "shoes", UID: "1"}}
	image := &v1alpha1.RevisionImage{ArticleImage: v1alpha1.ArticleImage{URL: "https://media.acme.example/shoes.webp"}}
	slot := images.Engine.Calls.Acquire(client.ObjectKeyFromObject(a), inflight.SlotRequest{})
	slot.Go(t.Context(), "1#"+image.URL, func(context.Context) ImageResult { panic("index out of range") })
	<-ended

	err := images.describe(t.Context(), a, image)
	blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
	if !ok || blocked.Reason != v1alpha1.ReasonInvalidImage || blocked.RetryAfter < 10*time.Minute {
		t.Errorf("after a panic: %+v, want InvalidImage for at least 10 minutes", err)
	}
}
