package dashboard

import (
	"net/url"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// The forms of days and months in addresses.
const (
	dayForm   = "2006-01-02"
	monthForm = "2006-01"
)

// The bounds of one month: pages of the largest size.
const (
	calendarLimit = "500"
	calendarPages = 4
)

// calendarView is the data of the calendar.
type calendarView struct {
	// Month as in the address, and in words.
	Month, MonthText string
	Previous, Next   string
	Today            string
	Zone             string
	Zones            []string
	Site             string
	Sites            []rest.Site
	Weeks            [][]calendarDay
	Weekdays         []string
	// Any reports whether there is anything in the month, and More that not all of it is shown.
	Any, More bool
}

// calendarDay is a day of a calendar.
type calendarDay struct {
	// Date as in addresses, and in words.
	Date, Text string
	Number     int
	// Other means that it is of the month before or after, Today that it is today.
	Other, Today bool
	Entries      []calendarEntry
}

type calendarEntry struct {
	Title, Path, Time, Status, SiteName string
	// Color is the number of the site's colour.
	Color int
	// MovePath leads to the form that moves it; empty if it cannot be moved.
	MovePath string
}

func calendarRoutes() []route {
	const entry = "/w/:workspace/calendar/:uid"
	return []route{
		page("/w/:workspace/calendar", v1alpha1.ScopeRead, showCalendar),
		page(entry, v1alpha1.ScopeWrite, showMove),
		form(entry, v1alpha1.ScopeWrite, "publish-article", move),
		form(entry+"/unschedule", v1alpha1.ScopeWrite, "unschedule-article", unscheduleEntry),
	}
}

// showCalendar shows what was published in a month, and what is to be.
func showCalendar(v *visit) (*answer, error) {
	zone := v.calendarZone()
	today := v.now().In(zone)
	month, err := time.ParseInLocation(monthForm, v.query("month"), zone)
	if err != nil {
		month = time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, zone)
	}
	sites, names, err := v.sitesAndNames()
	if err != nil {
		return nil, err
	}
	view := &calendarView{
		Month: month.Format(monthForm), MonthText: month.Format("January 2006"), Zone: zone.String(), Zones: v.zoneNames(),
		Site: v.query("site"), Sites: sites,
		Weekdays: []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"},
	}
	view.Previous, view.Next = v.month(view, month.AddDate(0, -1, 0)), v.month(view, month.AddDate(0, 1, 0))
	view.Today = v.month(view, today)
	first, weeks := weeksOf(month)
	entries, more, err := v.calendarEntries(view.Site, first, first.AddDate(0, 0, 7*weeks))
	if err != nil {
		return nil, err
	}
	byDay := map[string][]calendarEntry{}
	for _, e := range entries {
		at, _ := timeOf(e.At)
		day := at.In(zone).Format(dayForm)
		byDay[day] = append(byDay[day], v.calendarEntry(e, at.In(zone), sites, names))
	}
	view.More, view.Any = more, len(entries) > 0
	view.Weeks = daysOf(month, first, weeks, today.Format(dayForm), byDay)
	return v.page("calendar.html", "Calendar", view), nil
}

// calendarZone is the zone of the calendar: the one in the address, else the person's.
func (v *visit) calendarZone() *time.Location {
	if zone, ok := zoneNamed(v.query("zone")); ok {
		return zone
	}
	return v.zone()
}

// month is the address of the calendar of another month.
func (v *visit) month(view *calendarView, at time.Time) string {
	query := url.Values{"month": {at.Format(monthForm)}}
	if view.Zone != v.zone().String() {
		query.Set("zone", view.Zone)
	}
	if view.Site != "" {
		query.Set("site", view.Site)
	}
	return v.path("calendar") + "?" + query.Encode()
}

// weeksOf returns the Monday with which the weeks of a month begin, and how many there are.
func weeksOf(month time.Time) (first time.Time, weeks int) {
	before := (int(month.Weekday()) + 6) % 7
	days := month.AddDate(0, 1, -1).Day()
	return month.AddDate(0, 0, -before), (before + days + 6) / 7
}

// daysOf returns the weeks of a month with what is on each day.
func daysOf(month, first time.Time, weeks int, today string, byDay map[string][]calendarEntry) [][]calendarDay {
	out := make([][]calendarDay, weeks)
	for i := range 7 * weeks {
		day := first.AddDate(0, 0, i)
		date := day.Format(dayForm)
		out[i/7] = append(out[i/7], calendarDay{
			Date: date, Text: day.Format("Monday, 2 January"), Number: day.Day(), Other: day.Month() != month.Month(), Today: date == today,
			Entries: byDay[date],
		})
	}
	return out
}

// calendarEntries returns the articles of a time, as far as a page shows them.
func (v *visit) calendarEntries(site string, from, to time.Time) (entries []rest.CalendarEntry, more bool, err error) {
	query := url.Values{"from": {from.UTC().Format(time.RFC3339)}, "to": {to.UTC().Format(time.RFC3339)}, "limit": {calendarLimit}}
	if site != "" {
		query.Set("site_uid", site)
	}
	for range calendarPages {
		got, err := call[rest.Calendar](v, rest.Request{Operation: "get-calendar", Query: query})
		if err != nil {
			return nil, false, err
		}
		entries = append(entries, got.Data...)
		if !got.HasMore || got.NextCursor == nil {
			return entries, false, nil
		}
		query.Set("cursor", *got.NextCursor)
	}
	return entries, true, nil
}
