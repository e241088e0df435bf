package calendar

import "time"

// Days returns the dates of the weeks of a month, and reports for a time in a zone on which of them it is, if it is asked for at all.
func Days(month time.Time, zone *time.Location) (dates []string, on func(at time.Time) string) {
	view := &calendarView{Weeks: weeksOf(month, "")}
	for _, week := range view.Weeks {
		for _, day := range week {
			dates = append(dates, day.Date)
		}
	}
	from, to := boundsOf(month, zone)
	return dates, func(at time.Time) string {
		day := view.day(at.In(zone))
		if day == nil || at.Before(from) || !at.Before(to) {
			return ""
		}
		return day.Date
	}
}
