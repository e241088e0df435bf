package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
)

// inDelivery is an article of which a delivery has come to a state.
func (api *restAPI) inDelivery(n int, state v1alpha1.CycleState, attempt, status int32) *v1alpha1.Article {
	api.t.Helper()
	return api.article(func(a *v1alpha1.Article) {
		aged(a, n)
		p := &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostUncertain}}
		p.Cycle = &v1alpha1.DeliveryCycle{Number: 2, State: state, Reason: "ReceiverRejected", Purpose: v1alpha1.PurposePut}
		p.Attempts = []v1alpha1.DeliveryAttempt{
			{Cycle: 1, Number: 4}, {Cycle: 2, Number: attempt, AttemptResult: v1alpha1.AttemptResult{HTTPStatus: status}},
		}
		if state == v1alpha1.CycleRetryScheduled {
			p.Cycle.NextAttemptTime = &v1alpha1.MicroTime{Time: began.Add(time.Minute)}
		}
		a.Status.Publication = p
	})
}

// aged names an article, so that those with higher numbers are younger.
func aged(a *v1alpha1.Article, n int) {
	a.Name = fmt.Sprintf("0198f0a1-%04x-7000-8000-00000000beef", n)
}

func (api *restAPI) uids(query string) []string {
	api.t.Helper()
	var page articlelist.ArticlePage
	api.into(request{path: "/v1/api/blogs?" + query}, &page)
	out := []string{}
	for _, a := range page.Data {
		out = append(out, a.UID)
	}
	return out
}

func TestListsAreSearchedOrderedAndFilteredByPublication(t *testing.T) {
	api := newAPI(t)
	titled := func(n int, title, keyword string) string {
		return api.article(func(a *v1alpha1.Article) {
			aged(a, n)
			a.Spec.Content, a.Spec.Generate.Keyword = &v1alpha1.ArticleContent{Title: title}, keyword
		}).Name
	}
	shoes, boots := titled(1, "Trail Shoes", "running"), titled(2, "Boots", "trail boots")
	failed := api.inDelivery(3, v1alpha1.CycleFailed, 4, 500).Name
	retried := api.inDelivery(4, v1alpha1.CycleRetryScheduled, 1, 503).Name
	for query, want := range map[string][]string{
		"q=TRAIL":                                {retried, failed, boots, shoes},
		"q=trail+shoes":                          {retried, failed, shoes},
		"q=boots":                                {boots},
		"q=boots&status=published":               {},
		"":                                       {retried, failed, boots, shoes},
		"order=oldest":                           {shoes, boots, failed, retried},
		"order=newest&limit=1":                   {retried},
		"order=oldest&limit=1":                   {shoes},
		"publication=failed":                     {failed},
		"publication=retry_scheduled":            {retried},
		"publication=delivered":                  {},
		"publication=failed&status=generating":   {failed},
		"publication=failed&site_uid=" + siteUID: {failed},
		"status=generating&site_uid=" + siteUID:  {retried, failed, boots, shoes},
		"site_uid=" + otherSiteUID:               {},
		"status=failed&site_uid=" + strings.ToUpper(siteUID): {},
		"publication=failed&q=nothing":                       {},
		"order=oldest&q=trail&limit=2":                       {shoes, boots},
		"publication=failed&q=trail&order=oldest":            {failed},
	} {
		if got := api.uids(query); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", query, got, want)
		}
	}
	wantFields(t, api.do(request{path: "/v1/api/blogs?order=title"}), "order")
	wantFields(t, api.do(request{path: "/v1/api/blogs?publication=retrying"}), "publication")
	wantFields(t, api.do(request{path: "/v1/api/blogs?q=" + strings.Repeat("x", 201)}), "q")
	since := "published_since=2026-11-20T09:00:00Z"
	wantFields(t, api.do(request{path: "/v1/api/blogs?q=x&order=oldest&publication=failed&" + since}), "order", "publication", "q")
}

func TestACursorGoesOnInEitherOrder(t *testing.T) {
	api := newAPI(t)
	var want []string
	for n := range 5 {
		want = append(want, api.article(func(a *v1alpha1.Article) { aged(a, n) }).Name)
	}
	for _, order := range []string{"oldest", "newest"} {
		var got []string
		cursor := ""
		for {
			var page articlelist.ArticlePage
			api.into(request{path: "/v1/api/blogs?limit=2&q=trail&order=" + order + cursor}, &page)
			for _, a := range page.Data {
				got = append(got, a.UID)
			}
			if !page.HasMore {
				break
			}
			cursor = "&cursor=" + *page.NextCursor
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", order, got, want)
		}
		slices.Reverse(want)
	}
}

