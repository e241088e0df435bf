package article

import (
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// fixed says why something is not offered on an article that is published or on its way.
type fixed struct {
	Text string
	// Change is the path of the setting of the site that decides it; empty if the person may not change that.
	Change string
}

// updatesField is the id of the setting of a site that says whether published articles change.
const updatesField = "#updates"

// whyPublishedIsFixed says why nobody can edit a published article or take its post back, to those who might otherwise; nil if they can.
func whyPublishedIsFixed(v *page.Visit, a restarticle.Article, site restsite.SiteAnswer, can map[string]bool) *fixed {
	if !v.May(v1alpha1.ScopeWrite) || can["edit"] && can["unpublish"] {
		return nil
	}
	var why []string
	out := &fixed{}
	sending := a.Publication != nil && (a.Publication.State == page.StateInProgress || page.IsLate(a.ArticleSummary))
	switch {
	case can["edit"]:
	case a.Status == page.StatusPublished && site.Updates == "frozen":
		why = append(why, "The text does not change any more: articles that are published at this site stay as they are.")
		if v.May(v1alpha1.ScopeManage) {
			out.Change = v.Path("sites", site.UID, "edit") + updatesField
		} else {
			why = append(why, "Somebody who may manage sites can change that, under Published articles.")
		}
	case sending:
		why = append(why, "The text does not change while it is being sent.")
	}
	if a.Status == page.StatusPublished && !can["unpublish"] && site.CMSType == "headless" {
		why = append(why, "To take the post down, remove it at the site: Pressroom only sends posts there.")
	}
	if len(why) == 0 {
		return nil
	}
	out.Text = strings.Join(why, " ")
	return out
}
