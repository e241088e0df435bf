package conditions_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// A step that is blocked goes on when something happens, and somebody has to know what.
func TestWhatBlocksOrStallsWaitsForSomething(t *testing.T) {
	for reason, row := range conditions.Reasons {
		if (row.Blocks || row.Stalls || row.NotDueYet) && row.WaitsFor == "" {
			t.Errorf("%s waits for nothing", reason)
		}
		if row.Stalls && row.WaitsFor != conditions.NeedPerson {
			t.Errorf("%s waits for %s, so it does not stall", reason, row.WaitsFor)
		}
		if row.UntilChange && !row.FromCMS {
			t.Errorf("%s is final until the connection changes, and no CMS answers it", reason)
		}
	}
}