func TestASummarySaysWhereTheArticleIs(t *testing.T) {
	at := v1alpha1.MicroTime{Time: began.Add(-time.Minute)}
	running := v1alpha1.GenerationRun{State: v1alpha1.RunRunning, Attempt: 2, Step: 3, Steps: 6, StartTime: at}
	waiting := running
	waiting.State, waiting.NextAttemptTime = v1alpha1.RunRetryScheduled, &v1alpha1.MicroTime{Time: began.Add(time.Minute)}
	ended := running
	ended.State = v1alpha1.RunSucceeded
	for name, tt := range map[string]struct {
		article func(api *restAPI) *v1alpha1.Article
		want    map[string]string
	}{
		"nothing yet": {func(api *restAPI) *v1alpha1.Article { return api.article(nil) }, map[string]string{
			"site_uid": `"` + siteUID + `"`, "revision_digest": `""`, "status_message": `""`, "progress": "null", "publication": "null",
		}},
		"running": {func(api *restAPI) *v1alpha1.Article {
			return api.article(func(a *v1alpha1.Article) { a.Status.Run = &running })
		}, map[string]string{
			"progress": `{"step":3,"steps":6,"attempt":2,"attempted_at":"2026-11-20T08:59:00.000Z","next_attempt_at":null}`,
		}},
		"a retry": {func(api *restAPI) *v1alpha1.Article {
			return api.article(func(a *v1alpha1.Article) { a.Status.Run = &waiting })
		}, map[string]string{
			"progress": `{"step":3,"steps":6,"attempt":2,"attempted_at":"2026-11-20T08:59:00.000Z","next_attempt_at":"2026-11-20T09:01:00.000Z"}`,
		}},
		"a run that has ended": {func(api *restAPI) *v1alpha1.Article {
			return api.article(func(a *v1alpha1.Article) { a.Status.Run = &ended })
		}, map[string]string{"progress": "null"}},
		"a delivery": {func(api *restAPI) *v1alpha1.Article { return api.inDelivery(1, v1alpha1.CycleRetryScheduled, 3, 503) }, map[string]string{
			"publication": `{"state":"retry_scheduled","reason":"receiver_rejected","attempt_count":3,"http_status":503,"next_attempt_at":"2026-11-20T09:01:00.000Z","unpublish":false,"conflict_url":"","differences":[]}`,
		}},
		"a delivery without an answer": {func(api *restAPI) *v1alpha1.Article { return api.inDelivery(1, v1alpha1.CycleInProgress, 1, 0) }, map[string]string{
			"publication": `{"state":"delivering","reason":"receiver_rejected","attempt_count":1,"http_status":null,"next_attempt_at":null,"unpublish":false,"conflict_url":"","differences":[]}`,
		}},
		"a text, and what it waits for": {func(api *restAPI) *v1alpha1.Article {
			return api.article(func(a *v1alpha1.Article) {
				a.Status.Revision = &v1alpha1.CurrentRevision{Name: "r", Title: "T", Digest: "sha256:1"}
				a.Status.Conditions = []metav1.Condition{{
					Type: v1alpha1.ConditionReady, Reason: v1alpha1.ReasonAwaitingReview, Message: "waits for a decision on spec.review",
				}}
			})
		}, map[string]string{"revision_digest": `"sha256:1"`, "status_message": `"the text waits for a reviewer"`, "status_reason": `"awaiting_review"`}},
		"a text that was edited since": {func(api *restAPI) *v1alpha1.Article {
			return api.article(func(a *v1alpha1.Article) {
				a.Spec.Content = &v1alpha1.ArticleContent{Title: "Other"}
				a.Status.Revision = &v1alpha1.CurrentRevision{Name: "r", Title: "T", Digest: "sha256:1"}
			})
		}, map[string]string{"revision_digest": `""`}},
	} {
		api := newAPI(t)
		uid := tt.article(api).Name
		var page struct {
			Data []map[string]json.RawMessage `json:"data"`
		}
		api.into(request{path: "/v1/api/blogs?limit=1"}, &page)
		if got := string(page.Data[0]["uid"]); got != `"`+uid+`"` {
			t.Fatalf("%s: listed is %s, want %s", name, got, uid)
		}
		for field, want := range tt.want {
			if got := string(page.Data[0][field]); got != want {
				t.Errorf("%s: %s = %s, want %s", name, field, got, want)
			}
		}
	}
}

