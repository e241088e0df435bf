package page_test

import (
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

// visitAt is a visit of a person in a zone at a time.
func visitAt(t *testing.T, now, zone string) *page.Visit {
	t.Helper()
	at, err := time.Parse(time.RFC3339, now)
	if err != nil {
		t.Fatal(err)
	}
	return &page.Visit{Deps: &page.Deps{Clock: clocktesting.NewFakePassiveClock(at)}, Zone: zoneOf(t, zone)}
}

func zoneOf(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestATimeIsSaidAsPeopleSayIt(t *testing.T) {
	const now = "2026-11-30T16:30:00Z"
	for _, tt := range []struct{ zone, at, want, short string }{
		{"UTC", "2026-11-30T17:15:46Z", "17:15", "17:15"},
		{"UTC", "2026-11-30T00:00:00Z", "00:00", "00:00"},
		{"UTC", "2026-11-29T23:59:00Z", "yesterday, 23:59", "yesterday"},
		{"UTC", "2026-12-01T09:00:00Z", "tomorrow, 09:00", "tomorrow, 09:00"},
		{"UTC", "2026-11-28T17:15:00Z", "28 Nov, 17:15", "28 Nov"},
		{"UTC", "2026-12-02T09:00:00Z", "2 Dec, 09:00", "2 Dec, 09:00"},
		{"UTC", "2025-11-30T17:15:00Z", "30 Nov 2025, 17:15", "30 Nov 2025"},
		{"UTC", "2040-12-01T09:00:00Z", "1 Dec 2040, 09:00", "1 Dec 2040, 09:00"},
		// There, it is 1 December already.
		{"Asia/Tokyo", "2026-11-30T17:15:00Z", "02:15", "02:15"},
		{"Asia/Tokyo", "2026-11-30T14:00:00Z", "yesterday, 23:00", "yesterday"},
		// The clocks are set forward in the night between.
		{"Europe/Zurich", "2026-11-30T23:15:00Z", "tomorrow, 00:15", "tomorrow, 00:15"},
	} {
		v := visitAt(t, now, tt.zone)
		for show, want := range map[string]string{string(v.When(tt.at)): tt.want, string(v.Short(tt.at)): tt.short} {
			if !strings.HasSuffix(show, ">"+want+"</time>") {
				t.Errorf("%s in %s is %s, want %q", tt.at, tt.zone, show, want)
			}
			if !strings.HasPrefix(show, `<time datetime="`+tt.at+`" title="`) {
				t.Errorf("%s does not have the exact time", show)
			}
		}
	}
	if got := string(visitAt(t, now, "Asia/Tokyo").When("2026-11-28T17:46:53Z")); !strings.Contains(got, `title="Sun 29 Nov 2026, 02:46 JST, 1 day ago"`) {
		t.Errorf("the title of %s lacks the exact time, its zone, or how long ago it was", got)
	}
	if got := visitAt(t, now, "UTC").When(nil); got != "" {
		t.Errorf("no time is %q", got)
	}
}

// A page said "begun 8 seconds ago" for as long as somebody looked at it.
func TestHowLongAgoATimeWasIsGivenInSecondsToTheScript(t *testing.T) {
	v := visitAt(t, "2026-11-30T16:30:00Z", "Asia/Tokyo")
	for at, want := range map[string]string{
		"2026-11-30T16:29:52Z": `<time datetime="2026-11-30T16:29:52Z" data-ago="8">8 seconds ago</time>`,
		"2026-11-30T16:30:00Z": `<time datetime="2026-11-30T16:30:00Z" data-ago="0">now</time>`,
		"2026-11-30T16:32:00Z": `<time datetime="2026-11-30T16:32:00Z" data-ago="-120">2 minutes from now</time>`,
		"":                     "",
	} {
		if got := string(v.Ago(at)); got != want {
			t.Errorf("%q is %s, want %s", at, got, want)
		}
	}
}

func TestADayThatClocksMakeShorterIsADay(t *testing.T) {
	// Clocks in Zurich are set forward on 29 March 2026: that day has 23 hours.
	v := visitAt(t, "2026-03-28T22:30:00Z", "Europe/Zurich")
	if got := v.Said(time.Date(2026, 3, 29, 22, 30, 0, 0, time.UTC)); got != "30 Mar, 00:30" {
		t.Errorf("got %q", got)
	}
	if got := v.Said(time.Date(2026, 3, 29, 21, 30, 0, 0, time.UTC)); got != "tomorrow, 23:30" {
		t.Errorf("got %q", got)
	}
}

func TestATimeThatIsSetNamesBothZones(t *testing.T) {
	at := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct{ chosen, own, want string }{
		{"Asia/Tokyo", "UTC", "Tue 1 Dec 2026, 09:00 Asia/Tokyo (00:00 UTC)"},
		{"Asia/Tokyo", "Asia/Tokyo", "Tue 1 Dec 2026, 09:00 Asia/Tokyo (00:00 UTC)"},
		{"Asia/Tokyo", "America/New_York", "Tue 1 Dec 2026, 09:00 Asia/Tokyo (Mon 30 Nov, 19:00 America/New_York)"},
		{"UTC", "UTC", "Tue 1 Dec 2026, 00:00 UTC"},
		{"UTC", "Europe/Zurich", "Tue 1 Dec 2026, 00:00 UTC (01:00 Europe/Zurich)"},
	} {
		if got := visitAt(t, "2026-11-30T16:30:00Z", tt.own).InZones(at.In(zoneOf(t, tt.chosen))); got != tt.want {
			t.Errorf("%s for somebody in %s: got %q, want %q", tt.chosen, tt.own, got, tt.want)
		}
	}
}
