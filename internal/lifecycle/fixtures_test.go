package lifecycle_test

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

var (
	digestA = "sha256:" + strings.Repeat("a", 64)
	digestB = "sha256:" + strings.Repeat("b", 64)
)

// with changes an article; rows of the tables are made of a few of them.
type with func(*v1alpha1.Article)

func article(changes ...with) *v1alpha1.Article {
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: "shoes", Generation: 3, Annotations: map[string]string{}},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: "acme"}, Stage: v1alpha1.StageReview,
			Generate: &v1alpha1.GenerateRequest{Keyword: "trail running shoes"},
		},
	}
	for _, change := range changes {
		change(a)
	}
	return a
}

func site(policy v1alpha1.ReviewPolicy) *v1alpha1.Site {
	return &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Review: v1alpha1.SiteReview{Policy: policy}}}
}

// asks is a site whose texts as many people must approve.
func asks(approvals int32) *v1alpha1.Site {
	s := site(v1alpha1.ReviewManual)
	s.Spec.Review.Approvals = approvals
	return s
}

func stage(s v1alpha1.ArticleStage) with { return func(a *v1alpha1.Article) { a.Spec.Stage = s } }

func publishAfter(t time.Time) with {
	return func(a *v1alpha1.Article) { a.Spec.PublishAfter = &v1alpha1.Time{Time: t} }
}

func annotation(key, value string) with {
	return func(a *v1alpha1.Article) { a.Annotations[key] = value }
}

func keyword(k string) with { return func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = k } }

func prepaid(state v1alpha1.ChargeState) with {
	return func(a *v1alpha1.Article) {
		a.Status.Prepaid = &v1alpha1.PrepaidRun{Run: "shoes-00000000-1", Charge: state}
	}
}

func noGenerate(a *v1alpha1.Article) { a.Spec.Generate = nil }

func content(title, markdown string) with {
	return func(a *v1alpha1.Article) { a.Spec.Content = &v1alpha1.ArticleContent{Title: title, Markdown: markdown} }
}

func noContent(a *v1alpha1.Article) { a.Spec.Content = nil }

// over makes a revision of the article's content current, after the generated text of this number.
func over(number int32) with {
	return func(a *v1alpha1.Article) {
		record.MakeCurrent(a, v1alpha1.CurrentRevision{
			Name: "shoes-2", Number: number + 1, Digest: digestB, Title: "Shoes", Source: v1alpha1.SourceWritten,
			ContentHash: lifecycle.ContentHash(a.Spec.Content),
		})
	}
}

func review(d v1alpha1.ReviewDecision, digest string) with {
	return func(a *v1alpha1.Article) {
		a.Spec.Review = &v1alpha1.ArticleReview{Decision: d, Digest: digest, By: "mara@acme.example"}
	}
}

// approval is one of spec.approvals.
func approval(by, digest string) with {
	return func(a *v1alpha1.Article) {
		a.Spec.Approvals = append(a.Spec.Approvals, v1alpha1.ArticleApproval{By: by, Digest: digest})
	}
}

// revision is current, and has taken in whatever content the article has by now.
func revision(digest string) with {
	return func(a *v1alpha1.Article) {
		source := v1alpha1.SourceGenerated
		if lifecycle.Written(a) {
			source = v1alpha1.SourceWritten
		}
		a.Status.Revision = &v1alpha1.CurrentRevision{
			Name: "shoes-1", Number: 1, Digest: digest, Title: "Shoes", Source: source,
			ContentHash: lifecycle.ContentHash(a.Spec.Content),
		}
	}
}

// run answers what the article asks for by now.
func run(state v1alpha1.RunState) with {
	return func(a *v1alpha1.Article) {
		command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.RegenerateAnnotation)
		a.Status.Run = &v1alpha1.GenerationRun{
			Name: "shoes-1", Number: 1, State: state, Attempt: 1, Charge: v1alpha1.Charged,
			RequestHash: lifecycle.RequestHash(a.Spec.Generate),
			Type:        v1alpha1.GeneratorOpenAI, Model: "m", Reason: v1alpha1.ReasonTimeout, Message: "no answer",
		}
		if state == v1alpha1.RunRetryScheduled {
			due := v1alpha1.NewMicroTime(now.Add(time.Minute))
			a.Status.Run.NextAttemptTime = &due
		}
	}
}

func generated(a *v1alpha1.Article) {
	run(v1alpha1.RunSucceeded)(a)
	revision(digestA)(a)
}

func written(a *v1alpha1.Article) {
	noGenerate(a)
	content("Shoes", "Run far.")(a)
	revision(digestA)(a)
}

func charge(c v1alpha1.ChargeState) with {
	return func(a *v1alpha1.Article) { a.Status.Run.Charge = c }
}

func approvedAndAsked(a *v1alpha1.Article) {
	generated(a)
	stage(v1alpha1.StagePublished)(a)
	review(v1alpha1.DecisionApproved, digestA)(a)
}

// deliveryState is how far an article has come on its way to its site.
type deliveryState string

const (
	beingDelivered deliveryState = "first attempt in progress"
	retryScheduled deliveryState = "first attempt failed"
	isPublished    deliveryState = "accepted"
	hasFailed      deliveryState = "never accepted"
	isCancelled    deliveryState = "retry dropped"
)

// postName names the Post of the article's slug at the address of its site.
const postName = "post-1"

