package limits_test

import (
	"context"
	"errors"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/limits"
)

// accounts is a kube-apiserver with one account.
type accounts struct {
	client.Reader

	limits v1alpha1.AccountLimits
	err    error
	reads  int
}

func (a *accounts) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	a.reads++
	if account, ok := into.(*v1alpha1.Account); ok && key.Name == "acme" {
		account.Spec.Limits = a.limits
	}
	return a.err
}

func TestLimitsAreReadEveryTenSeconds(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	live := &accounts{}
	reader := limits.NewReader(live, clock)
	want := func(most int64, reads int) {
		t.Helper()
		got, err := reader.Of(t.Context(), "acme")
		if err != nil || got.MostEventSubscriptions() != most || live.reads != reads {
			t.Errorf("got %d, %v after %d reads, want %d after %d", got.MostEventSubscriptions(), err, live.reads, most, reads)
		}
	}
	want(v1alpha1.DefaultEventSubscriptions, 1)
	live.limits.EventSubscriptions = new(int32(0))
	want(v1alpha1.DefaultEventSubscriptions, 1)
	clock.SetTime(clock.Now().Add(10*time.Second + 1))
	want(0, 2)
}

func TestLimitsThatCannotBeReadAreNotRemembered(t *testing.T) {
	live := &accounts{err: errors.New("no route to host")}
	reader := limits.NewReader(live, clocktesting.NewFakePassiveClock(time.Now()))
	if _, err := reader.Of(t.Context(), "acme"); !errors.Is(err, live.err) {
		t.Errorf("got %v, want %v", err, live.err)
	}
	live.err = nil
	if _, err := reader.Of(t.Context(), "acme"); err != nil {
		t.Errorf("got %v, want none", err)
	}
}
