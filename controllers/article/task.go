package article

import (
	"context"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// task is an article in one reconcile: its state when it was read, its changes in memory, and the work that follows their write.
type task struct {
	base  *base.Base
	posts *post.Store

	article *v1alpha1.Article
	// site is nil if it does not exist.
	site *v1alpha1.Site
	// suspension of the site, its account or the installation; nil if there is none.
	suspension *lifecycle.BlockedError
	decision   lifecycle.Decision

	// stored is the article as it was last read or written.
	stored *v1alpha1.Article
	// revision is the current one, if this reconcile has made it or read it.
	revision *v1alpha1.ArticleRevision
	// author is the author's content with its text, if the cache has it not and this reconcile has read it.
	author *v1alpha1.ArticleContent
	// generated is the revision with the latest generated text, if this reconcile has read it.
	generated *v1alpha1.ArticleRevision
	// blockers that this reconcile has found.
	blockers lifecycle.Blockers
	// changed means that status has changed since it was stored, apart from the conditions, and that the step left that to be written with
	// the next one.
	changed bool
	// restored means that status is restored from earlier facts, whose events subscribers have received already.
	restored bool
	// afterSave holds functions that are called in order once status is written.
	afterSave []func(context.Context) error
}

// target returns what the registry of connectors knows about the Site of the article.
func (t *task) target() lifecycle.Target {
	to := lifecycle.Target{Mode: connectors.ModeOf(t.site), Post: t.postName(), Suspension: t.suspension}
	if t.site != nil {
		to.Address = base.DestinationOf(t.site)
	}
	to.Removes = to.Mode == lifecycle.Push && connectors.UnpublisherFor(t.site) != nil
	return to
}

// postName returns the name of the Post of the article's slug at the Site's present address; empty if there is no slug or no Site.
func (t *task) postName() string {
	if t.site == nil || t.article.Status.Slug == "" {
		return ""
	}
	return identity.PostName(base.DestinationOf(t.site), t.article.Status.Slug)
}

// progress is how a step ended.
type progress struct {
	// again means that the next step may be due at once, and is written together with this one.
	again bool
	// after is the time until the article is reconciled again; zero if something else puts it back into the queue.
	after time.Duration
}

// save recomputes conditions, phase and outbox, and writes status if it has changed.
func (t *task) save(ctx context.Context) error {
	lifecycle.Summarize(t.article, t.site, t.target(), t.base.Clock.Now(), t.blockers)
	if !t.restored {
		t.recordTransitions(ctx)
	}
	record.FitStatus(t.article)
	if err := t.base.WriteStatus(ctx, t.stored, t.article); err != nil {
		return err
	}
	t.stored, t.changed, t.restored = t.article.DeepCopy(), false, false
	todo := t.afterSave
	t.afterSave = nil
	for _, do := range todo {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// event makes a Kubernetes Event about a transition that people may act on.
func (t *task) event(kind, reason, action, note string) {
	t.base.Recorder.Eventf(t.article, nil, kind, reason, action, "%s", note)
}

// announceRejection makes a Kubernetes Event if one of the recorded transitions is a rejection, because the article's author may act on
// it. The other transitions are in status only, which costs no request.
func (t *task) announceRejection(recorded []v1alpha1.ArticleTransition) {
	isRejection := func(happened v1alpha1.ArticleTransition) bool { return happened.Type == v1alpha1.EventRejected }
	c := meta.FindStatusCondition(t.article.Status.Conditions, v1alpha1.ConditionApproved)
	if c == nil || !slices.ContainsFunc(recorded, isRejection) {
		return
	}
	t.afterSave = append(t.afterSave, func(context.Context) error {
		t.event(corev1.EventTypeNormal, v1alpha1.ReasonRejected, "Review", c.Message)
		return nil
	})
}

// recordTransitions records the transitions of this write in status. Those that a subscription wants are dispatched after it.
func (t *task) recordTransitions(ctx context.Context) {
	subscriptions := sync.OnceValues(func() ([]v1alpha1.EventSubscription, error) {
		return t.base.Subscriptions(ctx, t.article.Namespace)
	})
	recorded, dropped := record.Transitions(t.stored, t.article, t.site, t.base.Clock.Now(), func(kind v1alpha1.ArticleEventType) bool {
		all, err := subscriptions()
		return err != nil || slices.ContainsFunc(all, func(s v1alpha1.EventSubscription) bool { // The outbox finds out who wants it.
			return lifecycle.Selects(&s, kind, t.article.Spec.SiteRef.Name)
		})
	})
	t.announceRejection(recorded)
	t.announceDropped(dropped)
}

// announceDropped counts transitions that are not dispatched, and makes a Kubernetes Event.
func (t *task) announceDropped(n int) {
	if n == 0 {
		return
	}
	t.afterSave = append(t.afterSave, func(context.Context) error {
		eventsDropped.Add(float64(n))
		t.event(corev1.EventTypeWarning, base.ReasonEventsDropped, "Dispatch",
			"subscriptions do not get an earlier event of this article: see the condition Dispatching of the EventSubscriptions")
		return nil
	})
}

// restorePost restores the publication in status from the Post that the article's site has of it, if status was lost or the Article was
// created again.
func (t *task) restorePost(ctx context.Context) error {
	a := t.article
	if a.Status.Publication != nil || a.Status.Slug != "" || t.site == nil {
		return nil
	}
	post, err := t.posts.Of(ctx, a, connectors.ModeOf(t.site), t.restored)
	if err != nil || post == nil {
		return err
	}
	record.RestorePublication(a, t.site, post.Name, post.Spec)
	t.restored, t.changed = true, true
	return nil
}