// to is what the registry of connectors knows about a site from which no post can be taken back.
func to(mode lifecycle.Mode) lifecycle.Target {
	return lifecycle.Target{Mode: mode, Post: postName, Address: "https://acme.example"}
}

// publication of the current revision, with a cycle in the state that goes with it.
func publication(state deliveryState) with {
	return func(a *v1alpha1.Article) {
		command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.RedeliverAnnotation)
		revision := v1alpha1.PublicationRevision{Name: "shoes-1", Number: 1, Digest: digestA}
		cycle := &v1alpha1.DeliveryCycle{Number: 1, Purpose: v1alpha1.PurposePut, Revision: revision.DeepCopy(), Post: postName}
		attempt := v1alpha1.DeliveryAttempt{ID: strings.Repeat("1", 36), Cycle: 1, Number: 1, AttemptResult: v1alpha1.AttemptResult{
			Outcome: v1alpha1.AttemptRejected, Message: "the receiver answered 500",
		}}
		have := v1alpha1.SitePost{
			State: v1alpha1.PostUncertain, Name: postName,
			Maybe: &v1alpha1.UncertainWrite{Purpose: v1alpha1.PurposePut, Revision: revision.DeepCopy()},
		}
		switch state {
		case beingDelivered:
			cycle.State, attempt.Outcome = v1alpha1.CycleInProgress, v1alpha1.AttemptInProgress
		case retryScheduled:
			due := v1alpha1.NewMicroTime(now.Add(time.Minute))
			cycle.State, cycle.NextAttemptTime = v1alpha1.CycleRetryScheduled, &due
		case isPublished:
			cycle.State, attempt.Outcome = v1alpha1.CycleAccepted, v1alpha1.AttemptAccepted
			have.State, have.Revision, have.Maybe = v1alpha1.PostPresent, &revision, nil
		case hasFailed:
			cycle.State, cycle.Reason = v1alpha1.CycleFailed, v1alpha1.ReasonExhausted
		case isCancelled:
			cycle.State, cycle.Reason = v1alpha1.CycleCancelled, v1alpha1.ReasonNotRequested
		}
		a.Status.Publication = &v1alpha1.Publication{
			Post: have, DeliveryRecord: v1alpha1.DeliveryRecord{Cycle: cycle, Attempts: []v1alpha1.DeliveryAttempt{attempt}},
		}
	}
}

// begin writes an attempt ahead that sends the live text of a published article, and else the current one, and returns what the site had.
func begin(a *v1alpha1.Article, by cycles.AttemptID, fresh bool, at time.Time) v1alpha1.SitePost {
	s, before := site(v1alpha1.ReviewManual), lifecycle.Have(a)
	before = *before.DeepCopy()
	if !fresh {
		record.RetryCycle(a, s, postName, by, at)
		return before
	}
	want := lifecycle.Want{Kind: lifecycle.WantPut, Revision: lifecycle.CurrentRevision(a, s)}
	if lifecycle.Published(a) {
		want.Revision = *before.Revision
	}
	record.BeginCycle(a, s, want, postName, by, at)
	return before
}

// beginUpdate writes an attempt ahead that sends the current text.
func beginUpdate(a *v1alpha1.Article, by cycles.AttemptID, at time.Time) {
	s := site(v1alpha1.ReviewManual)
	record.BeginCycle(a, s, lifecycle.Want{Kind: lifecycle.WantPut, Revision: lifecycle.CurrentRevision(a, s)}, postName, by, at)
}

// beginRemoval writes an attempt ahead that takes the post back.
func beginRemoval(a *v1alpha1.Article, by cycles.AttemptID, at time.Time) {
	record.BeginCycle(a, site(v1alpha1.ReviewManual), lifecycle.Want{Kind: lifecycle.WantRemove}, postName, by, at)
}

// end records the end of an attempt of which it is not known what the site had before.
func end(a *v1alpha1.Article, e cycles.End, s cycles.Schedule, at time.Time) {
	record.EndAttempt(a, e, v1alpha1.SitePost{}, s, at)
}

// otherIsLive publishes another text than the current revision: the article was created again.
func otherIsLive(a *v1alpha1.Article) {
	publication(isPublished)(a)
	a.Status.Publication.Post.Revision = &v1alpha1.PublicationRevision{Name: "shoes-7", Number: 7, Digest: digestB}
}

func makeDue(a *v1alpha1.Article) {
	past := v1alpha1.NewMicroTime(now.Add(-time.Second))
	if g := a.Status.Run; g != nil && g.State == v1alpha1.RunRetryScheduled {
		g.NextAttemptTime = &past
	}
	if p := a.Status.Publication; p != nil && p.Cycle.NextAttemptTime != nil {
		p.Cycle.NextAttemptTime = &past
	}
}

func redeliveryWaits(a *v1alpha1.Article) {
	at := v1alpha1.NewMicroTime(now.Add(time.Minute))
	cycle := a.Status.Publication.Cycle
	cycle.State, cycle.NextAttemptTime, cycle.RequestNonce = v1alpha1.CycleRetryScheduled, &at, "again"
}

func condition(kind string, status metav1.ConditionStatus, reason string) with {
	return func(a *v1alpha1.Article) {
		a.Status.Conditions = append(a.Status.Conditions, metav1.Condition{Type: kind, Status: status, Reason: reason, Message: "as found"})
	}
}

func note(text string) with { return func(a *v1alpha1.Article) { a.Spec.Review.Note = text } }
