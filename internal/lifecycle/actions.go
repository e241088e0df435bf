package lifecycle

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ActionName names something that a person may do with an article, as the bulk operation of the REST API and the command of the
// plugin for kubectl do.
type ActionName string

// The actions.
const (
	// ActionSubmit ends a draft.
	ActionSubmit ActionName = "submit"
	// ActionApprove approves the current text.
	ActionApprove ActionName = "approve"
	// ActionReject rejects the current text.
	ActionReject ActionName = "reject"
	// ActionPublish asks for publication, now or at a time, and takes an archived article out of the archive.
	ActionPublish ActionName = "publish"
	// ActionCancelPublication takes the request to publish back, with its time.
	ActionCancelPublication ActionName = "cancel-publication"
	// ActionEdit changes the text.
	ActionEdit ActionName = "edit"
	// ActionRegenerate asks for another text.
	ActionRegenerate ActionName = "regenerate"
	// ActionRedeliver asks for a new delivery cycle.
	ActionRedeliver ActionName = "redeliver"
	// ActionUnpublish takes the post of a published article back from its site.
	ActionUnpublish ActionName = "unpublish"
	// ActionArchive takes the article out of the workflow.
	ActionArchive ActionName = "archive"
	// ActionUnarchive brings an archived article back, without a request to publish it.
	ActionUnarchive ActionName = "unarchive"
	// ActionDelete deletes the article.
	ActionDelete ActionName = "delete"
)

// Action says whether something may be done with an article now.
type Action struct {
	// Name of the action.
	Name ActionName
	// Scope that it needs.
	Scope v1alpha1.Scope
	// Refused says why it is not possible now, or what to do instead; nil if it is possible.
	Refused *RefusedError
	// Offered means that a person would choose it now. An action that is possible and not offered would change nothing, or comes too
	// early in the workflow.
	Offered bool
}

// RefusedError is the error of an action that is not possible now.
type RefusedError struct {
	// Reason for programs.
	Reason RefusalReason
	// Message for people, which is about the article and names nothing of Kubernetes.
	Message string
}

// Error returns the message.
func (r *RefusedError) Error() string { return r.Message }

// Near reports whether the action becomes possible when what the message names has happened: people who miss the action want to know.
func (r *RefusedError) Near() bool {
	return r.Reason != RefusedWrongState && r.Reason != RefusedUpdatesFrozen
}

// RefusalReason says for programs why an action is refused.
type RefusalReason string

// The reasons of refusals.
const (
	// RefusedWrongState means that the action makes no sense for an article in this state.
	RefusedWrongState RefusalReason = "WrongState"
	// RefusedNotReady means that there is no text yet that the action could be about.
	RefusedNotReady RefusalReason = "NotReady"
	// RefusedInProgress means that what the action asks for is being done.
	RefusedInProgress RefusalReason = "InProgress"
	// RefusedApprovalRequired means that a reviewer has to approve the text first.
	RefusedApprovalRequired RefusalReason = "ApprovalRequired"
	// RefusedUpdatesFrozen means that the text is being delivered, or is live.
	RefusedUpdatesFrozen RefusalReason = "UpdatesFrozen"
	// RefusedManaged means that the article's manifest decides.
	RefusedManaged RefusalReason = "ManagedByManifest"
)

// rules has a row for each action. offered is asked of an action that is not refused.
var rules = []struct {
	name    ActionName
	scope   v1alpha1.Scope
	refused func(a *v1alpha1.Article, now time.Time) *RefusedError
	offered func(a *v1alpha1.Article) bool
}{
	{ActionSubmit, v1alpha1.ScopeWrite, submitRefused, submitOffered},
	{ActionApprove, v1alpha1.ScopeApprove, approveRefused, approveOffered},
	{ActionReject, v1alpha1.ScopeApprove, rejectRefused, rejectOffered},
	{ActionPublish, v1alpha1.ScopeWrite, publishRefused, publishOffered},
	{ActionCancelPublication, v1alpha1.ScopeWrite, cancelPublicationRefused, isPublicationRequested},
	{ActionEdit, v1alpha1.ScopeWrite, editRefused, hasFinalText},
	{ActionRegenerate, v1alpha1.ScopeWrite, regenerateRefused, always},
	{ActionRedeliver, v1alpha1.ScopeWrite, redeliverRefused, always},
	{ActionUnpublish, v1alpha1.ScopeWrite, unpublishRefused, always},
	{ActionArchive, v1alpha1.ScopeWrite, never, isNotArchived},
	{ActionUnarchive, v1alpha1.ScopeWrite, unarchiveRefused, always},
	{ActionDelete, v1alpha1.ScopeWrite, never, always},
}

