package subscription

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// EventName names a kind of event in a request, or all of them.
type EventName string

// Schema describes an EventName.
func (EventName) Schema(huma.Registry) *huma.Schema {
	names := make([]any, 0, 1+len(lifecycle.EventKinds))
	names = append(names, string(allEvents))
	for _, kind := range lifecycle.EventKinds {
		names = append(names, kind.Name)
	}
	return &huma.Schema{Type: huma.TypeString, Enum: names}
}

// EventNames name the events that a subscription wants.
type EventNames []EventName

// Schema describes EventNames.
func (EventNames) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeArray, Items: EventName("").Schema(r), Description: "* alone for all.",
		MinItems: new(1), MaxItems: new(len(lifecycle.EventKinds)), UniqueItems: true,
	}
}
