package page

import (
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// Counts are how many articles there are by status, all of them under AllStatuses, and by the state of their last delivery.
type Counts struct {
	All           int            `json:"all"`
	ByStatus      map[string]int `json:"by_status"`
	ByPublication map[string]int `json:"by_publication"`
}

// Counts returns how many articles of a workspace there are. An empty site means all.
func (v *Visit) Counts(workspace, site string) (Counts, error) {
	n, err := Call[Counts](v, rest.Request{Operation: "count-articles", Workspace: workspace, Query: Parameters("site_uid", site)})
	if err == nil {
		n.ByStatus[AllStatuses] = n.All
	}
	return n, err
}

// SitesAndNames returns the sites of the page's workspace, and their names by uid.
func (v *Visit) SitesAndNames() ([]restsite.Site, map[string]string, error) {
	sites, err := v.Sites()
	if err != nil {
		return nil, nil, err
	}
	names := map[string]string{}
	for _, s := range sites {
		names[s.UID] = s.Name
	}
	return sites, names, nil
}

// Sites returns the sites of the page's workspace.
func (v *Visit) Sites() ([]restsite.Site, error) {
	list, err := Call[restsite.SiteList](v, rest.Request{Operation: "list-sites"})
	if err != nil {
		return nil, err
	}
	var here []restsite.Site
	for _, site := range list.Data {
		if site.WorkspaceID == v.Workspace {
			here = append(here, site)
		}
	}
	return here, nil
}
