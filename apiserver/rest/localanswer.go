package rest

import (
	"context"
	"reflect"
)

// callerKey is the key of a context that has a *localCaller. Only this package can set it, so no request from the network has one.
type callerKey struct{}

// localCaller is who calls an operation within the process, and what it answers.
type localCaller struct {
	Caller

	// body of the answer; nil while there is none, and if it has none.
	body any
}

func callerOf(ctx context.Context) (*localCaller, bool) {
	c, ok := ctx.Value(callerKey{}).(*localCaller)
	return c, ok
}

// handOver gives the body of an output to a caller within the process, and returns the output without it: nobody reads its JSON. For
// requests from the network it returns the output as it is.
func handOver[O any](ctx context.Context, out *O) *O {
	caller, ok := callerOf(ctx)
	if !ok {
		return out
	}
	without := *out
	if v := reflect.ValueOf(&without).Elem(); v.Kind() == reflect.Struct {
		if body := v.FieldByName("Body"); body.IsValid() {
			caller.body = body.Interface()
			body.SetZero()
		}
	}
	return &without
}
