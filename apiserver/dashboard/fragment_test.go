package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"

	clocktesting "k8s.io/utils/clock/testing"
)

func TestAFragmentIsMadeAgainWhenItsViewChanges(t *testing.T) {
	clock := clocktesting.NewFakeClock(benchBegan)
	handler := benchServer(t, 2, clock)
	ages := func() []string {
		got := httptest.NewRecorder()
		handler.ServeHTTP(got, benchRequest(t, "/app/w/w/articles?status=all"))
		found := regexp.MustCompile(`title="[^"]* ago"`).FindAllString(got.Body.String(), -1)
		if got.Code != http.StatusOK || len(found) != 4 {
			t.Fatalf("the page has not the times of two articles, at two widths: %d %s", got.Code, got.Body)
		}
		return found
	}
	before, again := ages(), ages()
	clock.SetTime(benchBegan.AddDate(2, 0, 0))
	if after := ages(); !slices.Equal(before, again) || after[0] == before[0] {
		t.Errorf("got %v, then %v, and two years later %v", before, again, after)
	}
}
