package article_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestUnpublishAsksTheController(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPost()
	path := "/v1/api/blogs/" + a.Name + "/unpublish"
	var got restarticle.Article
	api.Into(operationtest.Request{Method: http.MethodPost, Path: path}, &got)
	if unpublish := actionOf(got, "unpublish"); !got.UnpublishRequested || unpublish.Allowed {
		t.Errorf("the answer has unpublish_requested %t and the action %+v", got.UnpublishRequested, unpublish)
	}
	stored := api.Stored(a)
	if stored.Annotations[v1alpha1.UnpublishAnnotation] == "" || stored.Annotations[v1alpha1.OverwriteAnnotation] != "" || stored.Spec.Stage != v1alpha1.StagePublished {
		t.Errorf("annotations are %v, and the stage is %s", stored.Annotations, stored.Spec.Stage)
	}
	b := api.WithPost()
	api.Into(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + b.Name + "/unpublish", Body: `{"overwrite":true}`}, nil)
	if got := api.Stored(b).Annotations; got[v1alpha1.UnpublishAnnotation] == "" || got[v1alpha1.OverwriteAnnotation] == "" {
		t.Errorf("annotations are %v", got)
	}
}

func actionOf(a restarticle.Article, name string) restarticle.ArticleAction {
	for _, action := range a.Actions {
		if action.Name == name {
			return action
		}
	}
	return restarticle.ArticleAction{}
}

func TestRedeliverAnswersThatItWasAskedFor(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPost()
	api.SiteWith(operationtest.WordPress)
	var got restarticle.Article
	api.Into(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + a.Name + "/redeliver"}, &got)
	if !got.RedeliverRequested || got.UnpublishRequested {
		t.Errorf("got redeliver_requested %t, unpublish_requested %t", got.RedeliverRequested, got.UnpublishRequested)
	}
}

func TestRegenerateIsRefusedBeyondTheBudget(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	a.Spec.Content = nil
	api.Indexed(a)
	again := operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + a.Name + "/regenerate"}
	api.Account.Spec.Budget = &v1alpha1.AccountBudget{TokensPerMonth: new(int64(100))}
	api.Objects.Ledger = &v1alpha1.AccountLedger{Spec: v1alpha1.AccountLedgerSpec{Months: []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 100}}}}
	got := api.Do(again)
	operationtest.WantFailure(t, got, http.StatusPaymentRequired, problem.CodeInsufficientCredits)
	// From 09:00 on the 20th to the 1st.
	if f := operationtest.Failure(t, got); f.Problem.Reason != problem.ReasonBudgetReached || got.Header.Get("Retry-After") != "918000" {
		t.Errorf("the reason is %s, and Retry-After %s", f.Problem.Reason, got.Header.Get("Retry-After"))
	}
	if stored := api.Stored(a); stored.Annotations[v1alpha1.RegenerateAnnotation] != "" {
		t.Errorf("annotations are %v", stored.Annotations)
	}
	api.Account.Spec.Budget.TokensPerMonth = new(int64(101))
	api.Into(again, nil)
}

func TestUnpublishIsRefused(t *testing.T) {
	api := operationtest.New(t)
	for name, change := range map[string]func(*v1alpha1.Article){
		"sent by a webhook": func(a *v1alpha1.Article) { a.Status.Publication.Post.ContentHash = "" },
		"not published":     func(a *v1alpha1.Article) { a.Status.Publication = nil },
		"unpublished":       operationtest.TakenBack,
	} {
		got := api.Do(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + api.WithPost(change).Name + "/unpublish"})
		operationtest.WantFailure(t, got, http.StatusConflict, problem.CodeConflict)
		if f := operationtest.Failure(t, got); f.Problem.Reason != problem.ReasonWrongState {
			t.Errorf("%s: %+v", name, f.Problem)
		}
	}
}

// Where reviewers approve, the right to write is not enough.
func TestUnpublishNeedsTheScopeApproveWhereReviewersApprove(t *testing.T) {
	api := operationtest.New(t)
	const writer = operationtest.WriterKey
	a := api.WithPost()
	path := "/v1/api/blogs/" + a.Name
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: http.MethodPost, Path: path + "/unpublish", Key: writer}), http.StatusForbidden, problem.CodeInsufficientScope)
	var got restarticle.Article
	api.Into(operationtest.Request{Path: path, Key: writer}, &got)
	for _, action := range got.Actions {
		if action.Name == "unpublish" {
			t.Errorf("%+v is offered to who may not", action)
		}
	}
	api.SiteWith(func(s *v1alpha1.Site) { s.Spec.Review.Policy = v1alpha1.ReviewAutomatic })
	api.Into(operationtest.Request{Path: path, Key: writer}, &got)
	offered := false
	for _, action := range got.Actions {
		offered = offered || action.Name == "unpublish" && action.Allowed
	}
	if !offered {
		t.Errorf("unpublish is not among %+v", got.Actions)
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: http.MethodPost, Path: path + "/unpublish", Key: writer, Body: `{"overwrite":true}`}), http.StatusForbidden, problem.CodeInsufficientScope)
	api.Into(operationtest.Request{Method: http.MethodPost, Path: path + "/unpublish", Key: writer}, nil)
}

func TestAnUnpublishedArticleIsNoLongerPublishedAndComesBack(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPost(operationtest.TakenBack)
	api.SiteWith(operationtest.WordPress)
	path := "/v1/api/blogs/" + a.Name
	var got restarticle.Article
	api.Into(operationtest.Request{Path: path}, &got)
	if got.Status == "published" || got.PublishedURL != "" || got.PublishedAt != nil || got.UnpublishedAt == nil || !strings.HasPrefix(*got.UnpublishedAt, "2026-11-20T10:00:00") {
		t.Errorf("got %s %q %v %v", got.Status, got.PublishedURL, got.PublishedAt, got.UnpublishedAt)
	}
	for query, want := range map[string]int{"published_since=2026-11-20T00:00:00Z": 0, "status=published": 0, "changed_since=2026-11-20T00:00:00Z": 0, "limit=5": 1} {
		var page articlelist.ArticlePage
		api.Into(operationtest.Request{Path: "/v1/api/blogs?" + query}, &page)
		if len(page.Data) != want {
			t.Errorf("%s: %d articles, want %d", query, len(page.Data), want)
		}
		if gone := strings.HasPrefix(query, "changed_since"); gone != (len(page.Gone) == 1) || gone && page.Gone[0].UID != got.UID {
			t.Errorf("%s: gone are %+v", query, page.Gone)
		}
	}
	api.Into(operationtest.Request{Method: http.MethodPost, Path: path + "/publish"}, nil)
	if stored := api.Stored(a); stored.Annotations[v1alpha1.RedeliverAnnotation] == "" || stored.Spec.Stage != v1alpha1.StagePublished {
		t.Errorf("annotations are %v", stored.Annotations)
	}
}
