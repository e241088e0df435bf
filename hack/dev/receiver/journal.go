package receiver

import (
	"slices"
	"sync"
	"time"
)

// Delivery is one request to the webhook, accepted or not.
type Delivery struct {
	At        time.Time `json:"at"`
	Event     string    `json:"event"`
	Slug      string    `json:"slug,omitempty"`
	Signature string    `json:"signature"`
	Status    int       `json:"status"`
	Message   string    `json:"message"`
}

// journalLength is how many deliveries are shown.
const journalLength = 50

// journal remembers the last deliveries.
type journal struct {
	mu         sync.Mutex
	deliveries []Delivery
}

func (j *journal) add(d Delivery) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.deliveries) == journalLength {
		j.deliveries = slices.Delete(j.deliveries, 0, 1)
	}
	j.deliveries = append(j.deliveries, d)
}

// newestFirst returns the last deliveries.
func (j *journal) newestFirst() []Delivery {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := slices.Clone(j.deliveries)
	slices.Reverse(out)
	return out
}
