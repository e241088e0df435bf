package article_test

import (
	"encoding/json"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestASummarySaysWhereTheArticleIs(t *testing.T) {
	at := v1alpha1.MicroTime{Time: operationtest.Began.Add(-time.Minute)}
	running := v1alpha1.GenerationRun{State: v1alpha1.RunRunning, Attempt: 2, Step: 3, Steps: 6, StartTime: at}
	waiting := running
	waiting.State, waiting.NextAttemptTime = v1alpha1.RunRetryScheduled, &v1alpha1.MicroTime{Time: operationtest.Began.Add(time.Minute)}
	ended := running
	ended.State = v1alpha1.RunSucceeded
	for name, tt := range map[string]struct {
		article func(api *operationtest.API) *v1alpha1.Article
		want    map[string]string
	}{
		"nothing yet": {func(api *operationtest.API) *v1alpha1.Article { return api.Article(nil) }, map[string]string{
			"site_uid": `"` + operationtest.SiteUID + `"`, "revision_digest": `""`, "status_message": `""`, "progress": "null", "publication": "null",
		}},
		"running": {func(api *operationtest.API) *v1alpha1.Article {
			return api.Article(func(a *v1alpha1.Article) { a.Status.Run = &running })
		}, map[string]string{
			"progress": `{"step":3,"steps":6,"attempt":2,"attempted_at":"2026-11-20T08:59:00.000Z","next_attempt_at":null}`,
		}},
		"a retry": {func(api *operationtest.API) *v1alpha1.Article {
			return api.Article(func(a *v1alpha1.Article) { a.Status.Run = &waiting })
		}, map[string]string{
			"progress": `{"step":3,"steps":6,"attempt":2,"attempted_at":"2026-11-20T08:59:00.000Z","next_attempt_at":"2026-11-20T09:01:00.000Z"}`,
		}},
		"a run that has ended": {func(api *operationtest.API) *v1alpha1.Article {
			return api.Article(func(a *v1alpha1.Article) { a.Status.Run = &ended })
		}, map[string]string{"progress": "null"}},
		"a delivery": {func(api *operationtest.API) *v1alpha1.Article {
			return api.InDelivery(1, v1alpha1.CycleRetryScheduled, 3, 503)
		}, map[string]string{
			"publication": `{"state":"retry_scheduled","reason":"receiver_rejected","attempt_count":3,"http_status":503,"next_attempt_at":"2026-11-20T09:01:00.000Z","unpublish":false,"conflict_url":"","differences":[]}`,
		}},
		"a delivery without an answer": {func(api *operationtest.API) *v1alpha1.Article {
			return api.InDelivery(1, v1alpha1.CycleInProgress, 1, 0)
		}, map[string]string{
			"publication": `{"state":"delivering","reason":"receiver_rejected","attempt_count":1,"http_status":null,"next_attempt_at":null,"unpublish":false,"conflict_url":"","differences":[]}`,
		}},
		"a text, and what it waits for": {func(api *operationtest.API) *v1alpha1.Article {
			return api.Article(func(a *v1alpha1.Article) {
				a.Status.Revision = &v1alpha1.CurrentRevision{Name: "r", Title: "T", Digest: "sha256:1"}
				a.Status.Conditions = []metav1.Condition{{
					Type: v1alpha1.ConditionReady, Reason: v1alpha1.ReasonAwaitingReview, Message: "waits for a decision on spec.review",
				}}
			})
		}, map[string]string{"revision_digest": `"sha256:1"`, "status_message": `"the text waits for a reviewer"`, "status_reason": `"awaiting_review"`}},
		"a text that was edited since": {func(api *operationtest.API) *v1alpha1.Article {
			return api.Article(func(a *v1alpha1.Article) {
				a.Spec.Content = &v1alpha1.ArticleContent{Title: "Other"}
				a.Status.Revision = &v1alpha1.CurrentRevision{Name: "r", Title: "T", Digest: "sha256:1"}
			})
		}, map[string]string{"revision_digest": `""`}},
	} {
		api := operationtest.New(t)
		uid := tt.article(api).Name
		var page struct {
			Data []map[string]json.RawMessage `json:"data"`
		}
		api.Into(operationtest.Request{Path: "/v1/api/blogs?limit=1"}, &page)
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
