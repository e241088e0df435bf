package page

import (
	_ "embed"
	"slices"
	"strings"
	"time"
)

// wallForm is how a browser writes a date with a time, without a zone (HTML, section "local dates and times").
const wallForm = "2006-01-02T15:04"

// ZoneNamed returns the zone that has a name in the IANA database.
func ZoneNamed(name string) (*time.Location, bool) {
	zone, err := time.LoadLocation(name)
	return zone, err == nil && name != "" && name != "Local"
}

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
	var offsets []time.Duration
	for t := at.Add(-around).In(zone); ; {
		_, seconds := t.Zone()
		if offset := time.Duration(seconds) * time.Second; !slices.Contains(offsets, offset) {
			offsets = append(offsets, offset)
		}
		_, end := t.ZoneBounds()
		if end.IsZero() || end.After(at.Add(around)) {
			return offsets
		}
		t = end.In(zone)
	}
}

// zoneNames are the time zones of the IANA database that stand for a place, one a line, with UTC first.
//
//go:embed zones.txt
var zoneNames string

// Zones are the time zones that a form offers. Others of the database can be typed.
var Zones = strings.Fields(zoneNames)
