package dashboard

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

const usagePath = "/account/usage"

func usageRoutes() []route {
	return []route{page(usagePath, v1alpha1.ScopeRead, showUsage)}
}

// usageView is the data of the page of usage.
type usageView struct {
	rest.Usage

	Sites []siteUsageRow
}

type siteUsageRow struct {
	rest.SiteUsage

	Name string
}

func showUsage(v *visit) (*answer, error) {
	usage, err := call[rest.Usage](v, rest.Request{Operation: "get-usage"})
	if err != nil {
		return nil, err
	}
	list, err := call[rest.SiteList](v, rest.Request{Operation: "list-sites"})
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
	return v.page("usage.html", "Usage", view), nil
}
