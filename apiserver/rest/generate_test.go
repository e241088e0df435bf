package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func accepted(t *testing.T, got testkit.Answer) generation.GenerateAnswer {
	t.Helper()
	var out generation.GenerateAnswer
	if err := json.Unmarshal([]byte(got.Raw), &out); err != nil || got.Status != http.StatusAccepted {
		t.Fatalf("got %d: %s", got.Status, got.Raw)
	}
	return out
}

func TestGenerateChargesAndCreatesOneArticle(t *testing.T) {
	api := newAPI(t)
	limit := int32(7)
	site := api.site(workspace, siteUID)
	site.Spec.Limits.ArticlesPerDay = &limit
	got := api.do(request{method: "POST", path: "/v1/api/generate",
		body: generateBody(map[string]any{"keyword": "  Laufschuhe für 山道  ", "secondary_keywords": []string{" grip "}, "tone": "dry"})})
	out := accepted(t, got)
	if !identity.IsUID(out.BlogUID) || out.RunID != identity.RevisionName(out.BlogUID, out.BlogUID, 1) {
		t.Errorf("run_id %q and blog_uid %q do not name a new article and its first revision", out.RunID, out.BlogUID)
	}
	if want := `{"success":true,"run_id":"` + out.RunID + `","blog_uid":"` + out.BlogUID + `"}`; strings.TrimSpace(got.Raw) != want {
		t.Errorf("got %s, want %s", got.Raw, want)
	}
	a := api.objects.articles[client.ObjectKey{Namespace: workspace, Name: out.BlogUID}]
	if a == nil {
		t.Fatal("no article was created")
	}
	g := a.Spec.Generate
	if a.Spec.SiteRef.Name != siteUID || g.Keyword != "Laufschuhe für 山道" || g.SecondaryKeywords[0] != "grip" || g.Tone != "dry" || a.Spec.Stage != v1alpha1.StageReview {
		t.Errorf("the article is %+v %+v", a.Spec, g)
	}
	if len(api.ledger.charges) != 1 {
		t.Fatalf("%d charges, want 1", len(api.ledger.charges))
	}
	c := api.ledger.charges[0]
	if c.Account != "acme" || c.Run != out.RunID || c.Workspace != workspace || c.Article != out.BlogUID || c.Site != siteUID || *c.DailyLimit != 7 || !c.Metered {
		t.Errorf("the charge is %+v", c)
	}
}

func TestGenerateTakesItsCreditWhileItsRunIsSuspended(t *testing.T) {
	for name, suspend := range map[string]func(*restAPI){
		"by the Site":    func(api *restAPI) { api.site(workspace, siteUID).Spec.Suspend = true },
		"by the Account": func(api *restAPI) { api.account.Spec.Suspend = true },
	} {
		t.Run(name, func(t *testing.T) {
			api := newAPI(t)
			suspend(api)
			out := accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}))
			if len(api.ledger.charges) != 1 || api.ledger.charges[0].Run != out.RunID || api.ledger.returned != 0 {
				t.Errorf("charges %+v, %d given back; want one, for %s", api.ledger.charges, api.ledger.returned, out.RunID)
			}
		})
	}
}

func TestKeywordsOfTwoAndTwoHundredCharactersAreAccepted(t *testing.T) {
	api := newAPI(t)
	for _, keyword := range []string{"山道", strings.Repeat("é", 200), "   " + strings.Repeat("x", 200) + "\n"} {
		accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(map[string]any{"keyword": keyword})}))
	}
}

func TestNullIsTheSameAsAbsent(t *testing.T) {
	api := newAPI(t)
	body := `{"site_uid":"` + siteUID + `","keyword":"trail shoes","secondary_keywords":null,"tone":null,"unknown":null}`
	out := accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: body}))
	if g := api.objects.articles[client.ObjectKey{Namespace: workspace, Name: out.BlogUID}].Spec.Generate; g.Tone != "" || len(g.SecondaryKeywords) > 0 {
		t.Errorf("the article asks for %+v", g)
	}
}

func TestGenerateTakesALength(t *testing.T) {
	api := newAPI(t)
	for length, want := range map[string]v1alpha1.ArticleLength{
		"short": v1alpha1.LengthShort, "standard": v1alpha1.LengthStandard, "long": v1alpha1.LengthLong, "": "",
	} {
		fields := map[string]any{"keyword": "trail shoes"}
		if length != "" {
			fields["length"] = length
		}
		out := accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(fields)}))
		if got := api.objects.articles[client.ObjectKey{Namespace: workspace, Name: out.BlogUID}].Spec.Generate.Length; got != want {
			t.Errorf("length %q became %q, want %q", length, got, want)
		}
	}
	refused := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(map[string]any{"keyword": "trail shoes", "length": "endless"})})
	if refused.Status != http.StatusBadRequest || !strings.Contains(refused.Raw, "length") {
		t.Errorf("got %d: %s", refused.Status, refused.Raw)
	}
}

