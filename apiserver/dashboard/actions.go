package dashboard

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// The statuses and reasons that decide what is offered.
const (
	statusReview       = "review"
	statusGenerating   = "generating"
	statusPublished    = "published"
	statusArchived     = "archived"
	reasonNotRequested = "not_requested"
	stateDelivering    = "delivering"
	stateRetry         = "retry_scheduled"
)

// actions are what is offered on an article. The operations decide again.
type actions struct {
	Approve, ApproveAndPublish, Reject                                bool
	Publish, Unschedule, Edit, Archive, Regenerate, Redeliver, Delete bool
}

// More reports whether anything is in the menu of further actions.
func (a actions) More() bool { return a.Delete }

// actionsOn returns what the person may do with an article as it is.
func (v *visit) actionsOn(a rest.Article) actions {
	var can actions
	is := func(statuses ...string) bool { return slices.Contains(statuses, a.Status) }
	delivering := a.Publication != nil && a.Publication.State == stateDelivering
	hasText := a.RevisionDigest != ""
	requested := a.Reasons.Published != reasonNotRequested
	if v.may(v1alpha1.ScopeApprove) && hasText && !delivering {
		can.Approve = is(statusReview, "rejected")
		can.Reject = is(statusReview, "approved", "scheduled", "failed")
	}
	if !v.may(v1alpha1.ScopeWrite) {
		return can
	}
	can.ApproveAndPublish = can.Approve && !requested
	can.Publish = hasText && (is("approved", "scheduled", statusArchived) || is(statusReview, "draft") && !requested)
	can.Unschedule = requested && !delivering && is(statusReview, "approved", "scheduled", "draft")
	can.Edit = hasText && !delivering && !is(statusPublished, statusGenerating, statusArchived)
	can.Regenerate = a.TargetKeyword != "" && !delivering && !is(statusPublished, statusGenerating, statusArchived) && !written(a)
	can.Redeliver = a.Publication != nil && !delivering && a.Publication.State != stateRetry && !is(statusArchived)
	can.Archive, can.Delete = !is(statusArchived), true
	return can
}

// written reports whether an author wrote the text: nothing is generated beside it.
func written(a rest.Article) bool { return a.RevisionDigest != "" && a.Generator == nil }

// checks are those of a text, the failed ones by weight.
type checks struct{ Failed, Passed, Others []rest.Check }

func sortChecks(all []rest.Check) checks {
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
	slices.SortStableFunc(out.Failed, func(a, b rest.Check) int { return int(lost(b) - lost(a)) })
	return out
}

// lost is how much a failed check costs. Gates have no points, and come first: they stop an automatic approval.
func lost(c rest.Check) int32 {
	if c.MaxPoints == 0 && c.Weight == 0 {
		return 1000
	}
	return max(c.MaxPoints-c.Points, c.Weight-c.Points)
}
