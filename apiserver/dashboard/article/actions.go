package article

import (
	"fmt"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// actionsOn returns what is offered to the person on an article: the actions that the REST API allows, and three that the pages make of
// them.
func actionsOn(v *page.Visit, a restarticle.Article) map[string]bool {
	can := map[string]bool{}
	for _, action := range a.Actions {
		can[action.Name] = action.Allowed
	}
	mayWrite := v.May(v1alpha1.ScopeWrite)
	can["approve_and_publish"] = can["approve"] && mayWrite && !a.PublishRequested && missingApprovals(a) <= 1
	// Take the other text of a published article back.
	can["discard"] = mayWrite && a.Pending != nil && a.RevisionDigest != ""
	// This replaces changes that were made to the post in the CMS.
	p := a.Publication
	can["overwrite"] = can["redeliver"] && v.May(v1alpha1.ScopeApprove) && p != nil && p.Reason == "changed_at_site" && !p.Unpublish
	return can
}

// missingApprovals is how many people must approve the text yet.
func missingApprovals(a restarticle.Article) int {
	return max(0, a.Approvals.Required-len(a.Approvals.Given))
}

// hasApproved reports whether the person has approved the text, and other people must yet.
func hasApproved(v *page.Visit, a restarticle.Article) bool {
	person := grant.PersonBehind(v.Person.By)
	return missingApprovals(a) > 0 &&
		slices.ContainsFunc(a.Approvals.Given, func(name string) bool { return grant.PersonBehind(name) == person })
}

// written reports whether an author wrote the text: nothing is generated beside it.
func written(a restarticle.Article) bool { return a.RevisionDigest != "" && a.Generator == nil }

// approveText says what follows an approval.
func approveText(v *page.Visit, a restarticle.Article) string {
	switch {
	case missingApprovals(a) > 1:
		return fmt.Sprintf("Approve (%d of %d)", len(a.Approvals.Given)+1, a.Approvals.Required)
	case !a.PublishRequested:
		return "Approve"
	}
	if at, ok := page.TimeOf(a.PublishAt); ok && at.After(v.Now()) {
		return "Approve: goes out " + v.InZones(at.In(v.Zone))
	}
	return "Approve (publishes at once)"
}
