package delivery_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/delivery"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// hook makes the site one of the type Headless.
func hook(api *operationtest.API, format v1alpha1.PayloadFormat, url string) *v1alpha1.Site {
	old := api.Site(operationtest.Workspace, operationtest.SiteUID)
	s := old.DeepCopy()
	s.ResourceVersion = "2"
	s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{URL: url, PayloadFormat: format}}
	api.Index.Handlers().Sites.OnUpdate(old, s)
	return s
}

// sentText is the text that sent delivers.
var sentText = content.Document{Title: "Grip & <grind>", Slug: "old-slug", Markdown: "Some *text*.", MetaDescription: "Which shoes grip."}

// sent adds an article whose revision was delivered to a site in these attempts: "cycle/outcome" each.
func sent(api *operationtest.API, to *v1alpha1.Site, state v1alpha1.CycleState, made ...string) *v1alpha1.Article {
	api.T.Helper()
	a := api.Article(func(a *v1alpha1.Article) {
		a.Status.Slug = "grip-and-grind"
		a.Status.Revision = &v1alpha1.CurrentRevision{Name: a.Name + "-1", Number: 1, Digest: sentText.Digest()}
		id := cycles.AttemptID{ID: "0198f0a1-0000-7000-8000-00000000000a", Holder: "h"}
		want := lifecycle.Want{Kind: lifecycle.WantPut, Revision: lifecycle.CurrentRevision(a, to)}
		record.BeginCycle(a, to, want, "grip-and-grind-0", id, operationtest.Began)
		p := a.Status.Publication
		p.Attempts = nil
		for n, x := range made {
			var cycle int32
			var outcome string
			if _, err := fmt.Sscanf(strings.ReplaceAll(x, "/", " "), "%d %s", &cycle, &outcome); err != nil {
				api.T.Fatal(err)
			}
			p.Attempts = append(p.Attempts, v1alpha1.DeliveryAttempt{
				ID: id.ID, Cycle: cycle, Number: 1, StartTime: v1alpha1.NewMicroTime(operationtest.Began.Add(time.Duration(n) * time.Minute)),
				AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptOutcome(outcome), HTTPStatus: 503, Message: "busy"},
			})
			p.Cycle.Number = cycle
		}
		p.Cycle.State, p.Cycle.Reason = state, v1alpha1.ReasonExhausted
		p.LastAnswer = &v1alpha1.ReceiverAnswer{AttemptID: id.ID, HTTPStatus: 503, Snippet: "<b>busy</b>"}
		meta.SetStatusCondition(&a.Status.Conditions, metav1.Condition{
			Type: v1alpha1.ConditionReady, Status: "False", Reason: v1alpha1.ReasonRetryScheduled, Message: "4 attempts failed: busy",
		})
	})
	rev := revision.New(a, sentText, revision.Origin{
		Name: a.Status.Revision.Name, Number: 1, Source: v1alpha1.SourceWritten,
	})
	api.Objects.Revisions = map[client.ObjectKey]*v1alpha1.ArticleRevision{client.ObjectKeyFromObject(rev): rev}
	return a
}

func deliveries(api *operationtest.API, a *v1alpha1.Article) delivery.ArticleDeliveries {
	api.T.Helper()
	var out delivery.ArticleDeliveries
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/deliveries"}, &out)
	return out
}

func TestDeliveriesAreGroupedNewestFirst(t *testing.T) {
	api := operationtest.New(t)
	a := sent(api, hook(api, v1alpha1.PayloadJSON, "https://blog.example.com"), v1alpha1.CycleRetryScheduled, "3/Rejected", "3/Accepted", "4/Timeout", "5/Rejected", "5/Timeout")
	got := deliveries(api, a)
	var states []string
	for _, c := range got.Data {
		states = append(states, fmt.Sprintf("%d %s %d", c.Cycle, c.Status, len(c.Attempts)))
	}
	if want := "[5 retry_scheduled 2 4 failed 1 3 delivered 2]"; fmt.Sprint(states) != want {
		t.Errorf("deliveries are %v, want %s", states, want)
	}
	if got.Status != "retry_scheduled" || !strings.Contains(got.StatusMessage, "another one follows") || got.LastAnswer == nil || got.LastAnswer.Snippet != "<b>busy</b>" {
		t.Errorf("got %+v", got)
	}
	if got.Request == nil || got.Request.Path != "" {
		t.Errorf("the request is %+v: a path can be secret, such as that of a hook of a chat", got.Request)
	}
}

func TestAnArticleOfWhichNothingWasSentHasNoDeliveries(t *testing.T) {
	api := operationtest.New(t)
	a := api.Article(nil)
	raw := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/deliveries"}).Raw
	var got map[string]any
	if err := json.Unmarshal([]byte(raw), &got); err != nil {
		t.Fatal(err)
	}
	if got["state"] != "none" || fmt.Sprint(got["data"]) != "[]" || got["request"] != nil || got["request_note"] != "nothing has been sent" {
		t.Errorf("got %s", raw)
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "/deliveries", Workspace: operationtest.OtherWorkspace}), http.StatusNotFound, "NOT_FOUND")
}
