package dashboard

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// cmsNone is the type of a site that nothing is sent to.
const cmsNone = "none"

func siteRoutes() []route {
	return []route{
		page("/w/:workspace/sites", v1alpha1.ScopeRead, showSites),
		page("/w/:workspace/sites/:uid", v1alpha1.ScopeRead, showSite),
		form("/w/:workspace/sites/:uid/test", v1alpha1.ScopeWrite, "test-site-connection", testSite),
	}
}

// sitesView is the data of the list of sites.
type sitesView struct{ Rows []siteRow }

type siteRow struct {
	rest.Site

	Connected, Ready mark
	// Today is how many articles the site has had today, of how many.
	Today string
}

func showSites(v *visit) (*answer, error) {
	sites, err := v.sites()
	if err != nil {
		return nil, err
	}
	today, err := v.today()
	if err != nil {
		return nil, err
	}
	view := sitesView{}
	for _, site := range sites {
		view.Rows = append(view.Rows, siteRow{site, connectionMark(site), readyMark(site), today[site.UID]})
	}
	return v.page("sites.html", "Sites", view), nil
}

// sites returns the sites of the page's workspace.
func (v *visit) sites() ([]rest.Site, error) {
	list, err := call[rest.SiteList](v, rest.Request{Operation: "list-sites"})
	if err != nil {
		return nil, err
	}
	var here []rest.Site
	for _, site := range list.Data {
		if site.WorkspaceID == v.workspace {
			here = append(here, site)
		}
	}
	return here, nil
}

// today returns how many articles each site has had today, and may have.
func (v *visit) today() (map[string]string, error) {
	usage, err := call[rest.Usage](v, rest.Request{Operation: "get-usage"})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, site := range usage.Day.Sites {
		if site.WorkspaceID == v.workspace {
			out[site.SiteUID] = fmt.Sprintf("%d of %d", site.Used, site.Limit)
		}
	}
	return out, nil
}

// siteView is the data of the page of a site.
type siteView struct {
	siteRow

	Details rest.SiteDetails
	Advice  string
	// Testing says that a test is in progress, and MayTest that one can be asked for.
	Testing, MayTest bool
	Outcome          mark
	WaitingPath      string
}

func showSite(v *visit) (*answer, error) {
	site, err := call[rest.SiteAnswer](v, rest.Request{Operation: "get-site", Path: map[string]string{"uid": v.param("uid")}})
	if err != nil {
		return nil, err
	}
	today, err := v.today()
	if err != nil {
		return nil, err
	}
	view := siteView{
		siteRow: siteRow{site.Site, connectionMark(site.Site), readyMark(site.Site), today[site.UID]}, Details: site.SiteDetails,
		WaitingPath: v.path("articles") + "?" + url.Values{"status": {"review"}, "site": {site.UID}}.Encode(),
	}
	var status *int32
	if last := site.Connection.LastTest; last != nil {
		status, view.Outcome = last.HTTPStatus, outcomes[last.Outcome]
		view.Testing = last.Outcome == inProgress
	}
	view.Advice = advice(site.Connection.Reason, status)
	if site.CMSType == cmsNone {
		view.Advice = ""
	}
	view.Testing = view.Testing || site.Connection.Reason == "testing"
	view.MayTest = v.may(v1alpha1.ScopeWrite) && site.CMSType != cmsNone && !view.Testing
	return v.page("site.html", site.Name, view), nil
}

func testSite(v *visit) (*answer, error) {
	back := v.path("sites", v.param("uid"))
	_, err := call[rest.ConnectionTestStarted](v, rest.Request{
		Operation: "test-site-connection", Path: map[string]string{"uid": v.param("uid")}, Body: rest.NoRequest{},
	})
	if isStatus(err, http.StatusConflict) {
		return v.redirectProblem(back, problemOf(err)), nil
	}
	if err != nil {
		return nil, err
	}
	return v.redirect(back, "The test has been asked for. Its outcome appears below within a few seconds."), nil
}
