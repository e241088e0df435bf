package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/informers"
)

// fakeManager starts its runnables at once, and takes a minute to stop.
type fakeManager struct{ runnables []manager.Runnable }

func (m *fakeManager) Add(r manager.Runnable) error {
	m.runnables = append(m.runnables, r)
	return nil
}

var errDrained = errors.New("the calls in progress have ended")

func (m *fakeManager) Start(ctx context.Context) error {
	for _, r := range m.runnables {
		go func() { _ = r.Start(ctx) }()
	}
	<-ctx.Done()
	<-time.After(time.Minute)
	return errDrained
}

// A kind that is first read while the controller works, and that cannot be listed, must not keep the attempts in progress from being
// recorded.
func TestAManagerThatHasStartedItsControllersIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		health := informers.NewHealth()
		health.Observe(cache.Options{}).NewInformer(&toolscache.ListWatch{}, &v1alpha1.Account{}, 0, nil)
		if health.HasSynced() {
			t.Fatal("the informer has all objects")
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := runManager(ctx, &fakeManager{}, health); !errors.Is(err, errDrained) {
			t.Errorf("runManager = %v, want %v", err, errDrained)
		}
	})
}
