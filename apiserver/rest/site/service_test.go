package site_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestSitesAreListedAsTheContractHasThem(t *testing.T) {
	api := operationtest.New(t)
	api.Namespace("acme-shop", "acme")
	shop := &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: "acme-shop", Name: "shop", CreationTimestamp: metav1.NewTime(operationtest.Began.Add(time.Hour))},
		Spec: v1alpha1.SiteSpec{
			Domain: "shop.example.com", DisplayName: "Shop", SearchConsole: &v1alpha1.SearchConsole{Property: "sc-domain:example.com"},
			CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress},
		},
		Status: v1alpha1.SiteStatus{Observed: v1alpha1.Observed{Conditions: []metav1.Condition{
			{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Message: "a Secret is missing"},
		}}},
	}
	api.Index.Handlers().Sites.OnAdd(shop, false)
	uid := identity.UID(identity.KindSite, "acme-shop", "shop")

	api.Article(func(a *v1alpha1.Article) {
		a.Status.Revision = &v1alpha1.CurrentRevision{Name: "r", ContentHash: lifecycle.ContentHash(nil)}
		a.Status.Run = &v1alpha1.GenerationRun{State: v1alpha1.RunSucceeded, RequestHash: lifecycle.RequestHash(a.Spec.Generate)}
	})

	const untested = `"connection_status":{"state":"unknown","reason":"not_tested","message":"","last_test":null},"delivering":null,
		"deliveries":{"last_success_at":null,"failures":0,"oldest_waiting_since":null}`
	first := `{"_id":"0198f0a10000000000000001","uid":"` + operationtest.SiteUID + `","domain":"blog.example.com","name":"blog.example.com","cms_type":"none",
		"gsc_connected":false,"status":"active","workspace_id":"acme-blog","created_at":"2026-11-20T09:00:00.000Z","updated_at":"2026-11-20T09:00:00.000Z","status_message":"",` + untested + `,"waiting_articles":1}`
	second := `{"_id":"` + identity.RecordID(uid, shop.CreationTimestamp.Time) + `","uid":"` + uid + `","domain":"shop.example.com","name":"Shop",
		"cms_type":"wordpress","gsc_connected":true,"status":"inactive","workspace_id":"acme-shop",
		"created_at":"` + operationtest.Milliseconds(shop.CreationTimestamp.Time) + `","updated_at":"` + operationtest.Milliseconds(shop.CreationTimestamp.Time) + `",
		"status_message":"a Secret is missing",` + untested + `,"waiting_articles":0}`
	// The header is not needed, and not looked at.
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/sites", Workspace: "-"}), `{"success":true,"data":[`+first+`,`+second+`]}`)
	operationtest.WantBody(t, api.Do(operationtest.Request{Path: "/v1/api/sites", Workspace: "-", Key: operationtest.LimitedKey}), `{"success":true,"data":[`+second+`]}`)
}
