package operation

import (
	"context"
	"reflect"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
)

// callerKey is the key of a context that has a *localCaller. Only this package can set it, so no request from the network has one.
type callerKey struct{}

// Result is what an operation answers a caller within the process.
type Result struct {
	// Body of the answer; nil while there is none, and if it has none.
	Body any
}

// localCaller is somebody who has proved who they are to the process itself.
type localCaller struct {
	principal auth.Principal
	Result
}

// WithCaller returns a context in which an operation is called by somebody within the process, and where its answer will be.
func WithCaller(ctx context.Context, as auth.Principal) (context.Context, *Result) {
	caller := &localCaller{principal: as}
	return context.WithValue(ctx, callerKey{}, caller), &caller.Result
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
			caller.Body = body.Interface()
			body.SetZero()
		}
	}
	return &without
}
