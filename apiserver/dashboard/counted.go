package dashboard

import (
	"net/url"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// counts returns how many articles of a workspace there are, by status and by the state of their last delivery. An empty site means all.
func (v *visit) counts(workspace, site string) (rest.ArticleCounts, error) {
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
		return n, err
	}
	if v.counted == nil {
		v.counted = map[[2]string]rest.ArticleCounts{}
	}
	v.counted[key] = n
	return n, nil
}

// byStatus returns how many articles have each status, and all of them under allStatuses.
func byStatus(n rest.ArticleCounts) map[string]int {
	s := n.ByStatus
	return map[string]int{
		"draft": s.Draft, "generating": s.Generating, "review": s.Review, "approved": s.Approved, "rejected": s.Rejected,
		"scheduled": s.Scheduled, "published": s.Published, "failed": s.Failed, "archived": s.Archived, allStatuses: n.All,
	}
}

// waiting returns how many articles of a workspace wait for a reviewer. Where that is not known, none is shown.
func (v *visit) waiting(workspace string) int {
	counts, err := v.counts(workspace, "")
	if err != nil {
		return 0
	}
	return counts.ByStatus.Review
}

// sitesAndNames returns the sites of the page's workspace, and their names by uid.
func (v *visit) sitesAndNames() ([]rest.Site, map[string]string, error) {
	sites, err := v.sites()
	if err != nil {
		return nil, nil, err
	}
	names := map[string]string{}
	for _, s := range sites {
		names[s.UID] = s.Name
	}
	return sites, names, nil
}
