package dashboard

import (
	"net/url"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// counts returns how many articles of a workspace have each status, and all of them under allStatuses. An empty site means all.
func (v *visit) counts(workspace, site string) (map[string]int, error) {
	key := [2]string{workspace, site}
	if known, ok := v.counted[key]; ok {
		return known, nil
	}
	query := url.Values{}
	if site != "" {
		query.Set("site_uid", site)
	}
	n, err := call[rest.ArticleCounts](v, rest.Request{Operation: "count-articles", Workspace: workspace, Query: query})
	if err != nil {
		return nil, err
	}
	s := n.ByStatus
	if v.counted == nil {
		v.counted = map[[2]string]map[string]int{}
	}
	v.counted[key] = map[string]int{
		"draft": s.Draft, "generating": s.Generating, "review": s.Review, "approved": s.Approved, "rejected": s.Rejected,
		"scheduled": s.Scheduled, "published": s.Published, "failed": s.Failed, "archived": s.Archived, allStatuses: n.All,
	}
	return v.counted[key], nil
}

// waiting returns how many articles of a workspace wait for a reviewer. Where that is not known, none is shown.
func (v *visit) waiting(workspace string) int {
	counts, err := v.counts(workspace, "")
	if err != nil {
		return 0
	}
	return counts["review"]
}

// sites returns the sites of the page's workspace, and their names by uid.
func (v *visit) workspaceSites() ([]rest.Site, map[string]string, error) {
	list, err := call[rest.SiteList](v, rest.Request{Operation: "list-sites"})
	if err != nil {
		return nil, nil, err
	}
	var sites []rest.Site
	names := map[string]string{}
	for _, s := range list.Data {
		if s.WorkspaceID == v.workspace {
			sites = append(sites, s)
			names[s.UID] = s.Name
		}
	}
	return sites, names, nil
}
