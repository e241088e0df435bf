package operation

import (
	"context"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
)

type testBody struct {
	Title string   `json:"title"`
	Tags  []string `json:"tags,omitempty"`
}

type kind string

// TestOn is embedded in testInput: the framework reads only embedded types that are exported.
type TestOn struct {
	InWorkspace
	UID    string `path:"uid"`
	Number int64  `path:"number"`
}

type testInput struct {
	TestOn
	IfMatch
	Kind   kind      `query:"kind"`
	Limit  int       `query:"limit"`
	All    bool      `query:"all"`
	Since  time.Time `query:"since"`
	Status []string  `query:"status"`
	Word   []string  `query:"word,explode"`
	Day    time.Time `query:"day" timeFormat:"2006-01-02"`
	Until  time.Time `header:"X-Until"`
	Body   *testBody

	resolved string
}

func TestAnInputIsReadAsItWasSent(t *testing.T) {
	router := middleware.NewRouter(logr.Discard(), prometheus.NewRegistry(), nil)
	api := humagin.New(router, huma.DefaultConfig("test", "1"))
	var got *testInput
	huma.Register(api, huma.Operation{Method: http.MethodPost, Path: "/v1/things/{uid}/of/{number}"},
		func(_ context.Context, in *testInput) (*struct{}, error) {
			got = in
			return nil, nil
		})
	at := time.Date(2026, 11, 20, 9, 0, 0, 123456789, time.UTC)
	whole := testInput{
		TestOn:  TestOn{InWorkspace{"acme"}, "a-b.c_d~1", 7},
		IfMatch: IfMatch{`"4-1.x", "y"`}, Kind: "a&b=c+d é", Limit: 5, All: true, Since: at, Status: []string{"review", "failed"},
		Word: []string{"a,b", "c d"}, Day: at.Truncate(24 * time.Hour), Until: at.Truncate(time.Second),
		Body: &testBody{Title: "</script>\n", Tags: []string{"x"}},
	}
	for name, want := range map[string]testInput{
		"all members": whole, "what the path has alone": {TestOn: TestOn{InWorkspace{"acme"}, "a", 0}},
		"a body with zero values": {TestOn: TestOn{InWorkspace{"acme"}, "a", 1}, Body: &testBody{}},
	} {
		sent := want
		sent.resolved = "is not sent"
		q, err := newRequest(t.Context(), http.MethodPost, "/v1/things/{uid}/of/{number}", reflect.ValueOf(sent))
		if err != nil {
			t.Fatal(name, err)
		}
		got = nil
		answer := httptest.NewRecorder()
		if router.ServeHTTP(answer, q); got == nil {
			t.Fatalf("%s: refused: %s", name, answer.Body)
		}
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: got %+v, want %+v", name, *got, want)
		}
	}
}

func TestWhatAnInputLeavesOutIsNotSent(t *testing.T) {
	q, err := newRequest(t.Context(), http.MethodGet, "/v1/things/{uid}/of/{number}",
		reflect.ValueOf(testInput{TestOn: TestOn{UID: "a", Number: 1}}))
	if err != nil {
		t.Fatal(err)
	}
	if q.URL.String() != "/v1/things/a/of/1" || len(q.Header) > 0 || q.Body != http.NoBody {
		t.Errorf("got %s with the header %v and a body, want the path alone", q.URL, q.Header)
	}
}

func TestAParameterOfThePathStaysInItsSegment(t *testing.T) {
	q, err := newRequest(t.Context(), http.MethodGet, "/v1/things/{uid}/of/{number}", reflect.ValueOf(testInput{TestOn: TestOn{UID: "../x"}}))
	if err != nil || q.URL.EscapedPath() != "/v1/things/..%2Fx/of/0" {
		t.Errorf("got %v, %v", q, err)
	}
}

func TestAFieldThatNoParameterCanBeIsAnError(t *testing.T) {
	in := struct {
		Filter map[string]string `query:"filter"`
	}{map[string]string{"a": "b"}}
	if _, err := newRequest(t.Context(), http.MethodGet, "/", reflect.ValueOf(in)); err == nil || !strings.Contains(err.Error(), "Filter") {
		t.Errorf("got %v, want an error about the field", err)
	}
}
