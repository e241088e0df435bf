package calendar_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/calendar"
)

// zoneNames are all zones that the pages offer.
func zoneNames(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../page/zones.txt")
	if err != nil {
		t.Fatal(err)
	}
	return append(strings.Fields(string(text)), "Pacific/Apia")
}

func TestEachDayIsThereOnceAndHasWhatIsOnIt(t *testing.T) {
	for _, name := range zoneNames(t) {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for month := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); month.Year() < 2029; month = month.AddDate(0, 1, 0) {
			dates, on := calendar.Days(month, zone)
			if !slices.IsSorted(dates) || len(slices.Compact(slices.Clone(dates))) != len(dates) || len(dates)%7 != 0 {
				t.Fatalf("%s, %s: the days are %v", name, month.Format("2006-01"), dates)
			}
			for day := month; day.Month() == month.Month(); day = day.AddDate(0, 0, 1) {
				noon := time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, zone)
				for _, later := range []time.Duration{0, 11*time.Hour + 30*time.Minute, 12 * time.Hour, 12*time.Hour + 30*time.Minute} {
					at := noon.Add(later)
					want := at.In(zone).Format("2006-01-02")
					if got := on(at); got != want && strings.HasPrefix(want, month.Format("2006-01")) {
						t.Fatalf("%s: %s is on %q", name, at.In(zone), got)
					}
				}
			}
		}
	}
}

func TestADayWithoutMidnightIsThere(t *testing.T) {
	for name, date := range map[string]string{
		"America/Santiago": "2026-09-06", "America/Havana": "2026-03-08", "Atlantic/Azores": "2026-03-29", "Africa/Cairo": "2026-04-24",
		"Asia/Beirut": "2026-03-29",
	} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		day, err := time.Parse("2006-01-02", date)
		if err != nil {
			t.Fatal(err)
		}
		if midnight := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone); midnight.Format("2006-01-02 15:04") == date+" 00:00" {
			t.Errorf("%s has a midnight on %s", name, date)
		}
		_, on := calendar.Days(time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC), zone)
		if got := on(time.Date(day.Year(), day.Month(), day.Day(), 13, 0, 0, 0, zone)); got != date {
			t.Errorf("%s: the afternoon of %s is on %q", name, date, got)
		}
	}
}
