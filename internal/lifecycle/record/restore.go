package record

import (
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
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
		attempts.Handle(a, &a.Status.HandledRequests, v1alpha1.RegenerateAnnotation)
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

// RestorePublication restores status.publication from the article's Post, which may name another text than the current revision; there may
// be no revision either. What was accepted, or had failed for good, is not sent again; a delivery of which an attempt had failed continues
// with its retries, and so does the taking back of the post. Requests for a delivery, or to take the post back, count as handled.
func RestorePublication(a *v1alpha1.Article, post v1alpha1.PostSpec, mode lifecycle.Mode, now time.Time) {
	a.Status.Slug = post.Slug
	p := &v1alpha1.Publication{
		Revision:    v1alpha1.PublicationRevision{Name: post.Revision.Name, Number: post.Revision.Number, Digest: post.Revision.Digest},
		PublishTime: post.PublishTime, UpdateTime: post.UpdateTime, URL: post.URL, ExternalID: post.ExternalID, PostHash: post.PostHash,
	}
	if r := a.Status.Revision; r != nil && r.Digest == post.Revision.Digest {
		p.Revision = lifecycle.CurrentRevision(a)
	}
	p.Revision.Disclosure = lifecycle.RecordedDisclosure(post)
	a.Status.Publication = p
	lifecycle.HandleDeliveryRequests(a)
	cycle := &v1alpha1.DeliveryCycle{Number: 1}
	if post.State == v1alpha1.PostUnpublishing || post.State == v1alpha1.PostUnpublished {
		cycle.Unpublish = v1alpha1.UnpublishRequested
	}
	switch post.State {
	case v1alpha1.PostPublished:
		p.State, cycle.State, cycle.Reason = v1alpha1.PublicationPublished, v1alpha1.CycleDelivered, v1alpha1.ReasonDelivered
	case v1alpha1.PostUnpublished:
		p.State, p.UnpublishTime, cycle.State = v1alpha1.PublicationUnpublished, post.RemovalTime, v1alpha1.CycleDelivered
		cycle.Reason = v1alpha1.ReasonDelivered
	case v1alpha1.PostFailed:
		p.State, cycle.State, cycle.Reason = v1alpha1.PublicationFailed, v1alpha1.CycleFailed, post.Reason
	case v1alpha1.PostUnpublishing:
		p.State = v1alpha1.PublicationPublished
		if post.Reason != "" {
			cycle.State, cycle.Reason = v1alpha1.CycleFailed, post.Reason
		}
	default:
		p.State = v1alpha1.PublicationRetryScheduled
	}
	if cycle.State == "" {
		cycle.State, cycle.Reason = v1alpha1.CycleRetryScheduled, v1alpha1.ReasonRetryScheduled
		cycle.NextAttemptTime = new(v1alpha1.NewMicroTime(now))
	}
	if mode != lifecycle.Pull {
		p.Cycle = cycle
	}
}