func TestASiteThatPublishesOnApprovalGetsArticlesAtStagePublished(t *testing.T) {
	api := newAPI(t)
	api.site(workspace, siteUID).Spec.Publishing.DefaultStage = v1alpha1.DefaultStagePublished
	out := accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}))
	if stage := api.objects.articles[client.ObjectKey{Namespace: workspace, Name: out.BlogUID}].Spec.Stage; stage != v1alpha1.StagePublished {
		t.Errorf("the stage is %s", stage)
	}
}

func TestARepeatUnderAKeyIsAnsweredAlikeAndChargedOnce(t *testing.T) {
	api := newAPI(t)
	key := map[string]string{"Idempotency-Key": strings.Repeat("k", 255)}
	first := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: key})
	accepted(t, first)
	// The same request: members in another order, a null, blanks.
	body := `{"tone":null, "keyword":" trail running shoes ","site_uid":"` + siteUID + `"}`
	second := api.do(request{method: "POST", path: "/v1/api/generate", body: body, header: key})
	if second.Status != first.Status || second.Raw != first.Raw {
		t.Errorf("the repeat got %d %s, want %d %s", second.Status, second.Raw, first.Status, first.Raw)
	}
	other := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(map[string]any{"tone": "dry"}), header: key})
	wantFailure(t, other, http.StatusConflict, problem.CodeConflict)
	if len(api.ledger.charges) != 1 || len(api.objects.articles) != 1 || api.ledger.returned != 0 {
		t.Errorf("%d charges, %d articles, %d returned; want 1, 1, 0", len(api.ledger.charges), len(api.objects.articles), api.ledger.returned)
	}
	// A limit does not hold up the repeat.
	api.ledger.err = errors.New("not to be asked")
	if again := api.do(request{method: "POST", path: "/v1/api/generate", body: body, header: key}); again.Raw != first.Raw {
		t.Errorf("the repeat got %d %s", again.Status, again.Raw)
	}
}

func TestTheSameKeyInAnotherWorkspaceIsAnother(t *testing.T) {
	api := newAPI(t)
	api.namespace("acme-shop", "acme")
	shopSite := "0198f0a1-0000-7000-8000-000000000003"
	api.site("acme-shop", shopSite)
	key := map[string]string{"Idempotency-Key": "k"}
	accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: key}))
	accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", workspace: "acme-shop", body: generateBody(map[string]any{"site_uid": shopSite}), header: key}))
	if len(api.objects.articles) != 2 {
		t.Errorf("%d articles, want 2", len(api.objects.articles))
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
		{"refused by a rule", invalidStatus("spec.generate.keyword", `Invalid value: "x": must be nicer`), 400, problem.CodeValidation, 1},
		{"the workspace is going away", terminating, 404, problem.CodeNotFound, 1},
		{"the workspace is gone", apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, workspace), 404, problem.CodeNotFound, 1},
		{"the workspace is full", apierrors.NewForbidden(resource, "x", errors.New("exceeded quota: articles")), 409, problem.CodeLimitReached, 1},
		{"the facade may not", apierrors.NewForbidden(resource, "x", errors.New(`User "x" cannot create it`)), 500, problem.CodeInternal, 1},
		{"no answer in time", context.DeadlineExceeded, 503, problem.CodeUnavailable, 0},
		{"the server is overloaded", apierrors.NewTooManyRequests("busy", 7), 503, problem.CodeUnavailable, 0},
		{"the server's own fault", apierrors.NewInternalError(errors.New("etcd")), 503, problem.CodeUnavailable, 0},
		{"the server timed out", apierrors.NewServerTimeout(resource, "create", 3), 503, problem.CodeUnavailable, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := newAPI(t)
			api.objects.err = c.err
			got := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)})
			wantFailure(t, got, c.wantStatus, c.wantCode)
			if api.ledger.returned != c.wantReturned {
				t.Errorf("given back %d times, want %d", api.ledger.returned, c.wantReturned)
			}
			if (got.Header.Get("Retry-After") != "") != (c.wantStatus == 503) {
				t.Errorf("Retry-After is %q", got.Header.Get("Retry-After"))
			}
			if c.wantStatus == 400 {
				wantFields(t, got, "keyword")
			}
		})
	}
}

func invalidStatus(field, message string) error {
	e := apierrors.NewInvalid(schema.GroupKind{Group: "pressroom.dev", Kind: "Article"}, "x", nil)
	e.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: field, Message: message}}
	return e
}

func TestASiteWhoseWordsToAvoidLeaveNoTextIsRefusedBeforeTheCharge(t *testing.T) {
	api := newAPI(t)
	api.site(workspace, siteUID).Spec.BrandVoice.AvoidWords = []string{"the"}
	wantFields(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}), "site_uid")
	if len(api.ledger.charges) != 0 {
		t.Errorf("%d charges, want 0", len(api.ledger.charges))
	}
	accepted(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(map[string]any{"keyword": "the shining"})}))
}
