package generation_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestGenerateChargesAndCreatesOneArticle(t *testing.T) {
	api := operationtest.New(t)
	limit := int32(7)
	site := api.Site(operationtest.Workspace, operationtest.SiteUID)
	site.Spec.Limits.ArticlesPerDay = &limit
	got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate",
		Body: operationtest.GenerateBody(map[string]any{"keyword": "  Laufschuhe für 山道  ", "secondary_keywords": []string{" grip "}, "tone": "dry"})})
	out := operationtest.Accepted(t, got)
	if !identity.IsUID(out.BlogUID) || out.RunID != identity.RevisionName(out.BlogUID, out.BlogUID, 1) {
		t.Errorf("run_id %q and blog_uid %q do not name a new article and its first revision", out.RunID, out.BlogUID)
	}
	if want := `{"success":true,"run_id":"` + out.RunID + `","blog_uid":"` + out.BlogUID + `"}`; strings.TrimSpace(got.Raw) != want {
		t.Errorf("got %s, want %s", got.Raw, want)
	}
	a := api.Objects.Articles[client.ObjectKey{Namespace: operationtest.Workspace, Name: out.BlogUID}]
	if a == nil {
		t.Fatal("no article was created")
	}
	g := a.Spec.Generate
	if a.Spec.SiteRef.Name != operationtest.SiteUID || g.Keyword != "Laufschuhe für 山道" || g.SecondaryKeywords[0] != "grip" || g.Tone != "dry" || a.Spec.Stage != v1alpha1.StageReview {
		t.Errorf("the article is %+v %+v", a.Spec, g)
	}
	if len(api.Ledger.Charges) != 1 {
		t.Fatalf("%d charges, want 1", len(api.Ledger.Charges))
	}
	c := api.Ledger.Charges[0]
	if c.Account != "acme" || c.Run != out.RunID || c.Workspace != operationtest.Workspace || c.Article != out.BlogUID || c.Site != operationtest.SiteUID || *c.DailyLimit != 7 || !c.Metered {
		t.Errorf("the charge is %+v", c)
	}
}

func TestGenerateCountsTheCreditsOfALimitedKey(t *testing.T) {
	api := operationtest.New(t)
	api.Namespace("acme-shop", "acme")
	api.Site("acme-shop", "0198f0a1-0000-7000-8000-000000000003")
	api.Into(operationtest.Request{
		Method: "POST", Path: "/v1/api/generate", Key: operationtest.LimitedKey, Workspace: "acme-shop",
		Body: operationtest.GenerateBody(map[string]any{"site_uid": "0198f0a1-0000-7000-8000-000000000003"}),
	}, nil)
	if c := api.Ledger.Charges; len(c) != 1 || c[0].Key != "k3" || c[0].KeyLimit == nil || *c[0].KeyLimit != 20 {
		t.Errorf("the charges are %+v", c)
	}
}

func TestGenerateTakesItsCreditWhileItsRunIsSuspended(t *testing.T) {
	for name, suspend := range map[string]func(*operationtest.API){
		"by the Site": func(api *operationtest.API) {
			api.Site(operationtest.Workspace, operationtest.SiteUID).Spec.Suspend = true
		},
		"by the Account": func(api *operationtest.API) { api.Account.Spec.Suspend = true },
	} {
		t.Run(name, func(t *testing.T) {
			api := operationtest.New(t)
			suspend(api)
			out := operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}))
			if len(api.Ledger.Charges) != 1 || api.Ledger.Charges[0].Run != out.RunID || api.Ledger.Returned != 0 {
				t.Errorf("charges %+v, %d given back; want one, for %s", api.Ledger.Charges, api.Ledger.Returned, out.RunID)
			}
		})
	}
}

func TestKeywordsOfTwoAndTwoHundredCharactersAreAccepted(t *testing.T) {
	api := operationtest.New(t)
	for _, keyword := range []string{"山道", strings.Repeat("é", 200), "   " + strings.Repeat("x", 200) + "\n"} {
		operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(map[string]any{"keyword": keyword})}))
	}
}

func TestNullIsTheSameAsAbsent(t *testing.T) {
	api := operationtest.New(t)
	body := `{"site_uid":"` + operationtest.SiteUID + `","keyword":"trail shoes","secondary_keywords":null,"tone":null,"unknown":null}`
	out := operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: body}))
	if g := api.Objects.Articles[client.ObjectKey{Namespace: operationtest.Workspace, Name: out.BlogUID}].Spec.Generate; g.Tone != "" || len(g.SecondaryKeywords) > 0 {
		t.Errorf("the article asks for %+v", g)
	}
}

