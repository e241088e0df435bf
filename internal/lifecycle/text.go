package lifecycle

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
)

// Making is what is to be made of the manifest of an article.
type Making string

const (
	// NothingToMake means that the current revision is of the manifest, or that none can be made.
	NothingToMake Making = ""
	// RunInProgress means that an attempt of a run is in progress.
	RunInProgress Making = "RunInProgress"
	// RunDue means that a run is due or waits for its retry.
	RunDue Making = "RunDue"
	// RevisionDue means that a revision is due: of what the author wrote, or of the generated text once spec.content is removed.
	RevisionDue Making = "RevisionDue"
)

// MakingOf returns what is to be made of an article's manifest. Content without a body replaces fields of a generated text, so its revision
// waits for a run that is due.
func MakingOf(a *v1alpha1.Article, site *v1alpha1.Site) Making {
	switch run := a.Status.Run; {
	case run != nil && run.State == v1alpha1.RunRunning:
		return RunInProgress
	case !Frozen(a, site) && runMissing(a):
		return RunDue
	case Outdated(a, site) && (Written(a) || GeneratedNumber(a) > 0):
		return RevisionDue
	default:
		return NothingToMake
	}
}

// Frozen reports whether updates are frozen: while the first text is being delivered, and once the article is published unless its Site
// updates posts, a change of generate or content makes no revision and starts no run. Without its Site, what is published stays. An
// article that was created again without its text is not generated again.
func Frozen(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	if !Published(a) {
		return DeliveryInProgress(a) != nil
	}
	return site == nil || !site.UpdatesPosts() || a.Status.Revision == nil
}

// Pending reports whether the manifest of a published article asks for another text than its site has, and the Site updates posts.
func Pending(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return Published(a) && !Frozen(a, site) && pendingUpdate(a) != ""
}

// NothingToReview reports whether there is nothing to decide about an article: its site has the text, or is being sent it for the first
// time.
func NothingToReview(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return Frozen(a, site) || Published(a) && !Pending(a, site)
}

// Written reports whether the author wrote the body.
func Written(a *v1alpha1.Article) bool { return a.Spec.Content.HasBody() }

// runMissing reports whether no run has made what spec.generate asks for. Nothing is generated beside a body that the author wrote.
func runMissing(a *v1alpha1.Article) bool {
	if a.Spec.Generate == nil || Written(a) {
		return false
	}
	g := a.Status.Run
	if g == nil || command.Requested(a, a.Status.HandledRequests, v1alpha1.RegenerateAnnotation) {
		return true
	}
	return g.State == v1alpha1.RunRetryScheduled || g.State == v1alpha1.RunSuperseded || g.RequestHash != RequestHash(a.Spec.Generate)
}

// AsksForRun reports whether a change of an article asks for a run that it would not have without the change. A run that has not begun yet
// takes the change with it.
func AsksForRun(before, after *v1alpha1.Article, site *v1alpha1.Site) bool {
	wants := func(a *v1alpha1.Article) bool { return !Frozen(a, site) && runMissing(a) }
	run := before.Status.Run
	switch {
	case !wants(after):
		return false
	case !wants(before):
		return true
	case run == nil, command.Requested(before, before.Status.HandledRequests, v1alpha1.RegenerateAnnotation):
		return false
	default:
		// The run that status records has begun what was asked for before.
		asked := RequestHash(before.Spec.Generate)
		return run.RequestHash == asked && (asked != RequestHash(after.Spec.Generate) ||
			command.Requested(after, after.Status.HandledRequests, v1alpha1.RegenerateAnnotation))
	}
}

// Outdated reports whether the current revision is not of spec.content, and another one is to be made. While updates are frozen, none is,
// unless the current revision is not the text that the site has: an article that was created again goes back to that text.
func Outdated(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	if Frozen(a, site) && (LiveIsCurrent(a) || !Published(a)) {
		return false
	}
	return revisionMissing(a)
}

func revisionMissing(a *v1alpha1.Article) bool {
	r := a.Status.Revision
	return r == nil || r.ContentHash != ContentHash(a.Spec.Content)
}

// current reports whether there is a revision of spec.content.
func current(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return a.Status.Revision != nil && !Outdated(a, site)
}

// pendingUpdate says what of the manifest asks for another text than a published article's site has; empty if nothing does.
func pendingUpdate(a *v1alpha1.Article) string {
	r := a.Status.Revision
	switch {
	case r == nil:
		return "the article was created again without its text"
	case !LiveIsCurrent(a):
		return fmt.Sprintf("revision %d is another text", r.Number)
	case revisionMissing(a):
		return "spec.content has changed"
	case runMissing(a) && a.Status.Run != nil && a.Status.Run.RequestHash == RequestHash(a.Spec.Generate):
		return v1alpha1.RegenerateAnnotation + " asks for another text"
	case runMissing(a):
		return "spec.generate has changed"
	default:
		return ""
	}
}

// Review is what is decided about the current revision. The values are ordered: from ReviewApproved on, it is approved.
type Review int

const (
	// ReviewOpen means that nobody has decided.
	ReviewOpen Review = iota
	// ReviewStale means that the decisions are about earlier revisions.
	ReviewStale
	// ReviewAwaitingApprovals means that people have approved the revision, and that the Site asks for more of them.
	ReviewAwaitingApprovals
	// ReviewRejected means that the reviewer has rejected the revision.
	ReviewRejected
	// ReviewApproved means that as many reviewers as the Site asks for have approved the revision.
	ReviewApproved
	// ReviewAutomatic means that no reviewer has decided, and the site's policy approves the revision.
	ReviewAutomatic
)

