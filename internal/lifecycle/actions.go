package lifecycle

import (
	"errors"
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
	// ActionUnschedule takes the request to publish back, with its time.
	ActionUnschedule ActionName = "unschedule"
	// ActionEdit changes the text.
	ActionEdit ActionName = "edit"
	// ActionRegenerate asks for another text.
	ActionRegenerate ActionName = "regenerate"
	// ActionRedeliver asks for a new delivery cycle.
	ActionRedeliver ActionName = "redeliver"
	// ActionArchive takes the article out of the workflow.
	ActionArchive ActionName = "archive"
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
	Refused error
	// Offered means that a person would choose it now. An action that is possible and not offered would change nothing, or comes too
	// early in the workflow.
	Offered bool
}

// rules has a row for each action. offered is asked of an action that is not refused.
var rules = []struct {
	name    ActionName
	scope   v1alpha1.Scope
	refused func(a *v1alpha1.Article, now time.Time) error
	offered func(a *v1alpha1.Article) bool
}{
	{ActionSubmit, v1alpha1.ScopeWrite, submitRefused, submitOffered},
	{ActionApprove, v1alpha1.ScopeApprove, approveRefused, approveOffered},
	{ActionReject, v1alpha1.ScopeApprove, rejectRefused, rejectOffered},
	{ActionPublish, v1alpha1.ScopeWrite, publishRefused, publishOffered},
	{ActionUnschedule, v1alpha1.ScopeWrite, unscheduleRefused, isPublicationRequested},
	{ActionEdit, v1alpha1.ScopeWrite, editRefused, hasFinalText},
	{ActionRegenerate, v1alpha1.ScopeWrite, regenerateRefused, always},
	{ActionRedeliver, v1alpha1.ScopeWrite, redeliverRefused, always},
	{ActionArchive, v1alpha1.ScopeWrite, never, isNotArchived},
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

// CheckAction returns nil if an action is possible now, and otherwise why not, or what to do instead.
func CheckAction(a *v1alpha1.Article, name ActionName, now time.Time) error {
	for _, rule := range rules {
		if rule.name == name {
			return rule.refused(a, now)
		}
	}
	return errors.New("there is no action " + string(name))
}

// The refusals of several actions.
var (
	errArchived   = errors.New("the article is archived")
	errTextFrozen = errors.New("the text may not change while the article is being delivered or once it is published")
	errOnItsWay   = errors.New("the article is being delivered already")
)

func never(*v1alpha1.Article, time.Time) error { return nil }

func always(*v1alpha1.Article) bool { return true }

func isDraft(a *v1alpha1.Article) bool { return a.Spec.Stage == v1alpha1.StageDraft }

func isArchived(a *v1alpha1.Article) bool { return a.Spec.Stage == v1alpha1.StageArchived }

func isNotArchived(a *v1alpha1.Article) bool { return !isArchived(a) }

func isPublicationRequested(a *v1alpha1.Article) bool { return a.Spec.Stage == v1alpha1.StagePublished }

// hasFinalText reports whether there is a text that people work on, and no other one is to come.
func hasFinalText(a *v1alpha1.Article) bool {
	return a.Status.Revision != nil && !runPending(a) && !isArchived(a)
}

func submitRefused(a *v1alpha1.Article, _ time.Time) error {
	if isArchived(a) {
		return errors.New("the article is archived: publishing it brings it back")
	}
	return nil
}

func submitOffered(a *v1alpha1.Article) bool { return isDraft(a) && !Frozen(a) }

// approveRefused does not refuse an article that is being delivered or is published: it is approved already, and stays as it is.
func approveRefused(a *v1alpha1.Article, _ time.Time) error {
	switch {
	case isArchived(a):
		return errArchived
	case runPending(a):
		return errors.New("a new text is being generated: wait for it")
	case a.Status.Revision == nil:
		return errors.New("there is no text to review yet")
	case Outdated(a):
		return errors.New("the text was edited, and there is no revision of it yet")
	}
	return nil
}

func approveOffered(a *v1alpha1.Article) bool { return !isDraft(a) && !Frozen(a) && !isApproved(a) }

func rejectRefused(a *v1alpha1.Article, now time.Time) error {
	if err := approveRefused(a, now); err != nil {
		return err
	}
	if Frozen(a) {
		return errors.New("the article is published or on its way to its site: it can be archived, not rejected")
	}
	return nil
}

func rejectOffered(a *v1alpha1.Article) bool { return !isDraft(a) && reviewOf(a) != rejected }

func publishRefused(a *v1alpha1.Article, now time.Time) error {
	if isArchived(a) {
		return nil
	}
	switch phase := Phase(a, now); {
	case phase == v1alpha1.PhaseRejected:
		return errors.New("the article is rejected: edit or regenerate it, or approve it")
	case phase == v1alpha1.PhaseFailed && a.Status.Revision == nil:
		return errors.New("generating the article failed: regenerate it")
	case phase == v1alpha1.PhaseFailed && isPublicationRequested(a):
		return errors.New("delivering the article failed: redeliver it")
	}
	return nil
}

func publishOffered(a *v1alpha1.Article) bool {
	return isArchived(a) || hasFinalText(a) && !Frozen(a)
}

func unscheduleRefused(a *v1alpha1.Article, _ time.Time) error {
	switch {
	case isArchived(a):
		return errArchived
	case Frozen(a):
		return errors.New("the article is published or being delivered: it can be archived")
	}
	return nil
}

// editRefused also refuses an edit under an approval without a digest, which would approve the new text too: the scope write alone
// would approve.
func editRefused(a *v1alpha1.Article, _ time.Time) error {
	if Frozen(a) {
		return errTextFrozen
	}
	review := a.Spec.Review
	if review != nil && review.Decision == v1alpha1.DecisionApproved && review.Digest == "" {
		return errors.New("the article's manifest approves the text that it holds: change both there")
	}
	return nil
}

func regenerateRefused(a *v1alpha1.Article, _ time.Time) error {
	switch {
	case a.Spec.Generate == nil:
		return errors.New("the article was written: there is no keyword to generate from")
	case Frozen(a):
		return errTextFrozen
	case Written(a):
		return errors.New("the article has its author's text: nothing is generated beside it")
	case isArchived(a):
		return errArchived
	case runPending(a):
		return errors.New("the article is being generated already")
	}
	return nil
}

// redeliverRefused refuses what would start no cycle, now or later.
func redeliverRefused(a *v1alpha1.Article, _ time.Time) error {
	p := a.Status.Publication
	switch {
	case isArchived(a):
		return errArchived
	case p == nil:
		return errors.New("the article has not been published")
	case p.Cycle == nil:
		return errors.New("nothing is sent to the article's site")
	case p.Cycle.State == v1alpha1.CycleDelivering:
		return errOnItsWay
	case !published(a) && !isPublicationRequested(a):
		return errors.New("nobody asks for its publication any more: publish the article")
	case !published(a) && !isApproved(a):
		return errors.New("the text is not approved: nothing is sent before a reviewer approves it")
	case p.Cycle.State == v1alpha1.CycleRetryScheduled, RedeliveryAsked(a):
		return errOnItsWay
	}
	return nil
}
