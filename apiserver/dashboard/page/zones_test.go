package page_test

import (
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

func TestAZoneIsFoundByItsNameOrItsCity(t *testing.T) {
	for typed, want := range map[string]string{
		"Europe/Zurich": "Europe/Zurich", "europe/zurich": "Europe/Zurich", "tokyo": "Asia/Tokyo", "New York": "America/New_York",
		" america/new york ": "America/New_York", "utc": "UTC", "Etc/GMT+3": "Etc/GMT+3",
	} {
		zone, ok := page.ZoneNamed(typed)
		if !ok || zone.String() != want {
			t.Errorf("%q is %v, want %s", typed, zone, want)
		}
	}
	for _, typed := range []string{"", " ", "Local", "local", "Europe", "Europe/Nowhere", "o", "/", "../../etc/passwd", "Asia/"} {
		if zone, ok := page.ZoneNamed(typed); ok {
			t.Errorf("%q is %s", typed, zone)
		}
	}
}

func TestZonesAreOfferedWithTheirDistanceFromUTC(t *testing.T) {
	for now, want := range map[string]string{"2026-11-30T12:00:00Z": "UTC+01:00", "2026-07-01T12:00:00Z": "UTC+02:00"} {
		options := visitAt(t, now, "Asia/Kathmandu").ZoneOptions()
		if len(options) < 400 || options[0] != (page.ZoneOption{Name: "Asia/Kathmandu", Offset: "UTC+05:45"}) || options[1].Name != "UTC" {
			t.Errorf("%d zones are offered, and the first are %v", len(options), options[:2])
		}
		if zurich := (page.ZoneOption{Name: "Europe/Zurich", Offset: want}); !slices.Contains(options, zurich) {
			t.Errorf("at %s, %v is not offered", now, zurich)
		}
		names := map[string]int{}
		for _, o := range options {
			if names[o.Name]++; names[o.Name] > 1 {
				t.Errorf("%s is offered twice", o.Name)
			}
		}
	}
}
