package articlelist_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestTheCalendarHasWhatWasPublishedAndWhatIsPlanned(t *testing.T) {
	api := operationtest.New(t)
	planned := api.Article(func(a *v1alpha1.Article) {
		a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StagePublished, &v1alpha1.Time{Time: operationtest.Began.Add(48 * time.Hour)}
	})
	published := api.Published()
	at := published.Status.Publication.Post.PublishTime.Time
	query := url.Values{"from": {at.Format(time.RFC3339)}, "to": {operationtest.Began.Add(72 * time.Hour).Format(time.RFC3339)}}
	var got articlelist.ArticleCalendar
	api.Into(operationtest.Request{Path: "/v1/api/calendar?" + query.Encode()}, &got)
	entries := []string{}
	for _, e := range got.Data {
		entries = append(entries, fmt.Sprint(e.UID, " ", e.Status, " ", e.At))
	}
	want := []string{published.Name + " published " + *got.Data[0].PublishedAt, planned.Name + " generating 2026-11-22T09:00:00.000Z"}
	if !slices.Equal(entries, want) || got.HasMore || got.NextCursor != nil {
		t.Errorf("got %v, want %v", entries, want)
	}
	query.Set("limit", "1")
	api.Into(operationtest.Request{Path: "/v1/api/calendar?" + query.Encode()}, &got)
	if !got.HasMore || got.NextCursor == nil {
		t.Fatalf("a page of one says %+v", got)
	}
	query.Set("cursor", *got.NextCursor)
	api.Into(operationtest.Request{Path: "/v1/api/calendar?" + query.Encode()}, &got)
	if len(got.Data) != 1 || got.Data[0].UID != planned.Name || got.HasMore {
		t.Errorf("the second page is %+v", got)
	}
}

func TestACalendarIsBounded(t *testing.T) {
	api := operationtest.New(t)
	for query, field := range map[string]string{
		"to=2026-12-01T00:00:00Z":                                         "from",
		"from=2026-12-01T00:00:00Z":                                       "to",
		"from=2026-12-01T00:00:00Z&to=2026-12-01T00:00:00Z":               "to",
		"from=2026-12-01T00:00:00Z&to=2027-04-01T00:00:00Z":               "to",
		"from=2026-12-01T00:00:00Z&to=2027-01-01T00:00:00Z&limit=501":     "limit",
		"from=2026-12-01T00:00:00Z&to=2027-01-01T00:00:00Z&cursor=x":      "cursor",
		"from=2026-12-01T00:00:00Z&to=2027-01-01T00:00:00Z&site_uid=acme": "site_uid",
	} {
		got := api.Do(operationtest.Request{Path: "/v1/api/calendar?" + query})
		if fields := operationtest.Failure(t, got).Problem.Details; got.Status != http.StatusBadRequest || !slices.ContainsFunc(fields, func(d problem.ErrorDetail) bool { return d.Field == field }) {
			t.Errorf("%s: got %d %s, want 400 naming %s", query, got.Status, got.Raw, field)
		}
	}
}
