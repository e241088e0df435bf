package rest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

func TestWhoamiSaysWhatACredentialMayDoAndUntilWhen(t *testing.T) {
	api := newAPI(t)
	api.namespace("acme-shop", "acme")
	for key, want := range map[string]string{
		rightKey: `{"success":true,"kind":"api_key","id":"k1","name":"Mara","account":"acme","scopes":["read","write","approve"],
			"expires_at":null,"workspaces":["acme-blog","acme-shop"],"limited":false}`,
		limitedKey: `{"success":true,"kind":"api_key","id":"k3","name":"","account":"acme","scopes":["read","write","approve"],
			"expires_at":"2026-11-20T10:00:00.000Z","workspaces":["acme-shop"],"limited":true}`,
		appToken: `{"success":true,"kind":"access_token","id":"t1","name":"Mara (app tool)","account":"acme","scopes":["read","write","approve"],
			"expires_at":null,"workspaces":["acme-blog","acme-shop"],"limited":false}`,
	} {
		wantBody(t, api.do(request{path: "/v1/api/whoami", key: key, workspace: "-"}), want)
	}
	wantFailure(t, api.do(request{path: "/v1/api/whoami", key: "-"}), http.StatusUnauthorized, problem.CodeUnauthorized)
}

func TestUsageCountsWhatIsUsedAndLeft(t *testing.T) {
	api := newAPI(t)
	api.namespace("acme-shop", "acme")
	shop := api.site("acme-shop", "0198f0a1-0000-7000-8000-000000000003").DeepCopy()
	shop.Spec.Limits.ArticlesPerDay, shop.ResourceVersion = new(int32(2)), "2"
	api.index.Handlers().Sites.OnUpdate(nil, shop)
	minute := func(ago time.Duration) v1alpha1.MicroTime { return v1alpha1.NewMicroTime(began.Add(-ago)) }
	wantFailure(t, api.do(request{path: "/v1/api/usage", workspace: "-"}), http.StatusServiceUnavailable, problem.CodeUnavailable)
	api.account.Spec = v1alpha1.AccountSpec{Credits: new(int64(10)), Limits: v1alpha1.AccountLimits{ArticlesPerSitePerDay: new(int32(3))}}
	api.objects.ledger = &v1alpha1.AccountLedger{Spec: v1alpha1.AccountLedgerSpec{
		CreditsUsed: 12, RecentCallTimes: []v1alpha1.MicroTime{minute(61 * time.Second), minute(30 * time.Second), minute(0)}, Day: "2026-11-20",
		Sites: []v1alpha1.SiteUsage{{Workspace: workspace, Site: siteUID, Count: 2}},
	}}
	wantBody(t, api.do(request{path: "/v1/api/usage", workspace: "-"}), `{"success":true,"account":"acme","credits":{"used":12,"limit":10,"left":0},
		"minute":{"used":2,"limit":60,"left":58,"free_at":"2026-11-20T09:00:30.000Z"},"day":{"ends_at":"2026-11-21T00:00:00.000Z","sites":[
		{"site_uid":"`+siteUID+`","workspace_id":"acme-blog","used":2,"limit":3,"left":1},
		{"site_uid":"0198f0a1-0000-7000-8000-000000000003","workspace_id":"acme-shop","used":0,"limit":2,"left":2}]}}`)

	api.clock.Step(48 * time.Hour)
	api.account.Spec.Credits = nil
	wantBody(t, api.do(request{path: "/v1/api/usage", key: limitedKey, workspace: "-"}), `{"success":true,"account":"acme",
		"credits":{"used":12,"limit":null,"left":null},"minute":{"used":0,"limit":60,"left":60,"free_at":null},
		"day":{"ends_at":"2026-11-23T00:00:00.000Z","sites":[
		{"site_uid":"0198f0a1-0000-7000-8000-000000000003","workspace_id":"acme-shop","used":0,"limit":2,"left":2}]}}`)
}

func TestAClientThatHasTheAnswerGets304(t *testing.T) {
	api := newAPI(t)
	a := api.published()
	otherAPI := newAPI(t)
	for _, path := range []string{"/v1/api/blogs", "/v1/api/blogs/" + a.Name, "/v1/api/sites", "/v1/api/whoami", "/v1/api/workspaces"} {
		first := api.do(request{path: path})
		tag := first.Header.Get("ETag")
		if first.Status != http.StatusOK || len(tag) < 20 || tag[0] != '"' || first.Header.Get("Vary") == "" {
			t.Fatalf("%s: got %d with %v", path, first.Status, first.Header)
		}
		for header, wantStatus := range map[string]int{
			tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, "": 200, tag[1 : len(tag)-1]: 200,
		} {
			got := api.do(request{path: path, header: map[string]string{"If-None-Match": header}})
			if got.Status != wantStatus || got.Header.Get("ETag") != tag || (got.Raw == "") != (wantStatus == 304) {
				t.Errorf("%s with %q: got %d, %q with %d bytes, want %d", path, header, got.Status, got.Header.Get("ETag"), len(got.Raw), wantStatus)
			}
		}
	}
	if api.do(request{path: "/v1/api/sites"}).Header.Get("ETag") != otherAPI.do(request{path: "/v1/api/sites"}).Header.Get("ETag") {
		t.Error("two replicas have different tags for the same answer")
	}
	before := api.do(request{path: "/v1/api/blogs"}).Header.Get("ETag")
	api.article(nil)
	if got := api.do(request{path: "/v1/api/blogs", header: map[string]string{"If-None-Match": before}}); got.Status != http.StatusOK {
		t.Errorf("a changed list: got %d", got.Status)
	}
	failed := api.do(request{path: "/v1/api/blogs?limit=0", header: map[string]string{"If-None-Match": "*"}})
	wantFailure(t, failed, http.StatusBadRequest, problem.CodeValidation)
	if failed.Header.Get("ETag") != "" {
		t.Error("an error has an entity tag")
	}
}