func TestGenerateTakesALength(t *testing.T) {
	api := operationtest.New(t)
	for length, want := range map[string]v1alpha1.ArticleLength{
		"short": v1alpha1.LengthShort, "standard": v1alpha1.LengthStandard, "long": v1alpha1.LengthLong, "": "",
	} {
		fields := map[string]any{"keyword": "trail shoes"}
		if length != "" {
			fields["length"] = length
		}
		out := operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(fields)}))
		if got := api.Objects.Articles[client.ObjectKey{Namespace: operationtest.Workspace, Name: out.BlogUID}].Spec.Generate.Length; got != want {
			t.Errorf("length %q became %q, want %q", length, got, want)
		}
	}
	refused := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(map[string]any{"keyword": "trail shoes", "length": "endless"})})
	if refused.Status != http.StatusBadRequest || !strings.Contains(refused.Raw, "length") {
		t.Errorf("got %d: %s", refused.Status, refused.Raw)
	}
}

func TestASiteThatPublishesOnApprovalGetsArticlesAtStagePublished(t *testing.T) {
	api := operationtest.New(t)
	api.Site(operationtest.Workspace, operationtest.SiteUID).Spec.Publishing.DefaultStage = v1alpha1.DefaultStagePublished
	out := operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}))
	if stage := api.Objects.Articles[client.ObjectKey{Namespace: operationtest.Workspace, Name: out.BlogUID}].Spec.Stage; stage != v1alpha1.StagePublished {
		t.Errorf("the stage is %s", stage)
	}
}

// That a repeat is charged once is proved with real replicas in package apiserver.
func TestARepeatMayBeWrittenInAnotherWay(t *testing.T) {
	api := operationtest.New(t)
	key := map[string]string{"Idempotency-Key": strings.Repeat("k", 255)}
	first := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: key})
	operationtest.Accepted(t, first)
	// Members in another order, a null, blanks.
	body := `{"tone":null, "keyword":" trail running shoes ","site_uid":"` + operationtest.SiteUID + `"}`
	second := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: body, Header: key})
	if second.Status != first.Status || second.Raw != first.Raw {
		t.Errorf("the repeat got %d %s, want %d %s", second.Status, second.Raw, first.Status, first.Raw)
	}
}

func TestTheSameKeyInAnotherWorkspaceIsAnother(t *testing.T) {
	api := operationtest.New(t)
	api.Namespace("acme-shop", "acme")
	shopSite := "0198f0a1-0000-7000-8000-000000000003"
	api.Site("acme-shop", shopSite)
	key := map[string]string{"Idempotency-Key": "k"}
	operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: key}))
	operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Workspace: "acme-shop", Body: operationtest.GenerateBody(map[string]any{"site_uid": shopSite}), Header: key}))
	if len(api.Objects.Articles) != 2 {
		t.Errorf("%d articles, want 2", len(api.Objects.Articles))
	}
}

func TestAChargeIsGivenBackWhenThereWillBeNoArticle(t *testing.T) {
	resource := schema.GroupResource{Group: "pressroom.dev", Resource: "articles"}
	terminating := apierrors.NewForbidden(resource, "x", errors.New("the namespace is being terminated"))
	terminating.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	for _, c := range []struct {
		name         string
		err          error
		wantStatus   int
		wantCode     problem.Code
		wantReturned int
	}{
		{"refused by a rule", operationtest.Invalid("spec.generate.keyword", `Invalid value: "x": must be nicer`), 400, problem.CodeValidation, 1},
		{"the workspace is going away", terminating, 404, problem.CodeNotFound, 1},
		{"the workspace is gone", apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, operationtest.Workspace), 404, problem.CodeNotFound, 1},
		{"the workspace is full", apierrors.NewForbidden(resource, "x", errors.New("exceeded quota: articles")), 409, problem.CodeLimitReached, 1},
		{"the facade may not", apierrors.NewForbidden(resource, "x", errors.New(`User "x" cannot create it`)), 500, problem.CodeInternal, 1},
		{"no answer in time", context.DeadlineExceeded, 503, problem.CodeUnavailable, 0},
		{"the server is overloaded", apierrors.NewTooManyRequests("busy", 7), 503, problem.CodeUnavailable, 0},
		{"the server's own fault", apierrors.NewInternalError(errors.New("etcd")), 503, problem.CodeUnavailable, 0},
		{"the server timed out", apierrors.NewServerTimeout(resource, "create", 3), 503, problem.CodeUnavailable, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := operationtest.New(t)
			api.Objects.Err = c.err
			got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)})
			operationtest.WantFailure(t, got, c.wantStatus, c.wantCode)
			if api.Ledger.Returned != c.wantReturned {
				t.Errorf("given back %d times, want %d", api.Ledger.Returned, c.wantReturned)
			}
			if (got.Header.Get("Retry-After") != "") != (c.wantStatus == 503) {
				t.Errorf("Retry-After is %q", got.Header.Get("Retry-After"))
			}
			if c.wantStatus == 400 {
				operationtest.WantFields(t, got, "keyword")
			}
		})
	}
}