func TestCountsAreThoseOfTheLists(t *testing.T) {
	api := newAPI(t)
	api.published()
	api.article(nil)
	api.inDelivery(1, v1alpha1.CycleFailed, 4, 500)
	wantBody(t, api.do(request{path: "/v1/api/blogs/counts"}), `{"success":true,"all":3,
		"by_status":{"draft":0,"generating":2,"review":0,"approved":0,"rejected":0,"scheduled":0,"published":1,"failed":0,"archived":0},
		"by_publication":{"delivering":0,"retry_scheduled":0,"delivered":0,"failed":1,"cancelled":0}}`)
	var of articlelist.ArticleCounts
	api.into(request{path: "/v1/api/blogs/counts?site_uid=" + otherSiteUID}, &of)
	if of.All != 0 {
		t.Errorf("%d articles of a site that has none", of.All)
	}
	wantFields(t, api.do(request{path: "/v1/api/blogs/counts?site_uid=acme"}), "site_uid")
	wantFailure(t, api.do(request{path: "/v1/api/blogs/counts", workspace: otherWorkspace}), http.StatusNotFound, "NOT_FOUND")
	wantFailure(t, api.do(request{path: "/v1/api/blogs/counts", key: scopelessKey}), http.StatusForbidden, "INSUFFICIENT_SCOPE")
}

func TestTheCalendarHasWhatWasPublishedAndWhatIsPlanned(t *testing.T) {
	api := newAPI(t)
	planned := api.article(func(a *v1alpha1.Article) {
		a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StagePublished, &v1alpha1.Time{Time: began.Add(48 * time.Hour)}
	})
	published := api.published()
	at := published.Status.Publication.Post.PublishTime.Time
	query := url.Values{"from": {at.Format(time.RFC3339)}, "to": {began.Add(72 * time.Hour).Format(time.RFC3339)}}
	var got articlelist.ArticleCalendar
	api.into(request{path: "/v1/api/calendar?" + query.Encode()}, &got)
	entries := []string{}
	for _, e := range got.Data {
		entries = append(entries, fmt.Sprint(e.UID, " ", e.Status, " ", e.At))
	}
	want := []string{published.Name + " published " + *got.Data[0].PublishedAt, planned.Name + " generating 2026-11-22T09:00:00.000Z"}
	if !slices.Equal(entries, want) || got.HasMore || got.NextCursor != nil {
		t.Errorf("got %v, want %v", entries, want)
	}
	query.Set("limit", "1")
	api.into(request{path: "/v1/api/calendar?" + query.Encode()}, &got)
	if !got.HasMore || got.NextCursor == nil {
		t.Fatalf("a page of one says %+v", got)
	}
	query.Set("cursor", *got.NextCursor)
	api.into(request{path: "/v1/api/calendar?" + query.Encode()}, &got)
	if len(got.Data) != 1 || got.Data[0].UID != planned.Name || got.HasMore {
		t.Errorf("the second page is %+v", got)
	}
}

func TestACalendarIsBounded(t *testing.T) {
	api := newAPI(t)
	for query, field := range map[string]string{
		"to=2026-12-01T00:00:00Z":                                         "from",
		"from=2026-12-01T00:00:00Z":                                       "to",
		"from=2026-12-01T00:00:00Z&to=2026-12-01T00:00:00Z":               "to",
		"from=2026-12-01T00:00:00Z&to=2027-04-01T00:00:00Z":               "to",
		"from=2026-12-01T00:00:00Z&to=2027-01-01T00:00:00Z&limit=501":     "limit",
		"from=2026-12-01T00:00:00Z&to=2027-01-01T00:00:00Z&cursor=x":      "cursor",
		"from=2026-12-01T00:00:00Z&to=2027-01-01T00:00:00Z&site_uid=acme": "site_uid",
	} {
		got := api.do(request{path: "/v1/api/calendar?" + query})
		if fields := failureOf(t, got).Problem.Details; got.Status != http.StatusBadRequest || !slices.ContainsFunc(fields, func(d problem.ErrorDetail) bool { return d.Field == field }) {
			t.Errorf("%s: got %d %s, want 400 naming %s", query, got.Status, got.Raw, field)
		}
	}
}
