package account

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/account"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

const usagePath = "/account/usage"

func usageRoutes() []page.Route {
	return []page.Route{page.Show(usagePath, v1alpha1.ScopeRead, showUsage)}
}

// usageView is the data of the page of usage.
type usageView struct {
	account.Usage

	Sites []siteUsageRow
}

type siteUsageRow struct {
	account.SiteUsage

	Name string
}

func showUsage(v *page.Visit) (*page.Answer, error) {
	usage, err := page.Call[account.Usage](v, rest.Request{Operation: "get-usage"})
	if err != nil {
		return nil, err
	}
	list, err := page.Call[restsite.SiteList](v, rest.Request{Operation: "list-sites"})
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, site := range list.Data {
		names[site.WorkspaceID+"/"+site.UID] = site.Name
	}
	view := usageView{Usage: usage}
	for _, site := range usage.Day.Sites {
		view.Sites = append(view.Sites, siteUsageRow{site, names[site.WorkspaceID+"/"+site.SiteUID]})
	}
	return v.Page("usage.html", "Usage", view), nil
}
