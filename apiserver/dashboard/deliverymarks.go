package dashboard

import (
	"net/url"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// maxAttempts is how many attempts a delivery has at most (contract, section 6).
const maxAttempts = v1alpha1.MaxAttempts

// The states of a delivery in the REST API.
const (
	stateFailed     = "failed"
	stateRetrying   = "retry_scheduled"
	stateInProgress = "delivering"
	stateDelivered  = "delivered"
)

// deliveryStates are the tabs, in their order.
var deliveryStates = []struct {
	state string
	mark  mark
}{
	{stateFailed, mark{"failed", "Failed"}}, {stateRetrying, mark{"retrying", "Retrying"}},
	{stateInProgress, mark{inProgress, "In progress"}}, {stateDelivered, mark{"delivered", "Delivered"}},
}

// deliveryMark returns a state of a delivery in words.
func deliveryMark(state string) mark {
	for _, s := range deliveryStates {
		if s.state == state {
			return s.mark
		}
	}
	return mark{"", "Nothing sent"}
}

// ended reports whether a delivery in a state can be begun again.
func ended(state string) bool { return state == stateFailed || state == stateDelivered }

// knownState reports whether a form names a state of a delivery.
func knownState(state string) bool { return deliveryMark(state).Class != "" }

// deliveriesPath returns the path of a page of the list of deliveries: those in a state, of a site or of all, from a cursor on.
func deliveriesPath(v *visit, state, site, before string) string {
	query := url.Values{"state": {state}}
	for _, p := range []struct{ name, value string }{{"site", site}, {"before", before}} {
		if p.value != "" {
			query.Set(p.name, p.value)
		}
	}
	return v.path("deliveries") + "?" + query.Encode()
}
