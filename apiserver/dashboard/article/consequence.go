package article

import (
	"fmt"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// approveText says what follows an approval.
func approveText(v *page.Visit, a restarticle.Article) string {
	switch {
	case missingApprovals(a) > 1:
		return fmt.Sprintf("Approve (%d of %d)", len(a.Approvals.Given)+1, a.Approvals.Required)
	case !a.PublishRequested:
		return "Approve"
	}
	if at, ok := page.TimeOf(a.PublishAt); ok && at.After(v.Now()) {
		return "Approve: goes out " + v.InZones(at.In(v.Zone))
	}
	return "Approve (publishes at once)"
}