// ReviewOf compares spec.review and spec.approvals with the current revision. It knows no policy. site is nil if it is not known.
func ReviewOf(a *v1alpha1.Article, site *v1alpha1.Site) Review {
	review, revision := a.Spec.Review, a.Status.Revision
	switch {
	case revision == nil, review == nil && len(a.Spec.Approvals) == 0:
		return ReviewOpen
	case review != nil && review.Decision == v1alpha1.DecisionRejected && reviewCovers(a, site, review, revision):
		return ReviewRejected
	case len(counted(a, site)) == 0:
		return ReviewStale
	case approvedByEnough(a, site):
		return ReviewApproved
	default:
		return ReviewAwaitingApprovals
	}
}

// approvedByEnough reports whether as many people have approved the current revision as the Site asks for. Without the Site, the condition
// Approved says so, and otherwise spec.review, which is the last approval.
func approvedByEnough(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	if site != nil {
		return ApprovalsOf(a, site).Missing() == 0
	}
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	switch {
	case c != nil && c.Reason == v1alpha1.ReasonAwaitingApprovals:
		return false
	case c != nil && c.Reason == v1alpha1.ReasonApproved:
		return true
	default:
		return counts(a, site, a.Spec.Review)
	}
}

// orAutomatic returns a review under a policy that approves, or does not: the reviewer's decision comes first.
func (r Review) orAutomatic(approves bool) Review {
	if approves && r < ReviewRejected {
		return ReviewAutomatic
	}
	return r
}

// approvalOf returns the review of the current revision by the reviewers, or by the site's policy, which the condition Approved records in
// the same write as the revision. Nothing is decided about a revision that is outdated.
func approvalOf(a *v1alpha1.Article, site *v1alpha1.Site) Review {
	if !current(a, site) {
		return ReviewOpen
	}
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved)
	return ReviewOf(a, site).orAutomatic(c != nil && c.Status == metav1.ConditionTrue && c.Reason == v1alpha1.ReasonAutomatic)
}

// reviewCovers reports whether a decision is about a revision.
func reviewCovers(
	a *v1alpha1.Article, site *v1alpha1.Site, review *v1alpha1.ArticleReview, revision *v1alpha1.CurrentRevision,
) bool {
	if review.Digest != "" {
		return review.Digest == revision.Digest
	}
	if review.Decision == v1alpha1.DecisionRejected {
		return true
	}
	// An approval without a digest is about the content in the same manifest, and of what is published about the text that it was
	// published for.
	return Written(a) && revision.Source != v1alpha1.SourceGenerated &&
		(Frozen(a, site) || revision.ContentHash == ContentHash(a.Spec.Content))
}

// progress is how far the text that the manifest asks for has come in the workflow, apart from its delivery.
type progress string

const (
	textGenerating       progress = "Generating"       // a run is in progress, is due or waits for its retry
	textGenerationFailed progress = "GenerationFailed" // the run has failed and there is no revision to show
	textRejected         progress = "Rejected"         // the reviewer has rejected the text
	textDraft            progress = "Draft"            // the author keeps the text as a draft
	textDraftUnfinished  progress = "DraftUnfinished"  // textDraft before there is a revision of it
	textUnfinished       progress = "Unfinished"       // there is no revision of the text
	textUnreviewed       progress = "Unreviewed"       // the text waits for its review
	textPartlyApproved   progress = "PartlyApproved"   // people have approved the text, and the Site asks for more of them
	textNotRequested     progress = "NotRequested"     // the text is approved, and nobody asks for its publication
	textHeld             progress = "Held"             // the text is approved, and the post was taken back on request
	textScheduled        progress = "Scheduled"        // the text is approved and waits for its time
	textDue              progress = "Due"              // the text is approved, and its publication is asked for and due
)

// textOf returns how far the text that the manifest asks for has come. The first rule that holds wins.
func textOf(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) progress {
	making, finished := MakingOf(a, site), current(a, site)
	switch run := a.Status.Run; {
	case making == RunInProgress, making == RunDue:
		return textGenerating
	case run != nil && run.State == v1alpha1.RunFailed && !finished && making == NothingToMake:
		return textGenerationFailed
	case ReviewOf(a, site) == ReviewRejected:
		return textRejected
	case a.Spec.Stage == v1alpha1.StageDraft && finished:
		return textDraft
	case a.Spec.Stage == v1alpha1.StageDraft:
		return textDraftUnfinished
	case !finished:
		return textUnfinished
	}
	return finishedText(a, site, now)
}

// finishedText is textOf a revision that is neither a draft nor rejected.
func finishedText(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) progress {
	switch review := approvalOf(a, site); {
	case review == ReviewAwaitingApprovals:
		return textPartlyApproved
	case review < ReviewApproved:
		return textUnreviewed
	case a.Spec.Stage != v1alpha1.StagePublished:
		return textNotRequested
	case HoldOf(a) != "" && !RedeliveryRequested(a):
		return textHeld
	case early(a, now):
		return textScheduled
	default:
		return textDue
	}
}

// early reports whether the article's time has not come. One that cannot be read never comes.
func early(a *v1alpha1.Article, now time.Time) bool {
	return a.Spec.PublishAfter.Unreadable() || a.Spec.PublishAfter != nil && a.Spec.PublishAfter.After(now)
}

// NotBefore returns the time before which the article is not published; zero if it has none, or none that can be read.
func NotBefore(a *v1alpha1.Article) time.Time {
	if a.Spec.PublishAfter == nil || a.Spec.PublishAfter.Unreadable() {
		return time.Time{}
	}
	return a.Spec.PublishAfter.Time
}
