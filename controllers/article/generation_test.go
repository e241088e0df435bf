package article

import (
	"context"
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
)

// The other runs of the account wait for the time that the model's endpoint asks for: each would use up an attempt before.
func TestAModelThatAsksForAPauseGetsOne(t *testing.T) {
	clock := testclock.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	runs := inflight.New(inflight.Limits{Total: 16, Clock: clock}, RunResults().Results)
	ended := make(chan struct{}, 2)
	request := inflight.SlotRequest{Account: "acme", Host: "model.example"}
	first := runs.Acquire(keyOf(1), request)
	runs.Notify(func(types.NamespacedName) { ended <- struct{}{} })
	first.Go(t.Context(), "1", func(context.Context) RunResult {
		return RunResult{Err: &generate.Error{Reason: v1alpha1.ReasonRateLimited, Retryable: true, RetryAfter: time.Minute}}
	})
	<-ended
	if runs.Acquire(keyOf(2), request) != nil {
		t.Error("the next run begins before the minute is over")
	}
	clock.Step(time.Minute)
	<-ended
	if runs.Acquire(keyOf(2), request) == nil {
		t.Error("the next run does not begin after the minute")
	}
}

func keyOf(i int) types.NamespacedName {
	return types.NamespacedName{Namespace: "w", Name: fmt.Sprintf("%05d", i)}
}
