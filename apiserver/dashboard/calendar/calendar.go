// Package calendar has the calendar of what was published and what is planned.
package calendar

import (
	"embed"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	const entry = "/w/:workspace/calendar/:uid"
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show("/w/:workspace/calendar", v1alpha1.ScopeRead, showCalendar),
		page.Show(entry, v1alpha1.ScopeWrite, showMove),
		page.Form(entry, review.Publish, page.Sent(move)),
		page.Form(entry+"/unschedule", review.CancelPublication, unscheduleEntry),
	}}
}

// The forms of days and months in addresses.
const (
	dayForm   = "2006-01-02"
	monthForm = "2006-01"
)

// The bounds of one month: pages of the largest size.
const (
	calendarLimit = 500
	calendarPages = 4
)

type calendarView struct {
	// Month as in the address, and in words.
	Month, MonthText string
	Previous, Next   string
	Today            string
	// Zone is the one of the calendar. ZoneProblem says what is wrong with ZoneTyped, which is what somebody has chosen.
	Zone, ZoneTyped, ZoneProblem string
	Zones                        []page.ZoneOption
	Site                         string
	Sites                        []restsite.Site
	Weeks                        [][]calendarDay
	Weekdays                     []string
	// Any reports whether there is anything in the month, and More that not all of it is shown.
	Any, More bool
	Tray      tray
}

type calendarDay struct {
	// Date as in addresses, and in words.
	Date, Text string
	Number     int
	// Other means that it is of the month before or after, Today that it is today, and Past that nothing can be planned on it any more.
	Other, Today, Past bool
	Entries            []calendarEntry
}

// showCalendar shows what was published in a month, and what is to be.
func showCalendar(v *page.Visit) (*page.Answer, error) {
	typed := v.Query("zone")
	zone, ok := page.ZoneNamed(typed)
	if !ok {
		zone = v.Zone
	}
	today := v.Now().In(zone)
	month, err := time.Parse(monthForm, v.Query("month"))
	if err != nil {
		month = time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	sites, names, err := v.SitesAndNames()
	if err != nil {
		return nil, err
	}
	view := &calendarView{
		Month: month.Format(monthForm), MonthText: month.Format("January 2006"), Zone: zone.String(), ZoneTyped: zone.String(),
		Zones: v.ZoneOptions(), Site: v.Query("site"), Sites: sites, Weeks: weeksOf(month, today.Format(dayForm)),
		Weekdays: []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
	}
	if !ok && typed != "" {
		view.ZoneTyped, view.ZoneProblem = typed, page.NoZone(typed)
	}
	view.Previous, view.Next = monthPath(v, view, month.AddDate(0, -1, 0)), monthPath(v, view, month.AddDate(0, 1, 0))
	view.Today = monthPath(v, view, today)
	from, to := boundsOf(month, zone)
	entries, more, err := calendarEntries(v, view.Site, from, to)
	if err != nil {
		return nil, err
	}
	view.More = more
	if day := view.day(today); day != nil {
		day.Today = true
	}
	for _, e := range entries {
		at, _ := page.TimeOf(e.At)
		if day := view.day(at.In(zone)); day != nil {
			entry := entryOf(v, e.ArticleSummary, zone, sites, names)
			entry.Time = at.In(zone).Format("15:04")
			day.Entries = append(day.Entries, entry)
			view.Any = true
		}
	}
	if view.Tray, err = trayOf(v, view.Site, zone, sites, names); err != nil {
		return nil, err
	}
	return v.Page("calendar.html", "Calendar", view), nil
}

// monthPath is the address of the calendar of another month.
func monthPath(v *page.Visit, view *calendarView, at time.Time) string {
	zone := view.Zone
	if zone == v.Zone.String() {
		zone = ""
	}
	return page.WithQuery(v.Path("calendar"), "month", at.Format(monthForm), "zone", zone, "site", view.Site)
}

// firstDay returns the Monday with which the weeks of a month begin. Days are computed in UTC, where each of them has a midnight.
func firstDay(month time.Time) time.Time {
	return month.AddDate(0, 0, -(int(month.Weekday())+6)%7)
}

// weeksOf returns the days of the weeks of a month, which is given by its first day. today is the date in the zone of the calendar.
func weeksOf(month time.Time, today string) (weeks [][]calendarDay) {
	next := month.AddDate(0, 1, 0)
	for day := firstDay(month); day.Before(next); {
		week := make([]calendarDay, 0, 7)
		for range 7 {
			date := day.Format(dayForm)
			week = append(week, calendarDay{
				Date: date, Text: day.Format("Monday, 2 January"), Number: day.Day(), Other: day.Month() != month.Month(),
				Past: date < today,
			})
			day = day.AddDate(0, 0, 1)
		}
		weeks = append(weeks, week)
	}
	return weeks
}

// clockChange is more than a clock is set forward or back.
const clockChange = 3 * time.Hour

// boundsOf returns times between which all days of the weeks of a month lie in a zone. Where clocks change at midnight, that is missing or
// comes twice.
func boundsOf(month time.Time, zone *time.Location) (from, to time.Time) {
	first := firstDay(month)
	after := first.AddDate(0, 0, 7*len(weeksOf(month, "")))
	return time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, zone).Add(-clockChange),
		time.Date(after.Year(), after.Month(), after.Day(), 0, 0, 0, 0, zone).Add(clockChange)
}

// day returns the day of a time in the zone of the calendar; nil if it is on another page.
func (view *calendarView) day(at time.Time) *calendarDay {
	date := at.Format(dayForm)
	for _, week := range view.Weeks {
		if i := slices.IndexFunc(week, func(d calendarDay) bool { return d.Date == date }); i >= 0 {
			return &week[i]
		}
	}
	return nil
}

// calendarEntries returns the articles of a time that a page shows.
func calendarEntries(v *page.Visit, site string, from, to time.Time) (entries []articlelist.CalendarEntry, more bool, err error) {
	in := articlelist.GetCalendarInput{
		OfSite: articlelist.OfSite{SiteUID: operation.SiteUID(site)}, From: from.UTC(), To: to.UTC(), Limit: calendarLimit,
	}
	for range calendarPages {
		out, err := page.Call(v, articlelist.GetCalendar, in)
		if err != nil {
			return nil, false, err
		}
		got := out.Body
		entries = append(entries, got.Data...)
		if !got.HasMore || got.NextCursor == nil {
			return entries, false, nil
		}
		in.Cursor = *got.NextCursor
	}
	return entries, true, nil
}