func TestASiteWhoseWordsToAvoidLeaveNoTextIsRefusedBeforeTheCharge(t *testing.T) {
	api := operationtest.New(t)
	api.Site(operationtest.Workspace, operationtest.SiteUID).Spec.BrandVoice.AvoidWords = []string{"the"}
	operationtest.WantFields(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}), "site_uid")
	if len(api.Ledger.Charges) != 0 {
		t.Errorf("%d charges, want 0", len(api.Ledger.Charges))
	}
	operationtest.Accepted(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(map[string]any{"keyword": "the shining"})}))
}

func TestGenerateNamesEveryFailingField(t *testing.T) {
	eleven := strings.Split(strings.Repeat("shoe,", 10)+"shoe", ",")
	for _, c := range []struct {
		name string
		body string
		want []string
	}{
		{"a keyword of one character", operationtest.GenerateBody(map[string]any{"keyword": "x"}), []string{"keyword"}},
		{"a keyword of one character of three bytes", operationtest.GenerateBody(map[string]any{"keyword": "鞋"}), []string{"keyword"}},
		{"a keyword of one character and blanks", operationtest.GenerateBody(map[string]any{"keyword": "  x \n"}), []string{"keyword"}},
		{"a keyword of 201 characters", operationtest.GenerateBody(map[string]any{"keyword": strings.Repeat("é", 201)}), []string{"keyword"}},
		{"no keyword", operationtest.GenerateBody(map[string]any{"keyword": nil}), []string{"keyword"}},
		{"a null keyword", `{"site_uid":"` + operationtest.SiteUID + `","keyword":null}`, []string{"keyword"}},
		{"eleven secondary keywords", operationtest.GenerateBody(map[string]any{"secondary_keywords": eleven}), []string{"secondary_keywords"}},
		{"a blank secondary keyword", operationtest.GenerateBody(map[string]any{"secondary_keywords": []string{"a", " "}}), []string{"secondary_keywords[1]"}},
		{"an unknown site", operationtest.GenerateBody(map[string]any{"site_uid": "0198f0a1-0000-7000-8000-00000000ffff"}), []string{"site_uid"}},
		{"another workspace's site", operationtest.GenerateBody(map[string]any{"site_uid": operationtest.OtherSiteUID}), []string{"site_uid"}},
		{"a malformed site", operationtest.GenerateBody(map[string]any{"site_uid": "acme"}), []string{"site_uid"}},
		{"a site's uid in another notation", operationtest.GenerateBody(map[string]any{"site_uid": "urn:uuid:" + operationtest.SiteUID}), []string{"site_uid"}},
		{"a site's uid without hyphens", operationtest.GenerateBody(map[string]any{"site_uid": strings.ReplaceAll(operationtest.SiteUID, "-", "")}), []string{"site_uid"}},
		{"an empty site", operationtest.GenerateBody(map[string]any{"site_uid": ""}), []string{"site_uid"}},
		{"wrong types", `{"site_uid":7,"keyword":["x"],"secondary_keywords":"a","tone":{}}`, []string{"keyword", "secondary_keywords", "site_uid", "tone"}},
		{"a list of wrong types", operationtest.GenerateBody(map[string]any{"secondary_keywords": []any{"a", 1, nil}}), []string{"secondary_keywords[1]", "secondary_keywords[2]"}},
		{"an unknown field", operationtest.GenerateBody(map[string]any{"language": "en"}), []string{"language"}},
		{"a field in another case", `{"site_uid":"` + operationtest.SiteUID + `","Keyword":"trail shoes"}`, []string{"Keyword", "keyword"}},
		{"everything at once", `{"site_uid":"` + operationtest.OtherSiteUID + `","keyword":"x","secondary_keywords":["a","b","c","d","e","f","g","h","i","j","k"],"x":1}`,
			[]string{"keyword", "secondary_keywords", "site_uid", "x"}},
		{"nothing", `{}`, []string{"keyword", "site_uid"}},
		{"broken JSON", `{"site_uid":`, []string{"body"}},
		{"two values", operationtest.GenerateBody(nil) + `{}`, []string{"body"}},
		{"a list", `[]`, []string{"body"}},
		{"null", `null`, []string{"body"}},
		{"no UTF-8", "{\"site_uid\":\"\xff\"}", []string{"body"}},
		{"no body", "", []string{"body"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := operationtest.New(t)
			operationtest.WantFields(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: c.body}), c.want...)
			if len(api.Ledger.Charges) > 0 || len(api.Objects.Articles) > 0 {
				t.Error("something was charged or created")
			}
		})
	}
}

