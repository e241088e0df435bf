package dashboard

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// The statuses and states that decide what is offered.
const (
	statusDraft      = "draft"
	statusReview     = "review"
	statusGenerating = "generating"
	statusPublished  = "published"
	statusArchived   = "archived"
	stateDelivering  = "delivering"
	stateRetry       = "retry_scheduled"
)

// actions are what is offered on an article. The operations decide again.
type actions struct {
	Approve, ApproveAndPublish, Reject                                bool
	Publish, Unschedule, Edit, Archive, Regenerate, Redeliver, Delete bool
	// Submit ends a draft.
	Submit bool
}

// More reports whether anything is in the menu of further actions.
func (a actions) More() bool { return a.Delete }

// actionsOn returns what the person may do with an article as it is.
func (v *visit) actionsOn(a rest.Article) actions {
	var can actions
	delivering := a.Publication != nil && a.Publication.State == stateDelivering
	if v.may(v1alpha1.ScopeApprove) && a.RevisionDigest != "" && !delivering {
		can.Approve = in(a.Status, statusReview, "rejected")
		can.Reject = in(a.Status, statusReview, "approved", "scheduled", "failed")
	}
	if v.may(v1alpha1.ScopeWrite) {
		can.write(a, delivering)
	}
	return can
}

// write adds what whoever may write may do.
func (a *actions) write(on rest.Article, delivering bool) {
	requested, hasText := on.PublishRequested, on.RevisionDigest != ""
	a.ApproveAndPublish = a.Approve && !requested
	a.Submit = on.Status == statusDraft
	a.Publish = hasText && !delivering && in(on.Status, "approved", "scheduled", statusDraft, statusReview, statusArchived)
	a.Unschedule = requested && !delivering && in(on.Status, statusReview, "approved", "scheduled", statusDraft)
	if !delivering && !in(on.Status, statusPublished, statusGenerating, statusArchived) {
		a.Edit, a.Regenerate = hasText, on.TargetKeyword != "" && !written(on)
	}
	a.Redeliver = on.Publication != nil && !delivering && on.Publication.State != stateRetry && on.Status != statusArchived
	a.Archive, a.Delete = on.Status != statusArchived, true
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
