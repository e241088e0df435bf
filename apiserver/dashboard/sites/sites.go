// Package sites has the pages of sites: their list, a site with its connection, and the forms that connect, change and delete it.
package sites

import (
	"embed"
	"fmt"
	"slices"
	"strings"

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

	// Status is one badge for whether articles arrive at the site, and Why says more; it may be empty.
	Status page.Mark
	Why    string
	// Today is how many articles the site has had today, of how many.
	Today string
	// Twin means that another site has the same domain.
	Twin bool
	// used is how many articles the site has had today.
	used int32
}

func rowOf(site restsite.Site, today map[string]account.SiteUsage) siteRow {
	row := siteRow{Site: site}
	row.Status, row.Why = statusOf(site)
	if day, ok := today[site.UID]; ok {
		row.Today, row.used = fmt.Sprintf("%d of %d", day.Used, day.Limit), day.Used
	}
	return row
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
		row := rowOf(site, today)
		row.Twin = slices.ContainsFunc(sites, func(s restsite.Site) bool {
			return s.UID != site.UID && strings.EqualFold(s.Domain, site.Domain)
		})
		view.Rows = append(view.Rows, row)
	}
	return v.Page("sites.html", "Sites", view), nil
}

// usedToday returns how many articles each site has had today, and may have, by the uids of the sites.
func usedToday(v *page.Visit) (map[string]account.SiteUsage, error) {
	usage, err := page.Call(v, account.GetUsage, struct{}{})
	if err != nil {
		return nil, err
	}
	out := map[string]account.SiteUsage{}
	for _, site := range usage.Body.Day.Sites {
		if site.WorkspaceID == v.Workspace {
			out[site.SiteUID] = site
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
	// GeneratePath leads to the form that generates the site's first articles; empty if it has some, or if nobody could get them.
	GeneratePath string
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
		siteRow: rowOf(site.Site, today), Details: site.SiteDetails,
		WaitingPath: page.WithQuery(v.Path("articles"), "status", page.StatusReview, "site", site.UID),
	}
	if view.GeneratePath, err = firstArticle(v, view.siteRow); err != nil {
		return nil, err
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

// firstArticle returns the path of the form that generates articles for a site; empty if the site has some, if it does not work, or if the
// person may not write.
func firstArticle(v *page.Visit, site siteRow) (string, error) {
	if !v.May(v1alpha1.ScopeWrite) || !works(site.Status) || site.Waiting > 0 || site.used > 0 || site.Deliveries.LastSuccessAt != nil {
		return "", nil
	}
	counts, err := v.Counts(v.Workspace, "")
	if err == nil && counts.ByStatus[page.AllStatuses] > 0 {
		counts, err = v.Counts(v.Workspace, site.UID)
	}
	if err != nil || counts.ByStatus[page.AllStatuses] > 0 {
		return "", err
	}
	return page.WithQuery(v.Path("articles", "new"), "kind", "generate", "site", site.UID), nil
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

// statusOf returns the status of a site, and why it is so; empty if the status says it. Whether articles arrive there is one fact, so it
// has one badge: deliveries that fail count more than a test, and a site that nobody can reach is not ready.
func statusOf(site restsite.Site) (status page.Mark, why string) {
	c := site.ConnectionStatus
	switch {
	case failing(site):
		return page.Mark{Class: "failed", Text: "Deliveries fail"}, page.ReasonWord(site.Delivering.Reason)
	case site.Status != "active":
		return page.Mark{Class: "failed", Text: "Not ready"}, site.StatusMessage
	case site.CMSType == page.CmsNone:
		return page.Mark{Text: "Nothing is sent"}, ""
	case c.State == "connected":
		return page.Mark{Class: "ok", Text: page.ReasonWord(c.Reason)}, ""
	case c.State == "failed":
		return page.Mark{Class: "failed", Text: page.ReasonWord(c.Reason)}, ""
	case c.Reason == "testing":
		return page.Mark{Class: page.InProgress, Text: page.ReasonWord(c.Reason)}, ""
	}
	return page.Mark{Class: "warn", Text: page.ReasonWord(c.Reason)}, ""
}

// works reports whether articles can get to a site. One whose test has no result yet counts as one that works.
func works(status page.Mark) bool { return status.Class != "failed" }
