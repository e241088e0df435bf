package article

import (
	"fmt"
	"time"

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
		return "Approve: goes out " + inBothZones(v, at)
	}
	return "Approve (publishes at once)"
}

// inBothZones writes a time in the person's zone, with its name, and in UTC.
func inBothZones(v *page.Visit, at time.Time) string {
	local, utc := at.In(v.Zone), at.UTC()
	text := local.Format("2 Jan 2006, 15:04 ") + v.Zone.String()
	switch {
	case v.Zone == time.UTC:
		return text
	case local.YearDay() != utc.YearDay():
		return text + utc.Format(" (2 Jan, 15:04 UTC)")
	}
	return text + utc.Format(" (15:04 UTC)")
}
