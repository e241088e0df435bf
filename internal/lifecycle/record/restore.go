package record

import (
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
)

// RestoreRevisions restores in status what existing revisions show, ordered with the newest last: the numbers in use, the latest
// generated text, and the run that wrote it. MakeCurrent sets the current one. What spec.generate asks for now counts as done: whether it
// has changed since is unknown, and nothing may be charged twice.
func RestoreRevisions(a *v1alpha1.Article, revisions []v1alpha1.ArticleRevision, now time.Time) {
	last := &revisions[len(revisions)-1]
	var generated *v1alpha1.ArticleRevision
	for i := range revisions {
		if revisions[i].Spec.Source == v1alpha1.SourceGenerated {
			generated = &revisions[i]
			a.Status.GeneratedNumber = generated.Spec.Number
		}
		if &revisions[i] != last {
			a.Status.History = append(a.Status.History, revisions[i].Spec.Number)
		}
	}
	slices.Reverse(a.Status.History)
	a.Status.History = a.Status.History[:min(len(a.Status.History), v1alpha1.MaxHistory)]
	a.Status.LastRevisionNumber = last.Spec.Number
	if a.Spec.Generate != nil {
		a.Status.Run = restoredRun(a, generated, last, now)
		command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.RegenerateAnnotation)
	}
}

// restoredRun is the run that wrote a revision. If there is only an author's text, the run counts as superseded by it.
func restoredRun(a *v1alpha1.Article, generated, last *v1alpha1.ArticleRevision, now time.Time) *v1alpha1.GenerationRun {
	at := v1alpha1.NewMicroTime(now)
	run := &v1alpha1.GenerationRun{
		Name: last.Name, Number: last.Spec.Number, State: v1alpha1.RunSuperseded, Charge: v1alpha1.Refunded, Attempt: 1,
		Type:        v1alpha1.GeneratorBuiltIn,
		RequestHash: lifecycle.RequestHash(a.Spec.Generate), StartTime: at, FinishTime: &at,
	}
	if generated == nil {
		return run
	}
	run.Name, run.Number, run.State, run.Charge = generated.Name, generated.Spec.Number, v1alpha1.RunSucceeded, v1alpha1.Charged
	if g := generated.Spec.Generator; g != nil {
		run.Type, run.Model = g.Type, bounds.Cut(g.Model, v1alpha1.MaxModelBytes)
		run.InputTokens, run.OutputTokens = g.InputTokens, g.OutputTokens
	}
	return run
}

// RestorePublication restores status.publication from the article's Post of a name, which may be about another text than the current
// revision; there may be no revision either. What was accepted is not sent again. Of an attempt whose outcome the Post does not say, nobody
// knows what it did; one that had failed for good is not made again by itself. Requests for a delivery, or to take the post back, count as
// handled.
func RestorePublication(a *v1alpha1.Article, site *v1alpha1.Site, name string, post v1alpha1.PostSpec) {
	a.Status.Slug = post.Slug
	have := v1alpha1.SitePost{
		State: v1alpha1.PostUncertain, Name: name, PublishTime: post.PublishTime, UpdateTime: post.UpdateTime, URL: post.URL,
		ExternalID: post.ExternalID, ContentHash: post.ContentHash,
	}
	r := v1alpha1.PublicationRevision{Name: post.Revision.Name, Number: post.Revision.Number, Digest: post.Revision.Digest}
	if current := a.Status.Revision; current != nil && current.Digest == post.Revision.Digest {
		r = lifecycle.CurrentRevision(a, site)
	}
	r.Disclosure = lifecycle.RecordedDisclosure(post)
	if post.State.Accepted() && r.Digest != "" {
		have.Revision = &r
	}
	p := &v1alpha1.Publication{Post: have}
	a.Status.Publication = p
	lifecycle.MarkDeliveryRequestsHandled(a)
	switch post.State {
	case v1alpha1.PostPublished:
		p.Post.State = v1alpha1.PostPresent
	case v1alpha1.PostUnpublished:
		p.Post.State, p.Post.UnpublishTime, p.Hold = v1alpha1.PostAbsent, post.RemovalTime, v1alpha1.HoldRequested
		lifecycle.SyncHold(a)
	case v1alpha1.PostUnpublishing:
		p.Post.Maybe, p.Hold = &v1alpha1.UncertainWrite{Purpose: v1alpha1.PurposeRemove}, v1alpha1.HoldRequested
		lifecycle.SyncHold(a)
	}
	p.Cycle = restoredCycle(site, post, r)
}

// restoredCycle is the cycle that a Post says to have ended; nil if it says of none, or if the site pulls.
func restoredCycle(site *v1alpha1.Site, post v1alpha1.PostSpec, r v1alpha1.PublicationRevision) *v1alpha1.DeliveryCycle {
	cycle := &v1alpha1.DeliveryCycle{Number: 1, State: v1alpha1.CycleAccepted, Reason: v1alpha1.ReasonDelivered}
	switch {
	case site.Spec.CMS.Type == v1alpha1.CMSNone:
		return nil
	case post.State == v1alpha1.PostFailed, post.State == v1alpha1.PostUnpublishing && post.Reason != "":
		cycle.State, cycle.Reason = v1alpha1.CycleFailed, post.Reason
	case post.State != v1alpha1.PostPublished && post.State != v1alpha1.PostUnpublished:
		return nil
	}
	if cycle.Purpose = v1alpha1.PurposeRemove; post.State == v1alpha1.PostPublished || post.State == v1alpha1.PostFailed {
		cycle.Purpose, cycle.Revision = v1alpha1.PurposePut, &r
	}
	return cycle
}