func TestLimitsAreToldAndCreateNothing(t *testing.T) {
	for _, c := range []struct {
		name           string
		err            error
		wantStatus     int
		wantCode       problem.Code
		wantRetryAfter string
	}{
		{"no credits", &ledger.LimitError{Code: ledger.InsufficientCredits}, 402, problem.CodeInsufficientCredits, ""},
		{"over the budget", &ledger.LimitError{Code: ledger.BudgetReached, RetryAfter: 240*time.Hour + 1}, 402, problem.CodeInsufficientCredits, "864001"},
		{"over the key's day", &ledger.LimitError{Code: ledger.KeyLimit, RetryAfter: time.Hour}, 429, problem.CodeRateLimited, "3600"},
		{"over the day's limit", &ledger.LimitError{Code: ledger.DailyLimit, RetryAfter: 3 * time.Hour}, 429, problem.CodeRateLimited, "10800"},
		{"the 61st request in a minute", &ledger.LimitError{Code: ledger.RateLimited, RetryAfter: 1100 * time.Millisecond}, 429, problem.CodeRateLimited, "2"},
		{"an account without a ledger", &ledger.LimitError{Code: ledger.Missing}, 503, problem.CodeUnavailable, "5"},
		{"too many at once", &ledger.LimitError{Code: ledger.Busy, RetryAfter: time.Second}, 503, problem.CodeUnavailable, "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := operationtest.New(t)
			api.Ledger.Err = c.err
			got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)})
			operationtest.WantFailure(t, got, c.wantStatus, c.wantCode)
			if after := got.Header.Get("Retry-After"); after != c.wantRetryAfter {
				t.Errorf("Retry-After is %q, want %q", after, c.wantRetryAfter)
			}
			if len(api.Objects.Articles) > 0 {
				t.Error("an article was created")
			}
		})
	}
}

// TestWhatFailsIsNeitherChargedNorCounted walks the order of the checks (docs/reference/contract.md, Errors): 401, 403, 400 and 404 come
// before 429 and 402.
func TestWhatFailsIsNeitherChargedNorCounted(t *testing.T) {
	api := operationtest.New(t)
	api.Ledger.Err = &ledger.LimitError{Code: ledger.RateLimited, RetryAfter: time.Second}
	body := operationtest.GenerateBody(map[string]any{"keyword": "x"})
	for _, c := range []struct {
		ask  operationtest.Request
		want int
	}{
		{operationtest.Request{Key: "unknown", Workspace: operationtest.OtherWorkspace, Body: body}, 401},
		{operationtest.Request{Key: operationtest.ReadOnlyKey, Workspace: operationtest.OtherWorkspace, Body: body}, 403},
		{operationtest.Request{Body: body}, 400},
		{operationtest.Request{Workspace: operationtest.OtherWorkspace, Body: operationtest.GenerateBody(nil)}, 404},
		{operationtest.Request{Body: operationtest.GenerateBody(nil)}, 429},
	} {
		c.ask.Method, c.ask.Path = "POST", "/v1/api/generate"
		if got := api.Do(c.ask); got.Status != c.want {
			t.Errorf("got %d, want %d: %s", got.Status, c.want, got.Raw)
		}
	}
	if len(api.Ledger.Charges) > 0 || len(api.Objects.Articles) > 0 {
		t.Error("something was charged or created")
	}
}

func TestAChargeThatAnotherRequestTookIsNotGivenBack(t *testing.T) {
	api := operationtest.New(t)
	api.Ledger.Pending = true
	api.Objects.Err = operationtest.Invalid("spec.generate.keyword", "no")
	got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)})
	if got.Status != 400 || api.Ledger.Returned != 0 {
		t.Errorf("got %d, given back %d times, want 400 and none", got.Status, api.Ledger.Returned)
	}
}

func TestAReusedKeyNamesTheFieldsThatDifferWithACode(t *testing.T) {
	api := operationtest.New(t)
	generate := func(keyword string) operationtest.Request {
		body := operationtest.GenerateBody(map[string]any{"keyword": keyword})
		return operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: body, Header: operationtest.Keyed}
	}
	first := operationtest.Accepted(t, api.Do(generate("trail shoes")))
	for key, a := range api.Objects.Articles {
		if key.Name == first.BlogUID {
			api.Indexed(a)
		}
	}
	got := operationtest.Failure(t, api.Do(generate("road shoes"))).Problem
	want := []problem.ErrorDetail{{
		Field: "keyword", Code: problem.DetailInvalid, Message: "differs from the article that was made with this Idempotency-Key",
	}}
	if got.Reason != problem.ReasonKeyReused || !slices.Equal(got.Details, want) {
		t.Errorf("got %+v", got)
	}
}