// Actions lists all actions, in the order of the workflow, with what may be done with the article now. The operations of the REST API and
// the plugin refuse by the same rules (CheckAction) before they write.
func Actions(a *v1alpha1.Article, now time.Time) []Action {
	actions := make([]Action, len(rules))
	for i, rule := range rules {
		refused := rule.refused(a, now)
		actions[i] = Action{Name: rule.name, Scope: rule.scope, Refused: refused, Offered: refused == nil && rule.offered(a)}
	}
	return actions
}

// ScopeOf returns the scope that an action needs; empty if there is no such action.
func ScopeOf(name ActionName) v1alpha1.Scope {
	for _, rule := range rules {
		if rule.name == name {
			return rule.scope
		}
	}
	return ""
}

// CheckAction returns nil if an action is possible now, and otherwise a *RefusedError.
func CheckAction(a *v1alpha1.Article, name ActionName, now time.Time) error {
	for _, rule := range rules {
		if rule.name != name {
			continue
		}
		if refused := rule.refused(a, now); refused != nil {
			return refused
		}
		return nil
	}
	return refuse(RefusedWrongState, "there is no action "+string(name))
}

func refuse(reason RefusalReason, message string) *RefusedError {
	return &RefusedError{Reason: reason, Message: message}
}

// The refusals of several actions.
var (
	errArchived   = refuse(RefusedWrongState, "the article is archived: unarchive it")
	errFrozen     = refuse(RefusedUpdatesFrozen, "the text may not change while the article is being delivered or once it is published")
	errInProgress = refuse(RefusedInProgress, "the article is being delivered already")
)

func never(*v1alpha1.Article, time.Time) *RefusedError { return nil }

func always(*v1alpha1.Article) bool { return true }

func isDraft(a *v1alpha1.Article) bool { return a.Spec.Stage == v1alpha1.StageDraft }

func isArchived(a *v1alpha1.Article) bool { return a.Spec.Stage == v1alpha1.StageArchived }

func isNotArchived(a *v1alpha1.Article) bool { return !isArchived(a) }

func isPublicationRequested(a *v1alpha1.Article) bool { return a.Spec.Stage == v1alpha1.StagePublished }

// hasFinalText reports whether there is a text that people work on, and no other one is to come.
func hasFinalText(a *v1alpha1.Article) bool {
	return a.Status.Revision != nil && !runPending(a) && !isArchived(a)
}

func submitRefused(a *v1alpha1.Article, _ time.Time) *RefusedError {
	if isArchived(a) {
		return errArchived
	}
	return nil
}

func submitOffered(a *v1alpha1.Article) bool { return isDraft(a) && !Settled(a) }

// approveRefused does not refuse an article that is being delivered or is published: it is approved already, and stays as it is.
func approveRefused(a *v1alpha1.Article, _ time.Time) *RefusedError {
	switch {
	case isArchived(a):
		return errArchived
	case runPending(a):
		return refuse(RefusedNotReady, "a new text is being generated: wait for it")
	case a.Status.Revision == nil:
		return refuse(RefusedNotReady, "there is no text to review yet")
	case Outdated(a):
		return refuse(RefusedNotReady, "the text was edited, and there is no revision of it yet")
	}
	return nil
}

func approveOffered(a *v1alpha1.Article) bool { return !isDraft(a) && !Settled(a) && !isApproved(a) }

func rejectRefused(a *v1alpha1.Article, now time.Time) *RefusedError {
	if refused := approveRefused(a, now); refused != nil {
		return refused
	}
	if Settled(a) {
		return refuse(RefusedWrongState, "the article is published or on its way to its site: it can be archived, not rejected")
	}
	return nil
}

