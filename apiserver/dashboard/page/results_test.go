package page_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func newDeps(t *testing.T) *page.Deps {
	t.Helper()
	keys, err := seal.ParseKeys([]byte(testkit.SessionKey()))
	if err != nil {
		t.Fatal(err)
	}
	clock := clocktesting.NewFakePassiveClock(time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC))
	frame := pages.New(pages.Options{Keys: keys, Clock: clock, Log: logr.Discard()})
	return &page.Deps{Frame: frame, Clock: clock, Log: logr.Discard()}
}

// Proxies take addresses of 8 KB. The titles of some results are left out if they do not fit.
func TestResultsFitIntoAnAddress(t *testing.T) {
	app := newDeps(t)
	for name, title := range map[string]string{"short": "Trail running shoes", "long": strings.Repeat("Шкарпетки для бігу ", 16)} {
		want := page.Results{Operation: "redeliver", Back: "/app/w/acme/deliveries", Left: true}
		for i := range 100 {
			uid := fmt.Sprintf("%08x-b2c3-7d4e-95f6-%012x", i*7919*7919, i*104729*1299709)
			want.Failed = append(want.Failed, page.Result{UID: uid, Title: fmt.Sprint(i, title, i*i*i), Problem: "The article is being delivered already."})
		}
		visit := func(path string) *page.Visit {
			return page.NewSignedOutVisit(app, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
		}
		answer, err := visit("/app/w/acme/articles/bulk").RedirectResults(want)
		if err != nil {
			t.Fatal(err)
		}
		if len(answer.Location) > 8000 {
			t.Errorf("%s: the address has %d bytes", name, len(answer.Location))
		}
		got, ok := visit(answer.Location).Results()
		if !ok || !reflect.DeepEqual(got, want) || len(got.Failed) != 100 || got.Failed[7].UID == "" {
			t.Errorf("%s: got %v, %v", name, ok, got)
		}
	}
}
