package page

import (
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// Counts returns how many articles of a workspace there are, by status and by the state of their last delivery. An empty site means all.
func (v *Visit) Counts(workspace, site string) (articlelist.ArticleCounts, error) {
	return Call[articlelist.ArticleCounts](v, rest.Request{
		Operation: "count-articles", Workspace: workspace, Query: Parameters("site_uid", site),
	})
}

// ByStatus returns how many articles have each status, and all of them under allStatuses.
func ByStatus(n articlelist.ArticleCounts) map[string]int {
	s := n.ByStatus
	return map[string]int{
		"draft": s.Draft, "generating": s.Generating, "review": s.Review, "approved": s.Approved, "rejected": s.Rejected,
		"scheduled": s.Scheduled, "published": s.Published, "failed": s.Failed, "archived": s.Archived, AllStatuses: n.All,
	}
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
