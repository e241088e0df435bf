package review_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// twoApprovals has a Site ask for two approvals, and returns an article in review.
func twoApprovals(api *operationtest.API) *v1alpha1.Article {
	a := api.WithPending()
	api.SiteWith(func(s *v1alpha1.Site) {
		s.Spec.Publishing.Updates, s.Spec.Review.Approvals = v1alpha1.UpdatesReviewed, 2
	})
	return a
}

func decide(api *operationtest.API, a *v1alpha1.Article, key, what, body string) restarticle.Article {
	api.T.Helper()
	var got restarticle.Article
	api.Into(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + a.Name + "/" + what, Body: body, Key: key}, &got)
	return got
}

func offered(a restarticle.Article, action string) bool {
	return slices.ContainsFunc(a.Actions, func(one restarticle.ArticleAction) bool { return one.Name == action && one.Allowed })
}

// The first approval of two is an entry, the last one the review. Only the second person makes the text approved.
func TestTheLastOfSeveralApprovalsIsTheReview(t *testing.T) {
	api := operationtest.New(t)
	a := twoApprovals(api)
	for range 2 {
		got := decide(api, a, operationtest.RightKey, "approve", `{"note":"good"}`)
		if got.Pending == nil || got.Pending.Status != "review" || got.Approvals.Required != 2 || !slices.Equal(got.Approvals.Given, []string{"Mara"}) {
			t.Fatalf("after one person: %+v, pending %+v", got.Approvals, got.Pending)
		}
		if offered(got, "approve") || !offered(got, "reject") {
			t.Errorf("who has approved may %+v", got.Actions)
		}
		if stored := api.Stored(a); stored.Spec.Review != nil || len(stored.Spec.Approvals) != 1 || stored.Spec.Approvals[0].Note != "good" {
			t.Fatalf("stored are %+v and %+v", stored.Spec.Review, stored.Spec.Approvals)
		}
	}
	api.Indexed(api.Stored(a))
	var seen restarticle.Article
	api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name, Key: operationtest.OtherApproverKey}, &seen)
	if !offered(seen, "approve") {
		t.Errorf("another person may %+v", seen.Actions)
	}
	got := decide(api, a, operationtest.OtherApproverKey, "approve", "")
	if got.Pending == nil || got.Pending.Status != "approved" || !slices.Equal(got.Approvals.Given, []string{"Mara", "Jo"}) {
		t.Errorf("after two people: %+v, pending %+v", got.Approvals, got.Pending)
	}
	if r := api.Stored(a).Spec.Review; r == nil || r.Decision != v1alpha1.DecisionApproved || r.By != "Jo" {
		t.Errorf("the review is %+v", r)
	}
}

// One person counts once, also by an app, and takes back their approval by a rejection.
func TestAPersonAndTheirAppsAreOneApproval(t *testing.T) {
	api := operationtest.New(t)
	a := twoApprovals(api)
	decide(api, a, operationtest.RightKey, "approve", "")
	got := decide(api, a, operationtest.AppToken, "approve", "")
	if got.Pending == nil || got.Pending.Status != "review" || !slices.Equal(got.Approvals.Given, []string{"Mara"}) || offered(got, "approve") {
		t.Errorf("after the app: %+v, pending %+v", got.Approvals, got.Pending)
	}
	rejected := decide(api, a, operationtest.AppToken, "reject", `{"note":"no"}`)
	if rejected.Pending == nil || rejected.Pending.Status != "rejected" || len(api.Stored(a).Spec.Approvals) != 0 {
		t.Errorf("after the rejection: pending %+v, entries %+v", rejected.Pending, api.Stored(a).Spec.Approvals)
	}
	if again := decide(api, a, operationtest.OtherApproverKey, "approve", ""); again.Pending == nil || again.Pending.Status == "approved" {
		t.Errorf("one person and one who rejected make it %+v", again.Pending)
	}
}

// A bulk request counts like the requests of its items.
func TestABulkApprovalIsOneOfSeveral(t *testing.T) {
	api := operationtest.New(t)
	a := twoApprovals(api)
	body := `{"operation":"approve","items":[{"uid":"` + a.Name + `","digest":"` + operationtest.TextOf(2).Digest() + `"}]}`
	for range 2 {
		got := api.Do(operationtest.Request{Method: http.MethodPost, Path: bulkPath, Body: body})
		if got.Status != http.StatusOK || api.Stored(a).Spec.Review != nil || len(api.Stored(a).Spec.Approvals) != 1 {
			t.Fatalf("got %d %s, stored %+v", got.Status, got.Raw, api.Stored(a).Spec)
		}
	}
}
