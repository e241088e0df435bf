package rest

import (
	"context"

	"golang.org/x/sync/singleflight"
)

// share has all that ask for a key at the same time wait for one read. The read goes on for the others if the first of them gives up.
func share[T any](ctx context.Context, flights *singleflight.Group, key string, read func(context.Context) (T, error)) (T, error) {
	flight := flights.DoChan(key, func() (any, error) { return read(context.WithoutCancel(ctx)) })
	select {
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	case result := <-flight:
		found, _ := result.Val.(T)
		return found, result.Err
	}
}
