package middleware

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// counted is what there is of something. Its count has what was created once seen is set.
type counted struct {
	rooms *Rooms
	has   atomic.Int64
	seen  atomic.Bool
}

func newCounted() *counted { return &counted{rooms: NewRooms()} }

func (c *counted) take(t *testing.T, most, n int64) *Place {
	t.Helper()
	place, err := c.rooms.Take(t.Context(), Room{
		Name: "acme sites", Most: most, Seen: c.seen.Load,
		Count: func(context.Context) (int64, error) { return c.has.Load(), nil },
	}, n)
	if err != nil {
		t.Error(err)
	}
	return place
}

func TestALimitHoldsForRequestsAtTheSameTime(t *testing.T) {
	c, created := newCounted(), atomic.Int64{}
	c.seen.Store(true)
	var all sync.WaitGroup
	for range 300 {
		all.Go(func() {
			if place := c.take(t, 50, 1); place != nil {
				created.Add(1)
				c.has.Add(1)
				place.Keep()
			}
		})
	}
	all.Wait()
	if created.Load() != 50 || len(c.rooms.places) != 0 {
		t.Errorf("%d were created, want 50; %d rooms are remembered", created.Load(), len(c.rooms.places))
	}
}

func TestWhatMemoryHasNotSeenTakesRoom(t *testing.T) {
	c := newCounted()
	first := c.take(t, 1, 1)
	first.Keep()
	done := make(chan *Place)
	go func() { done <- c.take(t, 1, 1) }()
	c.has.Store(1)
	c.seen.Store(true)
	if place := <-done; place != nil {
		t.Error("a second one is created of one")
	}
	c.has.Store(0)
	if c.take(t, 1, 1) == nil {
		t.Error("there is no room after it was deleted")
	}
}

// One that waits for another one gets its room if that fails.
func TestAPlaceThatIsGivenBackIsTakenByWhoWaits(t *testing.T) {
	c := newCounted()
	first := c.take(t, 5, 5)
	done := make(chan *Place)
	go func() { done <- c.take(t, 5, 1) }()
	first.Release()
	if <-done == nil {
		t.Error("the room is not given back")
	}
	if c.take(t, 5, 6) != nil {
		t.Error("more is taken than there may be")
	}
}

func TestNoPlaceIsTakenOfWhatCannotBeCounted(t *testing.T) {
	rooms, unknown := NewRooms(), errors.New("no route to host")
	place, err := rooms.Take(t.Context(), Room{Most: 1, Count: func(context.Context) (int64, error) { return 0, unknown }}, 1)
	if place != nil || !errors.Is(err, unknown) {
		t.Errorf("got %v and %v", place, err)
	}
	place.Release()
	place.Keep()
}
