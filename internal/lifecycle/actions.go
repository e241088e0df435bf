package lifecycle

import (
	"slices"
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
	refused func(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) *RefusedError
	offered func(o occasion) bool
}{
	{ActionSubmit, v1alpha1.ScopeWrite, submitRefused, func(o occasion) bool { return o.open && o.stage == v1alpha1.StageDraft }},
	{ActionApprove, v1alpha1.ScopeApprove, approveRefused, func(o occasion) bool {
		decidable := []progress{textRejected, textUnreviewed, textPartlyApproved}
		return o.open && o.stage != v1alpha1.StageDraft && slices.Contains(decidable, o.text)
	}},
	{ActionReject, v1alpha1.ScopeApprove, rejectRefused, func(o occasion) bool {
		return o.stage != v1alpha1.StageDraft && o.text != textRejected
	}},
	{ActionPublish, v1alpha1.ScopeWrite, publishRefused, func(o occasion) bool {
		return o.stage == v1alpha1.StageArchived || o.open && o.revision && o.text != textGenerating
	}},
	{ActionCancelPublication, v1alpha1.ScopeWrite, cancelPublicationRefused, func(o occasion) bool {
		return o.stage == v1alpha1.StagePublished
	}},
	// What an author wrote is edited before it is a revision too: if no revision can be made of it, an edit is what helps.
	{ActionEdit, v1alpha1.ScopeWrite, editRefused, func(o occasion) bool {
		return o.stage != v1alpha1.StageArchived && (o.revision || o.written) && o.text != textGenerating
	}},
	{ActionRegenerate, v1alpha1.ScopeWrite, regenerateRefused, always},
	{ActionRedeliver, v1alpha1.ScopeWrite, redeliverRefused, always},
	{ActionUnpublish, v1alpha1.ScopeWrite, unpublishRefused, always},
	{ActionArchive, v1alpha1.ScopeWrite, never, func(o occasion) bool { return o.stage != v1alpha1.StageArchived }},
	{ActionUnarchive, v1alpha1.ScopeWrite, unarchiveRefused, always},
	{ActionDelete, v1alpha1.ScopeWrite, never, always},
}

// occasion is what the offer of an action depends on.
type occasion struct {
	stage v1alpha1.ArticleStage
	text  progress
	// open means that there is something to decide about the article (NothingToReview).
	open bool
	// revision means that there is one, and written that the author wrote the body.
	revision, written bool
}

