package page

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
)

// zoneNames are the time zones of the IANA database that stand for a place, one a line, with UTC first.
//
//go:embed zones.txt
var zoneNames string

// Zones are the time zones that a form offers. Others of the database can be typed.
var Zones = strings.Fields(zoneNames)

// zoneClocks are the Zones with their clocks. To read one takes longer than to make a page.
var zoneClocks = sync.OnceValue(func() []*time.Location {
	clocks := make([]*time.Location, 0, len(Zones))
	for _, name := range Zones {
		if zone, err := time.LoadLocation(name); err == nil {
			clocks = append(clocks, zone)
		}
	}
	return clocks
})

// ZoneOption is a zone that a form offers, with its distance from UTC now, such as "UTC+09:00": people look for both.
type ZoneOption struct{ Name, Offset string }

// ZoneOptions are the zones that a form offers: the person's own, UTC, and all others.
func (v *Visit) ZoneOptions() []ZoneOption {
	now := v.Now()
	offered := []*time.Location{v.Zone}
	if v.Zone.String() != time.UTC.String() {
		offered = append(offered, time.UTC)
	}
	options := make([]ZoneOption, 0, len(Zones)+1)
	for _, zone := range slices.Concat(offered, zoneClocks()) {
		if name := zone.String(); len(options) < len(offered) || name != v.Zone.String() && name != time.UTC.String() {
			options = append(options, ZoneOption{name, "UTC" + now.In(zone).Format("-07:00")})
		}
	}
	return options
}

// ZoneNamed returns the zone that has a name in the IANA database. The name of a zone that forms offer may be written in any case, with
// blanks, and without its continent: "tokyo" is Asia/Tokyo.
func ZoneNamed(name string) (*time.Location, bool) {
	want := plainZone(name)
	if want == "" {
		return nil, false
	}
	if zone, err := time.LoadLocation(name); err == nil && name != "Local" {
		return zone, true
	}
	found := slices.DeleteFunc(slices.Clone(zoneClocks()), func(zone *time.Location) bool {
		have := plainZone(zone.String())
		return have != want && !strings.HasSuffix(have, "/"+want)
	})
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

func plainZone(name string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name), "_", " "))
}

// NoZone says that there is no zone of a name.
func NoZone(name string) string {
	if name == "" {
		return "Choose a time zone, such as Europe/Zurich."
	}
	return "There is no time zone “" + name + "”. Type a city, such as Zurich, or choose from the list."
}
