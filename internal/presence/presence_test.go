package presence_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/presence"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// see applies what becomes of annotations when a person is seen, and returns how many changed.
func see(annotations map[string]string, name string, at time.Time) int {
	changes := presence.See(annotations, name, name, at)
	for key, value := range changes {
		if value == nil {
			delete(annotations, key)
		} else {
			annotations[key] = *value
		}
	}
	return len(changes)
}

func names(editors []presence.Editor) string {
	var out []string
	for _, e := range editors {
		out = append(out, e.Name)
	}
	return strings.Join(out, " ")
}

func TestPeopleAreSeenForAWhile(t *testing.T) {
	annotations := map[string]string{"pressroom.dev/created-by": "mara"}
	see(annotations, "Petra", now)
	see(annotations, "Ben", now.Add(30*time.Second))
	for _, tt := range []struct {
		by   string
		at   time.Duration
		want string
	}{
		{"Mara", 45 * time.Second, "Ben Petra"},
		{"Ben", 45 * time.Second, "Petra"},
		{"Mara", presence.Life - time.Second, "Ben Petra"},
		{"Mara", presence.Life, "Ben"},
		{"Mara", presence.Life + 30*time.Second, ""},
	} {
		if got := names(presence.Of(annotations, tt.by, now.Add(tt.at))); got != tt.want {
			t.Errorf("%s sees %q after %v, want %q", tt.by, got, tt.at, tt.want)
		}
	}
}

func TestNothingIsWrittenMoreThanOnceAMinute(t *testing.T) {
	annotations := map[string]string{}
	writes := 0
	for second := range 600 {
		if second%30 == 0 {
			writes += see(annotations, "Mara", now.Add(time.Duration(second)*time.Second))
		}
	}
	if writes != 10 {
		t.Errorf("%d writes in ten minutes, want 10", writes)
	}
}

func TestWhoHasLeftIsRemovedByTheNext(t *testing.T) {
	annotations := map[string]string{"pressroom.dev/created-by": "mara", v1alpha1.EditorAnnotation + "x": "not a time"}
	see(annotations, "Petra", now)
	see(annotations, "Ben", now.Add(time.Hour))
	if len(annotations) != 2 || names(presence.Of(annotations, "Mara", now.Add(time.Hour))) != "Ben" {
		t.Errorf("the annotations are %v", annotations)
	}
}

func TestThePeopleWhoAreRecordedAreBounded(t *testing.T) {
	annotations := map[string]string{}
	for n := range 3 * presence.Most {
		see(annotations, fmt.Sprintf("person %d", n), now)
	}
	if len(annotations) != presence.Most {
		t.Errorf("%d people are recorded, want %d", len(annotations), presence.Most)
	}
	if see(annotations, "person 0", now.Add(presence.Pause)) == 0 {
		t.Error("who is recorded is not seen again")
	}
	annotations = map[string]string{}
	see(annotations, strings.Repeat("<大", 100), now)
	for _, value := range annotations {
		if bounds.JSONBytes(value) > v1alpha1.MaxNonceBytes {
			t.Errorf("%q is too long for a cache", value)
		}
	}
	if len(presence.Of(annotations, "Mara", now)) != 1 {
		t.Error("who has a long name is not seen")
	}
}

// A page that is open for long must not have every other page fetch itself once a minute.
func TestOnlyTheTimesOfPeopleAreNoChange(t *testing.T) {
	before := map[string]string{"pressroom.dev/created-by": "mara"}
	see(before, "Petra", now)
	changed := func(change func(map[string]string)) map[string]string {
		after := maps.Clone(before)
		change(after)
		return after
	}
	for name, tt := range map[string]struct {
		change func(map[string]string)
		want   bool
	}{
		"seen again":         {func(a map[string]string) { see(a, "Petra", now.Add(presence.Pause)) }, true},
		"another person":     {func(a map[string]string) { see(a, "Ben", now) }, false},
		"nobody":             {func(a map[string]string) { see(a, "Ben", now.Add(time.Hour)) }, false},
		"another annotation": {func(a map[string]string) { a["pressroom.dev/regenerate"] = "1" }, false},
	} {
		after := changed(tt.change)
		if got := presence.Same(before, after); got != tt.want {
			t.Errorf("%s: Same is %v: %s", name, got, cmp.Diff(before, after))
		}
	}
}
