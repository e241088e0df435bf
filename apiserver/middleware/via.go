package middleware

import "context"

// Via is the way by which a request reached the REST API. It is a label of metrics.
type Via string

// The ways. A request from the network has none of the other two.
const (
	ViaNetwork Via = "network"
	// ViaPage is a call of a page of this process, and ViaMCP one of a tool at the endpoint for agents.
	ViaPage Via = "page"
	ViaMCP  Via = "mcp"
)

type viaKey struct{}

// WithVia returns a context of a request that came by a way.
func WithVia(ctx context.Context, via Via) context.Context {
	return context.WithValue(ctx, viaKey{}, via)
}

// ViaOf returns the way by which the request that ctx belongs to came.
func ViaOf(ctx context.Context) Via {
	if via, ok := ctx.Value(viaKey{}).(Via); ok {
		return via
	}
	return ViaNetwork
}
