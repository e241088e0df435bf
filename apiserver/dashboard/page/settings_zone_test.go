package page_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

// The clock changes, as `zdump -v` prints them for the IANA database of 2026:
//
//	Europe/Zurich        29 Mar 2026 01:00 UT  +1 to +2         25 Oct 2026 01:00 UT  +2 to +1
//	America/New_York      8 Mar 2026 07:00 UT  -5 to -4          1 Nov 2026 06:00 UT  -4 to -5
//	Australia/Lord_Howe   4 Apr 2026 15:00 UT  +11 to +10:30     3 Oct 2026 15:30 UT  +10:30 to +11
//	America/St_Johns      8 Mar 2026 05:30 UT  -3:30 to -2:30    1 Nov 2026 04:30 UT  -2:30 to -3:30
//	Africa/Casablanca    15 Feb 2026 02:00 UT  +1 to 0          22 Mar 2026 02:00 UT  0 to +1
//	Antarctica/Troll     29 Mar 2026 01:00 UT  0 to +2          25 Oct 2026 01:00 UT  +2 to 0
//	Pacific/Apia         30 Dec 2011 10:00 UT  -10 to +14
//	Asia/Kathmandu       none, +5:45
var wallTimes = []struct {
	zone, wall string
	// want are the times at which clocks show it, in UTC: none if they never do.
	want []string
}{
	{"Europe/Zurich", "2026-03-29T01:59", []string{"2026-03-29T00:59"}},
	{"Europe/Zurich", "2026-03-29T02:00", nil},
	{"Europe/Zurich", "2026-03-29T02:59", nil},
	{"Europe/Zurich", "2026-03-29T03:00", []string{"2026-03-29T01:00"}},
	{"Europe/Zurich", "2026-10-25T01:59", []string{"2026-10-24T23:59"}},
	{"Europe/Zurich", "2026-10-25T02:00", []string{"2026-10-25T00:00", "2026-10-25T01:00"}},
	{"Europe/Zurich", "2026-10-25T02:59", []string{"2026-10-25T00:59", "2026-10-25T01:59"}},
	{"Europe/Zurich", "2026-10-25T03:00", []string{"2026-10-25T02:00"}},
	{"America/New_York", "2026-03-08T01:59", []string{"2026-03-08T06:59"}},
	{"America/New_York", "2026-03-08T02:30", nil},
	{"America/New_York", "2026-03-08T03:00", []string{"2026-03-08T07:00"}},
	{"America/New_York", "2026-11-01T00:59", []string{"2026-11-01T04:59"}},
	{"America/New_York", "2026-11-01T01:00", []string{"2026-11-01T05:00", "2026-11-01T06:00"}},
	{"America/New_York", "2026-11-01T01:59", []string{"2026-11-01T05:59", "2026-11-01T06:59"}},
	{"America/New_York", "2026-11-01T02:00", []string{"2026-11-01T07:00"}},
	{"Australia/Lord_Howe", "2026-04-05T01:29", []string{"2026-04-04T14:29"}},
	{"Australia/Lord_Howe", "2026-04-05T01:30", []string{"2026-04-04T14:30", "2026-04-04T15:00"}},
	{"Australia/Lord_Howe", "2026-04-05T01:59", []string{"2026-04-04T14:59", "2026-04-04T15:29"}},
	{"Australia/Lord_Howe", "2026-04-05T02:00", []string{"2026-04-04T15:30"}},
	{"Australia/Lord_Howe", "2026-10-04T01:59", []string{"2026-10-03T15:29"}},
	{"Australia/Lord_Howe", "2026-10-04T02:00", nil},
	{"Australia/Lord_Howe", "2026-10-04T02:29", nil},
	{"Australia/Lord_Howe", "2026-10-04T02:30", []string{"2026-10-03T15:30"}},
	{"America/St_Johns", "2026-03-08T01:59", []string{"2026-03-08T05:29"}},
	{"America/St_Johns", "2026-03-08T02:15", nil},
	{"America/St_Johns", "2026-03-08T03:00", []string{"2026-03-08T05:30"}},
	{"America/St_Johns", "2026-11-01T01:00", []string{"2026-11-01T03:30", "2026-11-01T04:30"}},
	{"America/St_Johns", "2026-11-01T02:00", []string{"2026-11-01T05:30"}},
	{"Africa/Casablanca", "2026-02-15T01:59", []string{"2026-02-15T00:59"}},
	{"Africa/Casablanca", "2026-02-15T02:00", []string{"2026-02-15T01:00", "2026-02-15T02:00"}},
	{"Africa/Casablanca", "2026-02-15T02:59", []string{"2026-02-15T01:59", "2026-02-15T02:59"}},
	{"Africa/Casablanca", "2026-02-15T03:00", []string{"2026-02-15T03:00"}},
	{"Africa/Casablanca", "2026-03-22T02:00", nil},
	{"Africa/Casablanca", "2026-03-22T03:00", []string{"2026-03-22T02:00"}},
	{"Antarctica/Troll", "2026-03-29T01:00", nil},
	{"Antarctica/Troll", "2026-03-29T02:59", nil},
	{"Antarctica/Troll", "2026-03-29T03:00", []string{"2026-03-29T01:00"}},
	{"Antarctica/Troll", "2026-10-25T01:00", []string{"2026-10-24T23:00", "2026-10-25T01:00"}},
	{"Antarctica/Troll", "2026-10-25T02:59", []string{"2026-10-25T00:59", "2026-10-25T02:59"}},
	{"Antarctica/Troll", "2026-10-25T03:00", []string{"2026-10-25T03:00"}},
	{"Pacific/Apia", "2011-12-29T23:59", []string{"2011-12-30T09:59"}},
	{"Pacific/Apia", "2011-12-30T12:00", nil},
	{"Pacific/Apia", "2011-12-31T00:00", []string{"2011-12-30T10:00"}},
	{"Asia/Kathmandu", "2026-06-01T09:00", []string{"2026-06-01T03:15"}},
}

func TestAWallTimeIsTheTimesAtWhichClocksShowIt(t *testing.T) {
	for _, tt := range wallTimes {
		t.Run(tt.zone+" "+tt.wall, func(t *testing.T) {
			at, near := page.WallTimes(t, tt.wall, tt.zone)
			if got := inUTC(at); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if (len(near) > 0) != (len(tt.want) == 0) {
				t.Errorf("near are %v, want some if and only if no clock shows it", inUTC(near))
			}
		})
	}
}

func TestAMissingWallTimeHasTheTimesThatAreMeantInstead(t *testing.T) {
	for _, tt := range []struct {
		zone, wall string
		want       []string
	}{
		{"Europe/Zurich", "2026-03-29T02:30", []string{"01:30 CET", "03:30 CEST"}},
		{"Australia/Lord_Howe", "2026-10-04T02:10", []string{"01:40 +1030", "02:40 +11"}},
		{"Pacific/Apia", "2011-12-30T12:00", []string{"12:00 -10", "12:00 +14"}},
	} {
		_, near := page.WallTimes(t, tt.wall, tt.zone)
		got := make([]string, 0, len(near))
		for _, at := range near {
			got = append(got, at.Format("15:04 MST"))
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s %s: got %v, want %v", tt.zone, tt.wall, got, tt.want)
		}
	}
}

func inUTC(times []time.Time) []string {
	var out []string
	for _, at := range times {
		out = append(out, at.UTC().Format("2006-01-02T15:04"))
	}
	return out
}
