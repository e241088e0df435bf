package middleware

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	// unseenFor is how long what was created takes room although the count does not have it: memory lags by some milliseconds.
	unseenFor = time.Second
	// roomWithin is how long a request waits for those at the same time, each of which may fail, and roomEvery is how often it looks.
	roomWithin, roomEvery = unseenFor + time.Second, 20 * time.Millisecond
)

// Rooms have limits hold for requests at the same time: what is about to be created, and what was created and is not counted yet, takes
// room as well. The requests of a name are looked at one after the other. Its methods may be called from any goroutine.
type Rooms struct {
	turns *Turns

	mu     sync.Mutex
	places map[string]map[*Place]struct{}
}

// NewRooms returns Rooms of which nothing is taken.
func NewRooms() *Rooms { return &Rooms{turns: NewTurns(1), places: map[string]map[*Place]struct{}{}} }

// Room is that of one name, such as the sites of an account.
type Room struct {
	Name string
	// Most is the limit, and Count counts what there is.
	Most  int64
	Count func(context.Context) (int64, error)
	// Seen reports whether Count has what was created. It is nil if Count has it at once.
	Seen func() bool
}

// Place is what a request has taken of a room. Keep or Release must be called. Nil is no place.
type Place struct {
	rooms *Rooms
	name  string
	n     int64
	seen  func() bool
	kept  bool
}

// Take takes n of a room; nil if there is not so much. While others have what is missing, it waits for how they end.
func (r *Rooms) Take(ctx context.Context, room Room, n int64) (*Place, error) {
	end, err := r.turns.Wait(ctx, room.Name)
	if err != nil {
		return nil, err
	}
	defer end()
	var place *Place
	err = wait.PollUntilContextTimeout(ctx, roomEvery, roomWithin, true, func(ctx context.Context) (bool, error) {
		// In this order: the other way round, what is seen in between would not count.
		others := r.taken(room.Name)
		has, err := room.Count(ctx)
		if err != nil {
			return false, err
		}
		if has+others+n <= room.Most {
			place = &Place{rooms: r, name: room.Name, n: n, seen: room.Seen}
			r.add(place)
			return true, nil
		}
		return others == 0 || has+n > room.Most, nil
	})
	if wait.Interrupted(err) && ctx.Err() == nil {
		// Those at the same time have not ended.
		err = nil
	}
	return place, err
}

// Release gives the room back: nothing was created.
func (p *Place) Release() {
	if p != nil {
		p.rooms.remove(p)
	}
}

// Keep says that something was created. It takes room until the count has it.
func (p *Place) Keep() {
	switch {
	case p == nil:
	case p.seen == nil || p.seen():
		p.rooms.remove(p)
	default:
		p.rooms.mu.Lock()
		defer p.rooms.mu.Unlock()
		p.kept = true
		time.AfterFunc(unseenFor, func() { p.rooms.remove(p) })
	}
}

// taken returns how much is taken of a name, but for what the count has.
func (r *Rooms) taken(name string) (sum int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for p := range r.places[name] {
		if p.kept && p.seen() {
			r.drop(p)
			continue
		}
		sum += p.n
	}
	return sum
}

func (r *Rooms) add(p *Place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.places[p.name] == nil {
		r.places[p.name] = map[*Place]struct{}{}
	}
	r.places[p.name][p] = struct{}{}
}

func (r *Rooms) remove(p *Place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop(p)
}

// drop forgets a place, and a name without any.
func (r *Rooms) drop(p *Place) {
	if delete(r.places[p.name], p); len(r.places[p.name]) == 0 {
		delete(r.places, p.name)
	}
}
