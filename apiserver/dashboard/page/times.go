package page

import (
	"fmt"
	"html/template"
	"time"

	"github.com/dustin/go-humanize"
)

// When shows a time, a time.Time or a text of RFC 3339, as Said says it in the person's zone. Its title has the exact time with the zone,
// and how far it is from now.
func (v *Visit) When(at any) template.HTML {
	t, ok := TimeOf(at)
	if !ok {
		return ""
	}
	return v.shown(t, v.Said(t))
}

// Short is When without the time of day of a day before today: for lists, in which the order is known.
func (v *Visit) Short(at any) template.HTML {
	t, ok := TimeOf(at)
	if !ok {
		return ""
	}
	switch days := v.daysTo(t); {
	case days == -1:
		return v.shown(t, "yesterday")
	case days < -1:
		return v.shown(t, v.dateOf(t))
	}
	return v.shown(t, v.Said(t))
}

// timeForm is how a sentence has a time of any day, in the person's zone.
const timeForm = "2 Jan 2006, 15:04"

// shown is a time with the words that stand for it. How far it is from now is in the title, as it was when the page was made.
func (v *Visit) shown(t time.Time, words string) template.HTML {
	const form = `<time datetime="%s" title="%s, %s">%s</time>`
	//nolint:gosec // times and zones have no characters that mean anything in HTML
	return template.HTML(fmt.Sprintf(form, t.UTC().Format(time.RFC3339), t.In(v.Zone).Format("Mon "+timeForm+" MST"), v.fromNow(t), words))
}

// Said says a time in the person's zone as people do: "17:15" of today, "tomorrow, 09:00", "28 Nov, 17:15", and the year if it is another
// one. The footer of each page names the zone.
func (v *Visit) Said(t time.Time) string {
	clock := t.In(v.Zone).Format("15:04")
	switch v.daysTo(t) {
	case 0:
		return clock
	case -1:
		return "yesterday, " + clock
	case 1:
		return "tomorrow, " + clock
	}
	return v.dateOf(t) + ", " + clock
}

// dateOf says the day of a time, with the year if that is another one than now.
func (v *Visit) dateOf(t time.Time) string {
	t = t.In(v.Zone)
	if t.Year() == v.Now().In(v.Zone).Year() {
		return t.Format("2 Jan")
	}
	return t.Format("2 Jan 2006")
}

// daysTo is how many days after today the day of a time is, in the person's zone.
func (v *Visit) daysTo(t time.Time) int {
	return int(dayOf(t.In(v.Zone)).Sub(dayOf(v.Now().In(v.Zone))) / (24 * time.Hour))
}

// dayOf is the day of a time in UTC, where each day has 24 hours.
func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// InZones says a time in its own zone and in that of the person, or in UTC if these are the same, such as
// "Tue 1 Dec 2026, 09:00 Asia/Tokyo (00:00 UTC)".
func (v *Visit) InZones(t time.Time) string {
	text := t.Format("Mon 2 Jan 2006, 15:04 ") + t.Location().String()
	other := t.In(v.Zone)
	if other.Location().String() == t.Location().String() {
		other = t.UTC()
	}
	if other.Location().String() == t.Location().String() {
		return text
	}
	form := "15:04 "
	if other.YearDay() != t.YearDay() {
		form = "Mon 2 Jan, 15:04 "
	}
	return text + " (" + other.Format(form) + other.Location().String() + ")"
}

// WhenIn shows a time as InZones says it, in a zone that somebody chose; if there is none of this name, in the person's own.
func (v *Visit) WhenIn(at any, zone string) template.HTML {
	t, ok := TimeOf(at)
	if !ok {
		return ""
	}
	chosen, ok := ZoneNamed(zone)
	if !ok {
		chosen = v.Zone
	}
	return v.shown(t, v.InZones(t.In(chosen)))
}

// Ago shows how far a time is from now, such as "3 minutes ago". The script of the page has that run on: data-ago has the seconds, because
// the clock of a person may be wrong.
func (v *Visit) Ago(at any) template.HTML {
	t, ok := TimeOf(at)
	if !ok {
		return ""
	}
	const form = `<time datetime="%s" data-ago="%d">%s</time>`
	//nolint:gosec // as in shown
	return template.HTML(fmt.Sprintf(form, t.UTC().Format(time.RFC3339), int(v.Now().Sub(t).Seconds()), v.fromNow(t)))
}

// fromNow says how far a time is from now.
func (v *Visit) fromNow(t time.Time) string { return humanize.RelTime(t, v.Now(), "ago", "from now") }

// TimeOf returns a time that is given as a time.Time or as a text of RFC 3339, or as a pointer to one.
func TimeOf(at any) (time.Time, bool) {
	switch at := at.(type) {
	case time.Time:
		return at, !at.IsZero()
	case *time.Time:
		if at != nil {
			return *at, true
		}
	case string:
		t, err := time.Parse(time.RFC3339, at)
		return t, err == nil
	case *string:
		if at != nil {
			return TimeOf(*at)
		}
	}
	return time.Time{}, false
}
