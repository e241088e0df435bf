package sites_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

func TestTheSitesOfTheWorkspaceAreListed(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Namespace("acme-shop", "acme")
	p.API.Site("acme-shop", "elsewhere")
	p.API.Objects.Ledger = &v1alpha1.AccountLedger{Spec: v1alpha1.AccountLedgerSpec{
		Day: "2026-11-20", Sites: []v1alpha1.SiteUsage{{Workspace: operationtest.Workspace, Site: operationtest.SiteUID, Count: 1}},
	}}
	p.API.Article(func(a *v1alpha1.Article) {
		a.Status.Revision = &v1alpha1.CurrentRevision{Name: "r", ContentHash: lifecycle.ContentHash(nil)}
		a.Status.Run = &v1alpha1.GenerationRun{State: v1alpha1.RunSucceeded, RequestHash: lifecycle.RequestHash(a.Spec.Generate)}
	})
	list := p.Get(pagetest.In("sites"))
	p.Want(list, http.StatusOK, map[string]string{"nav a[aria-current]": "Sites", "tbody tr": "1 of 50"})
	if got := list.Text("tbody tr"); !strings.Contains(got, "blog.example.com") || !strings.Contains(got, "Nothing is sent") {
		t.Errorf("the row says %q", got)
	}
	if got := list.Links("tbody .number a"); len(got) != 1 || got[0] != pagetest.In("articles")+"?site="+operationtest.SiteUID+"&status=review" {
		t.Errorf("what is in review is at %v", got)
	}
	if got := list.Find("tbody tr").Length(); got != 1 {
		t.Errorf("%d sites, want that of the workspace", got)
	}
}

func TestASiteSaysWhyItsConnectionFailsAndWhatToDo(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Objects.Ledger = &v1alpha1.AccountLedger{}
	p.API.SiteWith(func(s *v1alpha1.Site) {
		s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{URL: "https://hooks.example.com/a"}}
		s.Status.Conditions = []metav1.Condition{{
			Type: v1alpha1.ConditionConnected, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonReceiverRejected, Message: "the receiver answered 401",
		}}
		s.Status.ConnectionTest = &v1alpha1.ConnectionTest{AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptRejected, HTTPStatus: 401, Milliseconds: 412, Message: "the receiver answered 401",
		}, Snippet: "<b>go away</b>"}
	})
	page := p.Get(pagetest.In("sites", operationtest.SiteUID))
	p.Want(page, http.StatusOK, map[string]string{
		"#connection": "412 ms", "#connection .advice": "401: the receiver has another signing secret.", "#connection .snippet": "<b>go away</b>",
		"main": "hooks.example.com",
	})
	if page.Find("#connection b").Length() != 0 {
		t.Error("the answer of the receiver is HTML of the page")
	}
}

func TestAForeignSiteIsNotFound(t *testing.T) {
	p := pagetest.SignIn(t)
	p.API.Objects.Ledger = &v1alpha1.AccountLedger{}
	p.Want(p.Get(pagetest.In("sites", operationtest.OtherSiteUID)), http.StatusNotFound, nil)
}

func TestSitesOfOneNameAreToldApart(t *testing.T) {
	const second, third = "0198f0a1-0000-7000-8000-000000000003", "0198f0a1-0000-7000-8000-0000000000a4"
	p := pagetest.SignIn(t)
	p.API.Objects.Ledger = &v1alpha1.AccountLedger{}
	for _, name := range []string{second, third} {
		s := p.API.Site(operationtest.Workspace, name).DeepCopy()
		operationtest.WordPress(s)
		p.API.Index.Handlers().Sites.OnAdd(s, false)
	}
	for _, path := range []string{pagetest.In("articles"), pagetest.In("articles", "new"), pagetest.In("deliveries"), pagetest.In("events", "new")} {
		page, named := p.Get(path), map[string]bool{}
		options := page.Find("select[name^=site] option")
		options.Each(func(_ int, o *goquery.Selection) { named[o.Text()] = true })
		if len(named) != options.Length() || len(named) < 3 {
			t.Errorf("%s: the menu has %v", path, named)
		}
	}
	p.Want(p.Get(pagetest.In("sites")), http.StatusOK, map[string]string{"#site-" + third: "WordPress) (#00a4)", "#site-" + second: "Another site has this domain."})
}
