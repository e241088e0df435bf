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
	Zone             string
	Zones            []string
	Site             string
	Sites            []restsite.Site
	Weeks            [][]calendarDay
	Weekdays         []string
	// Any reports whether there is anything in the month, and More that not all of it is shown.
	Any, More bool
}

type calendarDay struct {
	// Date as in addresses, and in words.
	Date, Text string
	Number     int
	// Other means that it is of the month before or after, Today that it is today.
	Other, Today bool
	Entries      []calendarEntry
}

type calendarEntry struct {
	Title, Path, Time, SiteName string
	Mark                        page.Mark
	// Color is the number of the site's colour.
	Color int
	// MovePath leads to the form that moves it; empty if it cannot be moved.
	MovePath string
}

// showCalendar shows what was published in a month, and what is to be.
func showCalendar(v *page.Visit) (*page.Answer, error) {
	zone, ok := page.ZoneNamed(v.Query("zone"))
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
		Month: month.Format(monthForm), MonthText: month.Format("January 2006"), Zone: zone.String(), Zones: v.ZoneNames(),
		Site: v.Query("site"), Sites: sites, Weeks: weeksOf(month),
		Weekdays: []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
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
			day.Entries = append(day.Entries, entryOf(v, e, at.In(zone), sites, names))
			view.Any = true
		}
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

// weeksOf returns the days of the weeks of a month, which is given by its first day.
func weeksOf(month time.Time) (weeks [][]calendarDay) {
	next := month.AddDate(0, 1, 0)
	for day := firstDay(month); day.Before(next); {
		week := make([]calendarDay, 0, 7)
		for range 7 {
			week = append(week, calendarDay{
				Date: day.Format(dayForm), Text: day.Format("Monday, 2 January"), Number: day.Day(), Other: day.Month() != month.Month(),
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
	after := first.AddDate(0, 0, 7*len(weeksOf(month)))
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
