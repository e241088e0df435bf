package problem

import "context"

// RequestIDHeader carries the id of the request in every answer.
const RequestIDHeader = "x-request-id"

type requestIDKey struct{}

// WithRequestID returns a context of a request that has an id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
