package page

import (
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// Counts are how many articles there are by status, all of them under AllStatuses, and by the state of their last delivery.
type Counts struct {
	ByStatus, ByPublication map[string]int
}

// counted names articles that are counted: those of a workspace, or of a site in it.
type counted struct{ workspace, site string }

// Counts returns how many articles of a workspace there are, as the page has read it first. An empty site means all.
func (v *Visit) Counts(workspace, site string) (Counts, error) {
	if n, ok := v.counts[counted{workspace, site}]; ok {
		return n, nil
	}
	n, err := Call(v, articlelist.Count, articlelist.CountInput{
		InWorkspace: operation.InWorkspace{Workspace: workspace}, OfSite: articlelist.OfSite{SiteUID: operation.SiteUID(site)},
	})
	if err != nil {
		return Counts{}, err
	}
	return v.keepCounts(workspace, site, n.Body), nil
}

// keepCounts has the page show the same numbers everywhere.
func (v *Visit) keepCounts(workspace, site string, n articlelist.ArticleCounts) Counts {
	status, publication := n.ByStatus, n.ByPublication
	counts := Counts{
		ByStatus: map[string]int{
			AllStatuses: n.All, StatusDraft: status.Draft, StatusGenerating: status.Generating, StatusReview: status.Review,
			statusApproved: status.Approved, "rejected": status.Rejected, "scheduled": status.Scheduled, StatusPublished: status.Published,
			"failed": status.Failed, StatusArchived: status.Archived,
		},
		ByPublication: map[string]int{
			StateInProgress: publication.Delivering, StateRetrying: publication.RetryScheduled, StateDelivered: publication.Delivered,
			StateFailed: publication.Failed, "cancelled": publication.Cancelled,
		},
	}
	v.counts[counted{workspace, site}] = counts
	return counts
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

// Sites returns the sites of the page's workspace, whose names are different.
func (v *Visit) Sites() ([]restsite.Site, error) {
	sites, err := v.SitesAsNamed()
	tellApart(sites)
	return sites, err
}

// SitesAsNamed is Sites with the names that people have given.
func (v *Visit) SitesAsNamed() ([]restsite.Site, error) {
	list, err := Call(v, restsite.List, struct{}{})
	if err != nil {
		return nil, err
	}
	var here []restsite.Site
	for _, site := range list.Body.Data {
		if site.WorkspaceID == v.Workspace {
			here = append(here, site)
		}
	}
	return here, nil
}

// tellApart adds to the names of sites that have the same one in what they differ: their domains, their types of CMS, or the ends of their
// uids.
func tellApart(sites []restsite.Site) {
	differences := []func(s restsite.Site) string{
		func(s restsite.Site) string {
			if s.Domain == s.Name {
				return ""
			}
			return s.Domain
		},
		func(s restsite.Site) string { return cmsLabel(s.CMSType) },
		func(s restsite.Site) string { return "#" + s.UID[max(0, len(s.UID)-4):] },
	}
	for _, difference := range differences {
		named := map[string]int{}
		for _, s := range sites {
			named[s.Name]++
		}
		for i, s := range sites {
			if more := difference(s); named[s.Name] > 1 && more != "" {
				sites[i].Name = s.Name + " (" + more + ")"
			}
		}
	}
}
