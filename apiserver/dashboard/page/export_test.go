package page

import (
	"net/url"
	"testing"
	"time"
)

// WallTimes returns the times at which the clocks of a zone show a wall time, and the ones near it if there is none.
func WallTimes(t *testing.T, wall, zone string) (at, near []time.Time) {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := time.Parse(wallForm, wall)
	if err != nil {
		t.Fatal(err)
	}
	return wallTimes(parsed, location)
}

// Who returns somebody who decided as pages show them.
var Who = who

// FormOf reads a form that was sent.
func FormOf[T any](sent url.Values) (T, error) { return decoded[T](sent) }

// ChangesOf gives the tests of the package changesOf.
var ChangesOf = changesOf
