package article

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// actions are what is offered on an article. The operations decide again.
type actions struct {
	Approve, ApproveAndPublish, Reject                                bool
	Publish, Unschedule, Edit, Archive, Regenerate, Redeliver, Delete bool
	// Submit ends a draft.
	Submit bool
	// Unpublish takes the post back, and Overwrite replaces what somebody has changed of it in the CMS.
	Unpublish, Overwrite bool
	// Discard takes the other text of a published article back.
	Discard bool
}

// More reports whether anything is in the menu of further actions.
func (a actions) More() bool { return a.Delete }

// actionsOn returns what the person may do with an article as it is.
func actionsOn(v *page.Visit, a restarticle.Article) actions {
	var can actions
	delivering := a.Publication != nil && a.Publication.State == page.StateInProgress
	if v.May(v1alpha1.ScopeApprove) && a.RevisionDigest != "" && !delivering {
		can.Approve = page.OneOf(a.Status, page.StatusReview, "rejected")
		can.Reject = page.OneOf(a.Status, page.StatusReview, "approved", "scheduled", "failed")
	}
	if v.May(v1alpha1.ScopeWrite) {
		can.write(a, delivering)
		can.Overwrite = can.Redeliver && v.May(v1alpha1.ScopeApprove) &&
			a.Publication.Reason == "changed_at_site" && !a.Publication.Unpublish
	}
	return can
}

// write adds what a person who may write may do.
func (a *actions) write(on restarticle.Article, delivering bool) {
	requested, hasText := on.PublishRequested, on.RevisionDigest != ""
	a.ApproveAndPublish = a.Approve && !requested
	a.Submit = on.Status == page.StatusDraft
	a.Publish = hasText && !delivering && page.OneOf(on.Status, "approved", "scheduled", page.StatusDraft, page.StatusReview,
		page.StatusArchived)
	a.Unschedule = requested && !delivering && page.OneOf(on.Status, page.StatusReview, "approved", "scheduled", page.StatusDraft)
	if !delivering && mayChange(on) {
		a.Edit, a.Regenerate = hasText, on.TargetKeyword != "" && !written(on)
	}
	a.Redeliver = on.Publication != nil && !delivering && on.Publication.State != page.StateRetrying && on.Status != page.StatusArchived
	a.Discard = on.Pending != nil && hasText
	a.Unpublish = allows(on, "unpublish")
	a.Archive, a.Delete = on.Status != page.StatusArchived, true
}

// mayChange reports whether the text of an article may: that of a published one only if its site is updated.
func mayChange(on restarticle.Article) bool {
	if on.Status == page.StatusPublished {
		return allows(on, "edit")
	}
	return !page.OneOf(on.Status, page.StatusGenerating, page.StatusArchived)
}

// allows reports whether the REST API offers an action on an article.
func allows(on restarticle.Article, name string) bool {
	return slices.ContainsFunc(on.Actions, func(action restarticle.Action) bool { return action.Name == name && action.Allowed })
}

// written reports whether an author wrote the text: nothing is generated beside it.
func written(a restarticle.Article) bool { return a.RevisionDigest != "" && a.Generator == nil }

// checks are those of a text, the failed ones by weight.
type checks struct{ Failed, Passed, Others []restarticle.Check }

func sortChecks(all []restarticle.Check) checks {
	var out checks
	for _, c := range all {
		switch c.Result {
		case "failed":
			out.Failed = append(out.Failed, c)
		case "passed":
			out.Passed = append(out.Passed, c)
		default:
			out.Others = append(out.Others, c)
		}
	}
	slices.SortStableFunc(out.Failed, func(a, b restarticle.Check) int { return int(lost(b) - lost(a)) })
	return out
}

// lost is how much a failed check costs. Gates have no points, and come first: they stop an automatic approval.
func lost(c restarticle.Check) int32 {
	if c.MaxPoints == 0 && c.Weight == 0 {
		return 1000
	}
	return max(c.MaxPoints-c.Points, c.Weight-c.Points)
}
