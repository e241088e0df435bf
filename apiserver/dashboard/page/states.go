package page

import "github.com/pressroom-dev/pressroom/api/v1alpha1"

// The statuses of articles that decide what is offered.
const (
	StatusDraft      = "draft"
	StatusReview     = "review"
	StatusGenerating = "generating"
	StatusPublished  = "published"
	StatusArchived   = "archived"
)

// MaxAttempts is how many attempts a delivery has at most (contract, section 6).
const MaxAttempts = v1alpha1.MaxAttempts

// The states of a delivery in the REST API.
const (
	StateFailed     = "failed"
	StateRetrying   = "retry_scheduled"
	StateInProgress = "delivering"
	StateDelivered  = "delivered"
)

// Ended reports whether a delivery in a state can be begun again.
func Ended(state string) bool { return state == StateFailed || state == StateDelivered }

// MaxBulk is how many articles a bulk action may be about, as in the REST API.
const MaxBulk = 50

// ListLimit is how many articles a page of the list has.
const ListLimit = 50

// AllStatuses stands for all of them in the list.
const AllStatuses = "all"
