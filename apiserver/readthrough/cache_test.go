package readthrough_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/readthrough"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// source is read through a cache, and counts.
type source struct {
	reads int
	err   error
}

func (s *source) read(context.Context) (string, error) {
	s.reads++
	return "value", s.err
}

var missing = apierrors.NewNotFound(schema.GroupResource{Resource: "sites"}, "one")

func cacheOf(o readthrough.Options[string]) (*readthrough.Cache[string, string], *clocktesting.FakePassiveClock) {
	now := clocktesting.NewFakePassiveClock(start)
	o.Clock = now
	return readthrough.New[string](o), now
}

func lengthOf(s string) int64 { return int64(len(s)) }

func TestWhatWasReadIsKept(t *testing.T) {
	c, _ := cacheOf(readthrough.Options[string]{Cost: lengthOf, Most: 100})
	s := &source{}
	for range 3 {
		if got, err := c.Get(t.Context(), "acme", "one", s.read); got != "value" || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	}
	if s.reads != 1 {
		t.Errorf("%d reads", s.reads)
	}
}

func TestTheValuesUsedLastAreKept(t *testing.T) {
	c, _ := cacheOf(readthrough.Options[string]{Cost: lengthOf, Most: 9})
	c.Keep("one", "1234")
	c.Keep("two", "1234")
	c.Keep("two", "12345") // in place of the first one
	if _, ok := c.Kept("one"); !ok {
		t.Error("there is room for 9")
	}
	c.Keep("three", "1")
	for key, want := range map[string]bool{"one": true, "two": false, "three": true} {
		if _, ok := c.Kept(key); ok != want {
			t.Errorf("%s is kept: %t", key, ok)
		}
	}
	c.Keep("four", "1234567890")
	if _, ok := c.Kept("four"); ok {
		t.Error("a value that costs too much is kept")
	}
}

func TestWhatIsMissingIsNotAskedForAgainForATime(t *testing.T) {
	c, now := cacheOf(readthrough.Options[string]{MissingFor: time.Second})
	s := &source{err: missing}
	for range 3 {
		if _, err := c.Get(t.Context(), "acme", "one", s.read); !errors.Is(err, missing) {
			t.Errorf("got %v", err)
		}
	}
	if s.reads != 1 {
		t.Errorf("%d reads", s.reads)
	}
	now.SetTime(start.Add(time.Second + time.Millisecond))
	s.err = nil
	if got, err := c.Get(t.Context(), "acme", "one", s.read); got != "value" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAFailureIsNotRemembered(t *testing.T) {
	c, _ := cacheOf(readthrough.Options[string]{MissingFor: time.Second, Cost: lengthOf, Most: 100})
	s := &source{err: errors.New("unreachable")}
	if _, err := c.Get(t.Context(), "acme", "one", s.read); !errors.Is(err, s.err) {
		t.Errorf("got %v", err)
	}
	s.err = nil
	if _, err := c.Get(t.Context(), "acme", "one", s.read); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestAnyoneWhoAsksForTooMuchThatIsMissingWaits(t *testing.T) {
	now := clocktesting.NewFakePassiveClock(start)
	misses := middleware.NewThrottle(now, 1, 2)
	c := readthrough.New[string](readthrough.Options[string]{Misses: misses, Clock: now})
	exists, not := &source{}, &source{err: missing}
	for range 10 {
		if _, err := c.Get(t.Context(), "acme", "there", exists.read); err != nil {
			t.Fatalf("what exists takes nothing: %v", err)
		}
	}
	for range 5 {
		_, _ = c.Get(t.Context(), "acme", "not", not.read)
	}
	if not.reads != 2 {
		t.Errorf("%d reads of what is missing", not.reads)
	}
	_, err := c.Get(t.Context(), "acme", "there", exists.read)
	if flood, ok := errors.AsType[*readthrough.FloodError](err); !ok || flood.Wait != time.Second {
		t.Errorf("got %v", err)
	}
	if _, err := c.Get(t.Context(), "other", "there", exists.read); err != nil {
		t.Errorf("another one waits too: %v", err)
	}
}

func TestAllThatAskAtTheSameTimeWaitForOneRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := cacheOf(readthrough.Options[string]{})
		reads, release := 0, make(chan struct{})
		slow := func(ctx context.Context) (string, error) {
			reads++
			<-release
			return "value", ctx.Err()
		}
		first, giveUp := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := c.Get(first, "acme", "one", slow); !errors.Is(err, context.Canceled) {
				t.Errorf("who gives up got %v", err)
			}
		})
		all.Go(func() {
			if got, err := c.Get(t.Context(), "acme", "one", slow); got != "value" || err != nil {
				t.Errorf("who waits got %q, %v", got, err)
			}
		})
		synctest.Wait()
		giveUp()
		synctest.Wait()
		close(release)
		all.Wait()
		if reads != 1 {
			t.Errorf("%d reads", reads)
		}
	})
}
