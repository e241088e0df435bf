package v1alpha1_test

import (
	"encoding/json"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

func TestTimesReadWhatIsStored(t *testing.T) {
	nine := time.Date(2099, 12, 1, 9, 0, 0, 0, time.UTC)
	tests := []struct {
		name, stored   string
		want           time.Time
		wantUnreadable bool
	}{
		{name: "UTC", stored: `"2099-12-01T09:00:00Z"`, want: nine},
		{name: "lower case, as RFC 3339 allows", stored: `"2099-12-01t09:00:00z"`, want: nine},
		{name: "another zone", stored: `"2099-12-01T10:30:00+01:30"`, want: nine},
		{name: "a fraction", stored: `"2099-12-01T09:00:00.25Z"`, want: nine.Add(250 * time.Millisecond)},
		{name: "a fraction after a comma, which the format takes too", stored: `"2099-12-01T09:00:00,25Z"`, want: nine.Add(250 * time.Millisecond)},
		{name: "null", stored: `null`},
		{name: "the last second", stored: `"9999-12-31T23:59:59Z"`, want: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)},
		{name: "a year of five digits in UTC", stored: `"9999-12-31T23:59:59-23:59"`, wantUnreadable: true},
		{name: "a year before 1 in UTC", stored: `"0001-01-01T00:00:00+00:01"`, wantUnreadable: true},
		{name: "the year 0", stored: `"0000-06-01T00:00:00Z"`, wantUnreadable: true},
		{name: "what the format takes after a second T", stored: `"2099-12-01T09:00:00ZT09"`, wantUnreadable: true},
		{name: "any character before the fraction", stored: `"2099-12-01T09:00:00x25Z"`, wantUnreadable: true},
		{name: "no zone", stored: `"2099-12-01T09:00:00"`, wantUnreadable: true},
		{name: "a date", stored: `"2099-12-01"`, wantUnreadable: true},
		{name: "an empty text", stored: `""`, wantUnreadable: true},
		{name: "a number", stored: `5`, wantUnreadable: true},
		{name: "an object", stored: `{"seconds": 5}`, wantUnreadable: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var seconds struct {
				At api.Time `json:"at"`
			}
			var micros struct {
				At api.MicroTime `json:"at"`
			}
			object := []byte(`{"at":` + tt.stored + `}`)
			if err := json.Unmarshal(object, &seconds); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(object, &micros); err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if tt.wantUnreadable {
				want = api.UnreadableTime
			}
			if !seconds.At.Time.Equal(want) || seconds.At.Unreadable() != tt.wantUnreadable {
				t.Errorf("Time = %v, unreadable %t", seconds.At, seconds.At.Unreadable())
			}
			if !micros.At.Time.Equal(want) || micros.At.Unreadable() != tt.wantUnreadable {
				t.Errorf("MicroTime = %v, unreadable %t", micros.At, micros.At.Unreadable())
			}
		})
	}
}

func TestTimesAreWrittenAsTheWereRead(t *testing.T) {
	tests := []struct{ name, stored, want, wantMicro string }{
		{"in UTC", `"2099-12-01T10:00:00+01:00"`, `"2099-12-01T09:00:00Z"`, `"2099-12-01T09:00:00.000000Z"`},
		{"with their precision", `"2099-12-01T09:00:00.1234567Z"`, `"2099-12-01T09:00:00Z"`, `"2099-12-01T09:00:00.123456Z"`},
		{"null", `null`, `null`, `null`},
		{"what cannot be read, unchanged", `"9999-12-31T23:59:59-23:59"`, `"9999-12-31T23:59:59-23:59"`, `"9999-12-31T23:59:59-23:59"`},
		{"what is not even a text, unchanged", `{"seconds":5}`, `{"seconds":5}`, `{"seconds":5}`},
		{"an empty text, unchanged", `""`, `""`, `""`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var seconds api.Time
			var micros api.MicroTime
			if json.Unmarshal([]byte(tt.stored), &seconds) != nil || json.Unmarshal([]byte(tt.stored), &micros) != nil {
				t.Fatal("it could not be read")
			}
			if got, err := json.Marshal(seconds); err != nil || string(got) != tt.want {
				t.Errorf("Time = %s, %v, want %s", got, err, tt.want)
			}
			if got, err := json.Marshal(micros); err != nil || string(got) != tt.wantMicro {
				t.Errorf("MicroTime = %s, %v, want %s", got, err, tt.wantMicro)
			}
		})
	}
}

func TestATimeIsTheSameInAnotherZone(t *testing.T) {
	here := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	there := here.In(time.FixedZone("there", 3600))
	if a, b := api.NewTime(here), api.NewTime(there); !equality.Semantic.DeepEqual(a, b) || !equality.Semantic.DeepEqual(&a, &b) {
		t.Errorf("%v is not %v", a, b)
	}
	if a, b := api.NewMicroTime(here), api.NewMicroTime(there); !equality.Semantic.DeepEqual(a, b) || !a.Equal(&b) {
		t.Errorf("%v is not %v", a, b)
	}
}

func TestWhatCannotBeReadHasEnded(t *testing.T) {
	var secret api.OAuthClientSecret
	if err := json.Unmarshal([]byte(`{"expirationTime": "9999-12-31T23:59:59-23:59"}`), &secret); err != nil {
		t.Fatal(err)
	}
	if secret.ValidAt(time.Now()) {
		t.Error("a secret whose expirationTime cannot be read is valid")
	}
}
