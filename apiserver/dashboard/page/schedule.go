package page

import (
	"slices"
	"time"
)

// ScheduleView are the fields of a time: the template schedule shows them.
type ScheduleView struct {
	// At is the wall time, Zone the IANA name of the zone that it is in.
	At, Zone string
	Zones    []ZoneOption
	// Choices are the times that may be meant, if clocks show the wall time twice or never.
	Choices []scheduleChoice
	// Invalid says that a problem is about the time, and InvalidZone that it is about the zone.
	Invalid, InvalidZone bool
}

type scheduleChoice struct{ Value, Text string }

// Schedule returns the fields with a time that is set already, if it is, in the zone of the person.
func (v *Visit) Schedule(at any) ScheduleView { return v.ScheduleIn(at, v.Zone) }

// ScheduleIn is Schedule in another zone.
func (v *Visit) ScheduleIn(at any, zone *time.Location) ScheduleView {
	view := ScheduleView{Zone: zone.String(), Zones: v.ZoneOptions()}
	if t, ok := TimeOf(at); ok && t.After(v.Now()) {
		view.At = t.In(zone).Format(wallForm)
	}
	return view
}

// Scheduled returns the time of a form that was sent, or its fields and what is wrong with them. Nothing is guessed: a time that clocks
// show twice or never is asked about.
func (v *Visit) Scheduled() (time.Time, ScheduleView, string) {
	sent, err := FormAs[struct{ At, Zone, Instant string }](v)
	view := ScheduleView{At: sent.At, Zone: sent.Zone, Zones: v.ZoneOptions(), Invalid: true}
	if err != nil {
		return time.Time{}, view, ProblemOf(err)
	}
	zone, ok := ZoneNamed(view.Zone)
	if !ok {
		view.Invalid, view.InvalidZone = false, true
		return time.Time{}, view, NoZone(view.Zone)
	}
	view.Zone = zone.String()
	wall, err := time.Parse(wallForm, view.At)
	if err != nil {
		return time.Time{}, view, "Choose a day and a time."
	}
	at, near := wallTimes(wall, zone)
	possible := slices.Concat(at, near)
	if len(possible) > 1 {
		i := slices.IndexFunc(possible, func(t time.Time) bool { return instantOf(t) == sent.Instant })
		if i < 0 {
			return time.Time{}, view.asked(possible), wallProblem(wall, zone, len(at) > 0)
		}
		possible = possible[i : i+1]
	}
	if !possible[0].After(v.Now()) {
		return time.Time{}, view, "This time has passed. Choose a later one, or publish now."
	}
	view.Invalid = false
	return possible[0], view, ""
}

// asked is the view with the times that may be meant.
func (s ScheduleView) asked(possible []time.Time) ScheduleView {
	for _, t := range possible {
		s.Choices = append(s.Choices, scheduleChoice{
			Value: instantOf(t), Text: t.Format("Mon 2 January 2006, 15:04 MST") + " (" + t.UTC().Format("15:04") + " UTC)",
		})
	}
	return s
}

func instantOf(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// wallProblem says why a wall time is not one time.
func wallProblem(wall time.Time, zone *time.Location, twice bool) string {
	when := wall.Format("15:04") + " on " + wall.Format("2 January 2006")
	if twice {
		return "The clocks in " + zone.String() + " are set back then: they show " + when + " twice. Choose which one you mean."
	}
	return "The clocks in " + zone.String() + " are set forward then: they never show " + when + ". Choose what you mean instead."
}

// wallForm is how a browser writes a date with a time, without a zone (HTML, section "local dates and times").
const wallForm = "2006-01-02T15:04"

// around bounds how far from a wall time a clock change can lie that matters for it: offsets from UTC are less than a day.
const around = 36 * time.Hour

// wallTimes returns the times at which the clocks of a zone show a wall time: one, two if they are set back over it, or none if they are
// set forward over it. Then near has what may be meant: the wall time by the offset of the clocks after the change, and by that before.
func wallTimes(wall time.Time, zone *time.Location) (at, near []time.Time) {
	wall = time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), 0, 0, time.UTC)
	for _, offset := range offsetsAround(wall, zone) {
		candidate := wall.Add(-offset).In(zone)
		near = append(near, candidate)
		if candidate.Format(wallForm) == wall.Format(wallForm) {
			at = append(at, candidate)
		}
	}
	slices.SortFunc(at, time.Time.Compare)
	slices.SortFunc(near, time.Time.Compare)
	if len(at) > 0 {
		return at, nil
	}
	return nil, near
}

// offsetsAround returns the offsets from UTC that the clocks of a zone have around a time.
func offsetsAround(at time.Time, zone *time.Location) []time.Duration {
	_, before := at.Add(-around).In(zone).Zone()
	_, after := at.Add(around).In(zone).Zone()
	return slices.Compact([]time.Duration{time.Duration(before) * time.Second, time.Duration(after) * time.Second})
}
