package article

import (
	"context"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// task is an article in one reconcile: its state when it was read, its changes in memory, and the work that follows their write.
type task struct {
	base    *base.Base
	slugs   *post.Slugs
	posts   *post.Store
	content *Content

	article *v1alpha1.Article
	// site is nil if it does not exist. mode is how it gets its articles.
	site     *v1alpha1.Site
	mode     lifecycle.Mode
	decision lifecycle.Decision

	// began is when the reconcile began, before the article and its site were read from the cache.
	began time.Time
	// stored is the article as it was last read or written.
	stored *v1alpha1.Article
	// revision is the current one, if this reconcile has made it or read it.
	revision *v1alpha1.ArticleRevision
	// generated is the revision with the latest generated text, if this reconcile has read it.
	generated *v1alpha1.ArticleRevision
	// blockers that this reconcile has found.
	blockers lifecycle.Blockers
	// changed means that status has changed since it was stored, apart from the conditions.
	changed bool
	// restored means that status is restored from earlier facts, whose events subscribers have received already.
	restored bool
	// afterSave holds functions that are called in order once status is written.
	afterSave []func(context.Context) error
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
	lifecycle.Summarize(t.article, t.site, t.base.Clock.Now(), t.blockers)
	if !t.restored {
		if err := t.recordTransitions(ctx); err != nil {
			return err
		}
	}
	lifecycle.FitStatus(t.article)
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

// saveIfChanged writes the changes of a step that left them to be written with the next one.
func (t *task) saveIfChanged(ctx context.Context) error {
	if !t.changed {
		return nil
	}
	return t.save(ctx)
}

// setCurrent makes a revision the current one and proposes its slug. Once that is written, it deletes the revisions that the history
// does not keep any more. If that fails, they are deleted with the next revision.
func (t *task) setCurrent(ctx context.Context, rev *v1alpha1.ArticleRevision, contentHash string) error {
	a := t.article
	leftOver := lifecycle.DroppedRevisions(t.stored)
	if err := prune(ctx, t.base, a, leftOver); err != nil {
		return err
	}
	lifecycle.ForgetRevisions(a, leftOver)
	about := comparisonOf(rev, requestedKeyword(a))
	lifecycle.MakeCurrent(a, v1alpha1.CurrentRevision{
		Name: rev.Name, Number: rev.Spec.Number, Digest: rev.Spec.Digest, ContentHash: contentHash,
		Title:  bounds.Cut(rev.Spec.Title, v1alpha1.MaxTitleBytes),
		Source: rev.Spec.Source, SEOScore: rev.Spec.Scores.SEOScore, CreationTime: t.base.Now(),
		Fingerprint: about.fingerprint, Terms: about.terms, FailedGates: failedGates(rev),
	})
	if err := t.restorePost(ctx); err != nil {
		return err
	}
	doc := content.Document{Slug: rev.Spec.Slug, Title: rev.Spec.Title, Language: rev.Spec.Language}
	if _, err := t.slugs.Propose(ctx, a, t.site, doc); err != nil {
		return err
	}
	t.revision, t.changed = rev, true
	dropped := lifecycle.DroppedRevisions(a)
	t.afterSave = append(t.afterSave, func(ctx context.Context) error { return prune(ctx, t.base, a, dropped) })
	return nil
}

// claimSlug claims the article's slug at the present destination of its Site. If another article has the slug, and nothing of this one
// was sent yet, it claims the next slug that is free. The slug is written with the attempt.
func (t *task) claimSlug(ctx context.Context) error {
	a, destination := t.article, base.DestinationOf(t.site)
	var refused []string
	for {
		claimed, err := t.posts.Claim(ctx, a, destination)
		if err != nil {
			return err
		}
		if claimed {
			return nil
		}
		if a.Status.Publication != nil {
			return t.posts.SlugTaken(a.Status.Slug)
		}
		doc, err := t.content.current(ctx, t)
		if err != nil {
			return err
		}
		refused = append(refused, a.Status.Slug)
		if err := t.slugs.ProposeOther(ctx, a, t.site, doc, refused); err != nil {
			return err
		}
		t.changed = true
	}
}

// saveClaimed writes the next attempt under the claimed slug, and then frees the article's other claims. If the article was changed or
// deleted since it was read, its workspace may have been deleted and created again, so it withdraws the claim if necessary.
func (t *task) saveClaimed(ctx context.Context) error {
	err := t.save(ctx)
	if errors.Is(err, base.ErrDeleted) || apierrors.IsConflict(err) {
		return errors.Join(err, t.posts.Withdraw(ctx, t.article, base.DestinationOf(t.site)))
	}
	if err == nil {
		t.posts.Free(ctx, t.article)
	}
	return err
}

// event makes a Kubernetes Event about a transition that people may act on.
func (t *task) event(kind, reason, action, note string) {
	t.base.Recorder.Eventf(t.article, nil, kind, reason, action, "%s", note)
}
