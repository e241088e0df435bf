package deliveries

import (
	"net/url"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

// deliveryStates are the tabs, in their order.
var deliveryStates = []struct {
	state string
	mark  page.Mark
}{
	{page.StateFailed, page.Mark{Class: "failed", Text: "Failed"}},
	{page.StateRetrying, page.Mark{Class: "retrying", Text: "Retrying"}},
	{page.StateInProgress, page.Mark{Class: page.InProgress, Text: "In progress"}},
	{page.StateDelivered, page.Mark{Class: "delivered", Text: "Delivered"}},
}

// deliveryMark returns a state of a delivery in words.
func deliveryMark(state string) page.Mark {
	for _, s := range deliveryStates {
		if s.state == state {
			return s.mark
		}
	}
	return page.Mark{Text: "Nothing sent"}
}

// knownState reports whether a form names a state of a delivery.
func knownState(state string) bool { return deliveryMark(state).Class != "" }

// deliveriesPath returns the path of a page of the list of deliveries: those in a state, of a site or of all, from a cursor on.
func deliveriesPath(v *page.Visit, state, site, before string) string {
	query := url.Values{"state": {state}}
	for _, p := range []struct{ name, value string }{{"site", site}, {"before", before}} {
		if p.value != "" {
			query.Set(p.name, p.value)
		}
	}
	return v.Path("deliveries") + "?" + query.Encode()
}
