package main

import (
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/pressroom-dev/pressroom/internal/inflight"
)

// Attempts that time out together are recorded one after the other. A delivery takes 30 seconds to time out (contract, section 8): if the
// next ones took longer to begin, some slots would not be used.
func TestTimeoutsAreSpreadOverLessThanADeliveryTakes(t *testing.T) {
	var f slotFlags
	f.add(pflag.NewFlagSet("controller", pflag.ContinueOnError))
	for name, limits := range map[string]inflight.Limits{"runs": f.runs, "deliveries": f.deliveries} {
		if limits.Spread <= 0 || limits.Spread >= 30*time.Second {
			t.Errorf("the timeouts of %s are spread over %s, want something between 0 and 30s", name, limits.Spread)
		}
	}
}