func rejectOffered(a *v1alpha1.Article) bool { return !isDraft(a) && reviewOf(a) != rejected }

func publishRefused(a *v1alpha1.Article, now time.Time) *RefusedError {
	if isArchived(a) {
		return nil
	}
	phase := Phase(a, now)
	if Pending(a) {
		phase = TextPhase(a, now)
	}
	switch {
	case phase == v1alpha1.PhaseRejected:
		return refuse(RefusedApprovalRequired, "the article is rejected: edit or regenerate it, or approve it")
	case phase == v1alpha1.PhaseFailed && a.Status.Revision == nil:
		return refuse(RefusedNotReady, "generating the article failed: regenerate it")
	case phase == v1alpha1.PhaseFailed && isPublicationRequested(a):
		return refuse(RefusedWrongState, "delivering the article failed: redeliver it")
	}
	return nil
}

func publishOffered(a *v1alpha1.Article) bool {
	return isArchived(a) || hasFinalText(a) && !Settled(a)
}

func cancelPublicationRefused(a *v1alpha1.Article, _ time.Time) *RefusedError {
	switch {
	case isArchived(a):
		return errArchived
	case Settled(a):
		return refuse(RefusedWrongState, "the article is published or being delivered: it can be archived")
	}
	return nil
}

func unarchiveRefused(a *v1alpha1.Article, _ time.Time) *RefusedError {
	if isArchived(a) {
		return nil
	}
	return refuse(RefusedWrongState, "the article is not archived")
}

// editRefused also refuses an edit under an approval without a digest, which would approve the new text too: the scope write alone
// would approve.
func editRefused(a *v1alpha1.Article, _ time.Time) *RefusedError {
	if Frozen(a) {
		return errFrozen
	}
	review := a.Spec.Review
	if review != nil && review.Decision == v1alpha1.DecisionApproved && review.Digest == "" {
		return refuse(RefusedManaged, "the article's manifest approves the text that it holds: change both there")
	}
	return nil
}

func regenerateRefused(a *v1alpha1.Article, _ time.Time) *RefusedError {
	switch {
	case a.Spec.Generate == nil:
		return refuse(RefusedWrongState, "the article was written: there is no keyword to generate from")
	case Frozen(a):
		return errFrozen
	case Written(a):
		return refuse(RefusedWrongState, "the article has its author's text: nothing is generated beside it")
	case isArchived(a):
		return errArchived
	case runPending(a):
		return refuse(RefusedInProgress, "the article is being generated already")
	}
	return nil
}

// redeliverRefused refuses what would start no cycle, now or later.
func redeliverRefused(a *v1alpha1.Article, _ time.Time) *RefusedError {
	p := a.Status.Publication
	switch {
	case isArchived(a):
		return errArchived
	case p == nil:
		return refuse(RefusedWrongState, "the article has not been published")
	case p.Cycle == nil:
		return refuse(RefusedWrongState, "nothing is sent to the article's site")
	case p.Cycle.State == v1alpha1.CycleDelivering:
		return errInProgress
	case !Published(a) && !isPublicationRequested(a):
		return refuse(RefusedWrongState, "nobody asks for its publication any more: publish the article")
	case !Published(a) && !isApproved(a):
		return refuse(RefusedApprovalRequired, "the text is not approved: nothing is sent before a reviewer approves it")
	case p.Cycle.State == v1alpha1.CycleRetryScheduled, RedeliveryAsked(a):
		return errInProgress
	}
	return nil
}

// unpublishRefused refuses an article whose post was never read back: that of a site which is sent webhooks.
func unpublishRefused(a *v1alpha1.Article, _ time.Time) *RefusedError {
	p := a.Status.Publication
	switch {
	case !Published(a):
		return refuse(RefusedWrongState, "the article is not published")
	case UnpublishAsked(a), Unpublishing(a, v1alpha1.CycleDelivering, v1alpha1.CycleRetryScheduled):
		return refuse(RefusedInProgress, "the post is being taken back already")
	case p.Cycle != nil && p.PostHash == "":
		return refuse(RefusedWrongState, "a webhook takes no post back: remove it at the site")
	}
	return nil
}