// Actions lists all actions, in the order of the workflow, with what may be done with the article now. The operations of the REST API and
// the plugin refuse by the same rules (CheckAction) before they write.
func Actions(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) []Action {
	actions := make([]Action, len(rules))
	o := occasion{a.Spec.Stage, textOf(a, site, now), !NothingToReview(a, site), a.Status.Revision != nil, Written(a)}
	for i, rule := range rules {
		refused := rule.refused(a, site, now)
		actions[i] = Action{Name: rule.name, Scope: rule.scope, Refused: refused, Offered: refused == nil && rule.offered(o)}
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
func CheckAction(a *v1alpha1.Article, site *v1alpha1.Site, name ActionName, now time.Time) error {
	for _, rule := range rules {
		if rule.name != name {
			continue
		}
		if refused := rule.refused(a, site, now); refused != nil {
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

func never(*v1alpha1.Article, *v1alpha1.Site, time.Time) *RefusedError { return nil }

func always(occasion) bool { return true }

func submitRefused(a *v1alpha1.Article, _ *v1alpha1.Site, _ time.Time) *RefusedError {
	if a.Spec.Stage == v1alpha1.StageArchived {
		return errArchived
	}
	return nil
}

// approveRefused does not refuse an article that is being delivered or is published: it is approved already, and stays as it is.
func approveRefused(a *v1alpha1.Article, site *v1alpha1.Site, _ time.Time) *RefusedError {
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return errArchived
	case generating(MakingOf(a, site)):
		return refuse(RefusedNotReady, "a new text is being generated: wait for it")
	case a.Status.Revision == nil:
		return refuse(RefusedNotReady, "there is no text to review yet")
	case Outdated(a, site):
		return refuse(RefusedNotReady, "the text was edited, and there is no revision of it yet")
	}
	return nil
}

func rejectRefused(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) *RefusedError {
	if refused := approveRefused(a, site, now); refused != nil {
		return refused
	}
	if NothingToReview(a, site) {
		return refuse(RefusedWrongState, "the article is published or on its way to its site: it can be archived, not rejected")
	}
	return nil
}

func publishRefused(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) *RefusedError {
	if a.Spec.Stage == v1alpha1.StageArchived {
		return nil
	}
	phase := Phase(a, site, now)
	if Pending(a, site) {
		phase = TextPhase(a, site, now)
	}
	switch {
	case phase == v1alpha1.PhaseRejected:
		return refuse(RefusedApprovalRequired, "the article is rejected: edit or regenerate it, or approve it")
	case phase == v1alpha1.PhaseFailed && a.Status.Revision == nil:
		return refuse(RefusedNotReady, "generating the article failed: regenerate it")
	case phase == v1alpha1.PhaseFailed && a.Spec.Stage == v1alpha1.StagePublished:
		return refuse(RefusedWrongState, "delivering the article failed: redeliver it")
	}
	return nil
}

func cancelPublicationRefused(a *v1alpha1.Article, site *v1alpha1.Site, _ time.Time) *RefusedError {
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return errArchived
	case NothingToReview(a, site):
		return refuse(RefusedWrongState, "the article is published or being delivered: it can be archived")
	}
	return nil
}

func unarchiveRefused(a *v1alpha1.Article, _ *v1alpha1.Site, _ time.Time) *RefusedError {
	if a.Spec.Stage == v1alpha1.StageArchived {
		return nil
	}
	return refuse(RefusedWrongState, "the article is not archived")
}

// editRefused also refuses an edit under an approval without a digest, which would approve the new text too: the scope write alone
// would approve.
func editRefused(a *v1alpha1.Article, site *v1alpha1.Site, _ time.Time) *RefusedError {
	if Frozen(a, site) {
		return errFrozen
	}
	review := a.Spec.Review
	if review != nil && review.Decision == v1alpha1.DecisionApproved && review.Digest == "" ||
		slices.ContainsFunc(a.Spec.Approvals, func(entry v1alpha1.ArticleApproval) bool { return entry.Digest == "" }) {
		return refuse(RefusedManaged, "the article's manifest approves the text that it holds: change both there")
	}
	return nil
}

func regenerateRefused(a *v1alpha1.Article, site *v1alpha1.Site, _ time.Time) *RefusedError {
	switch {
	case a.Spec.Generate == nil:
		return refuse(RefusedWrongState, "the article was written: there is no keyword to generate from")
	case Frozen(a, site):
		return errFrozen
	case Written(a):
		return refuse(RefusedWrongState, "the article has its author's text: nothing is generated beside it")
	case a.Spec.Stage == v1alpha1.StageArchived:
		return errArchived
	case generating(MakingOf(a, site)):
		return refuse(RefusedInProgress, "the article is being generated already")
	}
	return nil
}

// redeliverRefused refuses what would start no cycle, now or later.
func redeliverRefused(a *v1alpha1.Article, site *v1alpha1.Site, _ time.Time) *RefusedError {
	cycle := CycleOf(a)
	pulls := site == nil && cycle.State == "" || site != nil && site.Spec.CMS.Type == v1alpha1.CMSNone
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return errArchived
	case a.Status.Publication == nil:
		return refuse(RefusedWrongState, "the article has not been published")
	case pulls:
		return refuse(RefusedWrongState, "nothing is sent to the article's site")
	case cycle.State == v1alpha1.CycleInProgress:
		return errInProgress
	case !Published(a) && a.Spec.Stage != v1alpha1.StagePublished:
		return refuse(RefusedWrongState, "nobody asks for its publication any more: publish the article")
	case !Published(a) && approvalOf(a, site) < ReviewApproved:
		return refuse(RefusedApprovalRequired, "the text is not approved: nothing is sent before a reviewer approves it")
	case cycle.State == v1alpha1.CycleRetryScheduled, RedeliveryRequested(a):
		return errInProgress
	}
	return nil
}

// unpublishRefused refuses an article whose post was never read back: that of a site which is sent webhooks.
func unpublishRefused(a *v1alpha1.Article, site *v1alpha1.Site, _ time.Time) *RefusedError {
	have := Have(a)
	webhook := have.ContentHash == "" && (site != nil && site.Spec.CMS.Type == v1alpha1.CMSHeadless ||
		have.State == v1alpha1.PostPresent && a.Status.Publication.Cycle != nil)
	switch {
	case !Published(a) && (webhook || have.State != v1alpha1.PostUncertain):
		return refuse(RefusedWrongState, "the article is not published")
	case Unpublishing(a):
		return refuse(RefusedInProgress, "the post is being taken back already")
	case webhook:
		return refuse(RefusedWrongState, "a webhook takes no post back: remove it at the site")
	}
	return nil
}
