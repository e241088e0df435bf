package account_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func TestAPersonChoosesAWorkspaceIfThereAreSeveral(t *testing.T) {
	p := pagetest.SignIn(t)
	only := p.Get("/app")
	p.Want(only, http.StatusSeeOther, nil)
	if got := only.Header.Get("Location"); !strings.HasPrefix(got, pagetest.In("articles")) {
		t.Errorf("the only workspace is at %s", got)
	}
	p.API.Namespace("acme-shop", "acme")
	p.API.Article(func(a *v1alpha1.Article) {
		a.Status.Revision = &v1alpha1.CurrentRevision{Name: "r", ContentHash: lifecycle.ContentHash(nil)}
		a.Status.Run = &v1alpha1.GenerationRun{State: v1alpha1.RunSucceeded, RequestHash: lifecycle.RequestHash(a.Spec.Generate)}
	})
	choice := p.Get("/app")
	p.Want(choice, http.StatusOK, map[string]string{"h1": "Workspaces", "main li:first-child": "1 in review"})
	if got := choice.Links("main li a"); !slices.Equal(got, []string{pagetest.In("articles"), "/app/w/acme-shop/articles"}) {
		t.Errorf("the choice is %v", got)
	}
}

func TestThePageOfUsageShowsCreditsTheLastMinuteAndTheDayOfEachSite(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Account.Spec.Credits = new(int64(20))
	p.API.Objects.Ledger = &v1alpha1.AccountLedger{Spec: v1alpha1.AccountLedgerSpec{
		CreditsUsed: 1, Day: "2026-11-20", RecentCallTimes: []v1alpha1.MicroTime{v1alpha1.NewMicroTime(operationtest.Began.Add(-30 * time.Second))},
		Sites: []v1alpha1.SiteUsage{{Workspace: operationtest.Workspace, Site: operationtest.SiteUID, Count: 1}},
	}}
	page := p.Get("/app/account/usage")
	p.Want(page, http.StatusOK, map[string]string{
		"#credits": "1 of 20", "#credits .quiet:last-child": "19 left.", "#minute": "1 of 60", "#minute .quiet:last-child": "another one is possible: the next ",
	})
	if got := page.Value("#credits progress"); got != "1" {
		t.Errorf("the bar is at %q", got)
	}
	if got := page.Text("tbody tr"); got != "blog.example.com"+operationtest.Workspace+"1 of 5049" {
		t.Errorf("the day of the site is %q", got)
	}
	p.API.Account.Spec.Credits, p.API.Objects.Ledger = nil, &v1alpha1.AccountLedger{}
	p.Want(p.Get("/app/account/usage"), http.StatusOK, map[string]string{
		"#credits": "There is no limit.", "#minute": "Nobody has asked for one.", "#month": "0 tokens", "#month .quiet:last-child": "Months are counted in UTC.",
	})
}

func TestThePageOfUsageShowsTheBudgetOfTheMonth(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Account.Spec.Budget = &v1alpha1.AccountBudget{
		TokensPerMonth: new(int64(1000)), SpendPerMonth: &v1alpha1.Money{Amount: "50", Currency: "USD"},
	}
	p.API.Objects.Ledger = &v1alpha1.AccountLedger{Spec: v1alpha1.AccountLedgerSpec{Months: []v1alpha1.MonthUsage{
		{Month: "2026-11", Tokens: 300, Spend: []v1alpha1.Cost{{Amount: "4.210000", Currency: "USD"}}},
	}}}
	page := p.Get("/app/account/usage")
	p.Want(page, http.StatusOK, map[string]string{
		"#month": "300 of 1000 tokens", "#month .figure:nth-of-type(2)": "4.210000 of 50.000000 USD",
		"#month .quiet:last-child": "700 tokens are left. 45.790000 USD are left.",
	})
	if got := page.Value("#month progress"); got != "300" {
		t.Errorf("the bar is at %q", got)
	}
}

func TestSettingsAreKeptInACookieUnlessTheZoneIsUnknown(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead)
	const path = "/app/account/settings"
	page := p.Get(path)
	p.Want(page, http.StatusOK, map[string]string{"dl": "read"})
	refused := p.Submit(page, "main form", url.Values{"zone": {"Mars/Olympus"}})
	p.Want(refused, http.StatusUnprocessableEntity, map[string]string{"#zone-problem": "There is no time zone “Mars/Olympus”."})
	if got := refused.Value("#zone"); got != "Mars/Olympus" || refused.Header.Get("Set-Cookie") != "" {
		t.Errorf("the zone is %q, with the cookie %q", got, refused.Header.Get("Set-Cookie"))
	}
	saved := p.Submit(page, "main form", url.Values{"zone": {"Asia/Tokyo"}})
	p.Want(saved, http.StatusSeeOther, nil)
	if len(saved.Header.Values("Set-Cookie")) == 0 || !strings.HasPrefix(saved.Header.Get("Location"), path) {
		t.Errorf("the header is %v", saved.Header)
	}
}
