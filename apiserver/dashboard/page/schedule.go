package page

import (
	"slices"
	"time"
)

// ScheduleView are the fields of a time: the template schedule shows them.
type ScheduleView struct {
	// At is the wall time, Zone the IANA name of the zone that it is in.
	At, Zone string
	Zones    []string
	// Choices are the times that may be meant, if clocks show the wall time twice or never.
	Choices []scheduleChoice
	// Invalid says that a problem is about the fields.
	Invalid bool
}

type scheduleChoice struct{ Value, Text string }

// Schedule returns the fields with a time that is set already, if it is, in the zone of the person.
func (v *Visit) Schedule(at any) ScheduleView {
	view := ScheduleView{Zone: v.Zone().String(), Zones: v.ZoneNames()}
	if t, ok := TimeOf(at); ok && t.After(v.Now()) {
		view.At = t.In(v.Zone()).Format(wallForm)
	}
	return view
}

// ZoneNames are the zones that a form offers: the person's own, UTC, and all others.
func (v *Visit) ZoneNames() []string {
	own := v.Zone().String()
	others := slices.DeleteFunc(slices.Clone(Zones), func(z string) bool { return OneOf(z, own, "UTC") })
	return slices.Compact(append([]string{own, "UTC"}, others...))
}

// Scheduled returns the time of a form that was sent, or its fields and what is wrong with them. Nothing is guessed: a time that clocks
// show twice or never is asked about.
func (v *Visit) Scheduled() (time.Time, ScheduleView, string) {
	view := ScheduleView{At: v.Form("at"), Zone: v.Form("zone"), Zones: v.ZoneNames(), Invalid: true}
	zone, ok := ZoneNamed(view.Zone)
	if !ok {
		return time.Time{}, view, "Choose a time zone from the list."
	}
	wall, err := time.Parse(wallForm, view.At)
	if err != nil {
		return time.Time{}, view, "Choose a day and a time."
	}
	at, near := wallTimes(wall, zone)
	possible := slices.Concat(at, near)
	if len(possible) > 1 {
		chosen := v.Form("instant")
		i := slices.IndexFunc(possible, func(t time.Time) bool { return instantOf(t) == chosen })
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
