package account_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestWhoamiSaysWhatACredentialMayDoAndUntilWhen(t *testing.T) {
	api := operationtest.New(t)
	api.Namespace("acme-shop", "acme")
	for key, want := range map[string]string{
		operationtest.RightKey: `{"success":true,"kind":"api_key","id":"k1","name":"Mara","account":"acme","scopes":["read","write","approve"],
			"expires_at":null,"workspaces":["acme-blog","acme-shop"],"limited":false,"limits":{"credits_per_day":null}}`,
		operationtest.LimitedKey: `{"success":true,"kind":"api_key","id":"k3","name":"","account":"acme","scopes":["read","write","approve"],
			"expires_at":"2026-11-20T10:00:00.000Z","workspaces":["acme-shop"],"limited":true,"limits":{"credits_per_day":20}}`,
		operationtest.AppToken: `{"success":true,"kind":"access_token","id":"t1","name":"Mara (app tool)","account":"acme","scopes":["read","write","approve"],
			"expires_at":null,"workspaces":["acme-blog","acme-shop"],"limited":false,"limits":{"credits_per_day":null}}`,
	} {
		operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/whoami", Key: key, Workspace: "-"}), want)
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/whoami", Key: "-"}), http.StatusUnauthorized, problem.CodeUnauthorized)
}

func TestUsageCountsWhatIsUsedAndLeft(t *testing.T) {
	api := operationtest.New(t)
	api.Namespace("acme-shop", "acme")
	shop := api.Site("acme-shop", "0198f0a1-0000-7000-8000-000000000003").DeepCopy()
	shop.Spec.Limits.ArticlesPerDay, shop.ResourceVersion = new(int32(2)), "2"
	api.Index.Handlers().Sites.OnUpdate(nil, shop)
	minute := func(ago time.Duration) v1alpha1.MicroTime {
		return v1alpha1.NewMicroTime(operationtest.Began.Add(-ago))
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/usage", Workspace: "-"}), http.StatusServiceUnavailable, problem.CodeUnavailable)
	api.Account.Spec = v1alpha1.AccountSpec{
		Credits: new(int64(10)), Limits: v1alpha1.AccountLimits{ArticlesPerSitePerDay: new(int32(3))},
		Budget: &v1alpha1.AccountBudget{TokensPerMonth: new(int64(1000)), SpendPerMonth: &v1alpha1.Money{Amount: "50", Currency: "USD"}},
	}
	api.Objects.Ledger = &v1alpha1.AccountLedger{Spec: v1alpha1.AccountLedgerSpec{
		CreditsUsed: 12, RecentCallTimes: []v1alpha1.MicroTime{minute(61 * time.Second), minute(30 * time.Second), minute(0)}, Day: "2026-11-20",
		Sites: []v1alpha1.SiteUsage{{Workspace: operationtest.Workspace, Site: operationtest.SiteUID, Count: 2}},
		Months: []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 1200, Spend: []v1alpha1.Cost{
			{Amount: "0.500000", Currency: "EUR"}, {Amount: "4.210000", Currency: "USD"},
		}}},
	}}
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/usage", Workspace: "-"}), `{"success":true,"account":"acme","credits":{"used":12,"limit":10,"left":0},
		"minute":{"used":2,"limit":60,"left":58,"free_at":"2026-11-20T09:00:30.000Z"},"day":{"ends_at":"2026-11-21T00:00:00.000Z","sites":[
		{"site_uid":"`+operationtest.SiteUID+`","workspace_id":"acme-blog","used":2,"limit":3,"left":1},
		{"site_uid":"0198f0a1-0000-7000-8000-000000000003","workspace_id":"acme-shop","used":0,"limit":2,"left":2}]},
		"month":{"ends_at":"2026-12-01T00:00:00.000Z","tokens":{"used":1200,"limit":1000,"left":0},"spend":[
		{"currency":"EUR","used":"0.500000","limit":null,"left":null},{"currency":"USD","used":"4.210000","limit":"50.000000","left":"45.790000"}]}}`)

	api.Clock.Step(48 * time.Hour)
	api.Account.Spec.Credits, api.Account.Spec.Budget = nil, &v1alpha1.AccountBudget{SpendPerMonth: &v1alpha1.Money{Amount: "1", Currency: "CHF"}}
	api.Objects.Ledger.Spec.Months = nil
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/usage", Key: operationtest.LimitedKey, Workspace: "-"}), `{"success":true,"account":"acme",
		"credits":{"used":12,"limit":null,"left":null},"minute":{"used":0,"limit":60,"left":60,"free_at":null},
		"day":{"ends_at":"2026-11-23T00:00:00.000Z","sites":[
		{"site_uid":"0198f0a1-0000-7000-8000-000000000003","workspace_id":"acme-shop","used":0,"limit":2,"left":2}]},
		"month":{"ends_at":"2026-12-01T00:00:00.000Z","tokens":{"used":0,"limit":null,"left":null},"spend":[
		{"currency":"CHF","used":"0.000000","limit":"1.000000","left":"1.000000"}]}}`)
}

func TestWorkspacesOfTheKeyAreListed(t *testing.T) {
	api := operationtest.New(t)
	api.Namespace("acme-shop", "acme")
	blog, shop := `{"workspace_id":"acme-blog","account":"acme"}`, `{"workspace_id":"acme-shop","account":"acme"}`
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/workspaces", Workspace: "-"}), `{"success":true,"data":[`+blog+`,`+shop+`]}`)
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/workspaces", Workspace: "-", Key: operationtest.LimitedKey}), `{"success":true,"data":[`+shop+`]}`)
}
