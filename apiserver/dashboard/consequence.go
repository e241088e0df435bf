package dashboard

import (
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// approveText says what follows an approval.
func (v *visit) approveText(a rest.Article) string {
	if !a.PublishRequested {
		return "Approve"
	}
	if at, ok := timeOf(a.PublishAt); ok && at.After(v.now()) {
		return "Approve: goes out " + v.inBothZones(at)
	}
	return "Approve (publishes at once)"
}

// inBothZones writes a time in the person's zone, with its name, and in UTC.
func (v *visit) inBothZones(at time.Time) string {
	local, utc := at.In(v.zone()), at.UTC()
	text := local.Format("2 Jan, 15:04 ") + v.zone().String()
	switch {
	case v.zone() == time.UTC:
		return text
	case local.YearDay() != utc.YearDay():
		return text + utc.Format(" (2 Jan, 15:04 UTC)")
	}
	return text + utc.Format(" (15:04 UTC)")
}
