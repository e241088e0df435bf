package operation

import (
	"context"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Limit is one of an account's spec.limits.
type Limit struct {
	// Name of its field, and Of what it counts, for people.
	Name, Of string
	// Most returns what it is.
	Most func(v1alpha1.AccountLimits) int64
	// Count counts what the account has. In memory, that lags behind a write by a moment: Seen reports whether Count has what was created.
	// It is nil if Count has it at once.
	Count func(context.Context) (int64, error)
	Seen  func() bool
}

// Places are what a request has taken of the limits of its account. If it has created what they are for, Keep must be called, and Release
// if not.
type Places []Place

// Place is a part of Places.
type Place interface {
	Keep()
	Release()
}

// Keep says that what the places are for was created.
func (p Places) Keep() {
	for _, one := range p {
		one.Keep()
	}
}

// Release gives the places back.
func (p Places) Release() {
	for _, one := range p {
		one.Release()
	}
}

// Settle keeps places or gives them back, by the error of a creation: what may have been created is counted. An answer that repeats an
// earlier one has created nothing.
func (c *Call) Settle(p Places, err error) {
	if !c.replayed.Load() && (err == nil || problem.IsUnavailable(err)) {
		p.Keep()
	} else {
		p.Release()
	}
}

// Room takes n of a limit of the account, for requests at the same time too. It returns a problem if there is not so much.
func (c *Call) Room(ctx context.Context, l Limit, n int64) (Place, error) {
	limits, err := c.Core.AccountLimits(ctx, c)
	if err != nil {
		return nil, err
	}
	room := middleware.Room{Name: c.Principal.Account + " " + l.Name, Most: l.Most(limits), Count: l.Count, Seen: l.Seen}
	place, err := c.Core.rooms.Take(ctx, room, n)
	if place == nil && err == nil {
		err = problem.LimitReached(l.Name, l.Of, room.Most)
	}
	return place, err
}

// remembered is the place of a record.
type remembered struct{ undo func() }

// Keep does nothing: it is counted until the controller has counted it.
func (remembered) Keep() {}

// Release takes it back.
func (r remembered) Release() { r.undo() }

// RoomForRecord takes room for another Idempotency-Key that is remembered, besides those that the controller has counted. It returns a
// problem if the account may not have one more.
func (c *Call) RoomForRecord(ctx context.Context, r Request) (Place, error) {
	if r.Hash == "" {
		return Places{}, nil
	}
	account, err := c.Core.Account(ctx, c)
	if err != nil {
		return nil, err
	}
	counted, most := account.Status.Objects, account.Spec.Limits.MostIdempotencyRecords()
	var since time.Time
	if counted.CountTime != nil {
		since = counted.CountTime.Time
	}
	if undo := c.Core.records.Take(account.Name, since, most-counted.IdempotencyRecords); undo != nil {
		return remembered{undo}, nil
	}
	return nil, problem.LimitReached("idempotencyRecords", "Idempotency-Keys in 24 hours", most)
}
