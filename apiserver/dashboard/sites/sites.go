// Package sites has the pages of sites: their list, a site with its connection, and the forms that connect, change and delete it.
package sites

import (
	"embed"
	"fmt"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/account"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show("/w/:workspace/sites/new", v1alpha1.ScopeManage, newSite),
		page.Form("/w/:workspace/sites/new", restsite.Create, connectSite),
		page.Show("/w/:workspace/sites/:uid/edit", v1alpha1.ScopeManage, editSite),
		page.Form("/w/:workspace/sites/:uid/edit", restsite.Update, saveSite),
		page.Form("/w/:workspace/sites/:uid/connection", restsite.Update, saveConnection),
		page.Form("/w/:workspace/sites/:uid/delete", restsite.Delete, deleteSite),
		page.Show("/w/:workspace/sites", v1alpha1.ScopeRead, showSites),
		page.Show("/w/:workspace/sites/:uid", v1alpha1.ScopeRead, showSite),
		page.Form("/w/:workspace/sites/:uid/test", restsite.Test, testSite),
	}}
}

// sitesView is the data of the list of sites.
type sitesView struct{ Rows []siteRow }

type siteRow struct {
	restsite.Site

	Connected, Ready page.Mark
	// Today is how many articles the site has had today, of how many.
	Today string
}

func showSites(v *page.Visit) (*page.Answer, error) {
	sites, err := v.Sites()
	if err != nil {
		return nil, err
	}
	today, err := usedToday(v)
	if err != nil {
		return nil, err
	}
	view := sitesView{}
	for _, site := range sites {
		view.Rows = append(view.Rows, siteRow{site, connectionMark(site), readyMark(site), today[site.UID]})
	}
	return v.Page("sites.html", "Sites", view), nil
}

// usedToday returns how many articles each site has had today, and may have.
func usedToday(v *page.Visit) (map[string]string, error) {
	usage, err := page.Call(v, account.GetUsage, struct{}{})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, site := range usage.Body.Day.Sites {
		if site.WorkspaceID == v.Workspace {
			out[site.SiteUID] = fmt.Sprintf("%d of %d", site.Used, site.Limit)
		}
	}
	return out, nil
}

// siteView is the data of the page of a site.
type siteView struct {
	siteRow

	Details restsite.SiteDetails
	Advice  string
	// Testing says that a test is in progress, and MayTest that one can be asked for.
	Testing, MayTest bool
	Outcome          page.Mark
	WaitingPath      string
	// Brief of the site's articles.
	Brief page.BriefSelect
}

// Failing is how deliveries to the site fail; nil if they do not.
func (s siteView) Failing() *restsite.Delivering {
	if !failing(s.Site) {
		return nil
	}
	return s.Delivering
}

func showSite(v *page.Visit) (*page.Answer, error) {
	found, err := page.Call(v, restsite.Get, onSite(v))
	if err != nil {
		return nil, err
	}
	site := found.Body
	today, err := usedToday(v)
	if err != nil {
		return nil, err
	}
	view := siteView{
		siteRow: siteRow{site.Site, connectionMark(site.Site), readyMark(site.Site), today[site.UID]}, Details: site.SiteDetails,
		WaitingPath: page.WithQuery(v.Path("articles"), "status", page.StatusReview, "site", site.UID),
	}
	if site.BriefUID != "" {
		if view.Brief, err = v.BriefSelect("", site.BriefUID); err != nil {
			return nil, err
		}
	}
	var status *int32
	if last := site.ConnectionStatus.LastTest; last != nil {
		status, view.Outcome = last.HTTPStatus, page.Words.Attempts[last.Outcome]
		view.Testing = last.Outcome == page.InProgress
	}
	view.Advice = page.Advice(site.ConnectionStatus.Reason, status)
	if failing(site.Site) {
		view.Advice = page.Advice(site.Delivering.Reason, nil)
	}
	if site.CMSType == page.CmsNone {
		view.Advice = ""
	}
	view.Testing = view.Testing || site.ConnectionStatus.Reason == "testing"
	view.MayTest = v.May(v1alpha1.ScopeWrite) && site.CMSType != page.CmsNone && !view.Testing
	return v.Page("site.html", site.Name, view), nil
}

func testSite(v *page.Visit) (*page.Answer, error) {
	back := v.Path("sites", v.Param("uid"))
	_, err := page.Call(v, restsite.Test, restsite.TestInput{OnSite: onSite(v), Idempotent: v.Once()})
	return v.Back(back, "The test has been asked for. Its outcome appears below within a few seconds.", err)
}

// failing reports whether what is sent to a site fails.
func failing(site restsite.Site) bool {
	return site.Delivering != nil && site.Delivering.State == "failing"
}

// connectionMark returns the state of a site's connection.
func connectionMark(site restsite.Site) page.Mark {
	c := site.ConnectionStatus
	mark := page.Mark{Class: "warn", Text: page.ReasonWord(c.Reason)}
	switch {
	case failing(site):
		mark = page.Mark{Class: "failed", Text: page.ReasonWord(site.Delivering.Reason)}
	case c.State == "connected":
		mark.Class = "ok"
	case c.State == "failed":
		mark.Class = "failed"
	case site.CMSType == page.CmsNone:
		mark = page.Mark{Text: "Nothing is sent"}
	case c.Reason == "testing":
		mark.Class = page.InProgress
	}
	return mark
}

// readyMark returns whether publishing to a site is possible.
func readyMark(site restsite.Site) page.Mark {
	if failing(site) {
		return page.Mark{Class: "failed", Text: "Deliveries fail"}
	}
	if site.Status == "active" {
		return page.Mark{Class: "ok", Text: "Ready"}
	}
	return page.Mark{Class: "failed", Text: "Not ready"}
}
