package article

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// nameTaken blocks a revision while the one of a deleted article of the same name has its name and is not garbage-collected yet.
func nameTaken() *lifecycle.BlockedError {
	return &lifecycle.BlockedError{
		Reason: v1alpha1.ReasonRevisionNameTaken, RetryAfter: namePoll,
		Message: "the revision's name is still taken by a deleted article of the same name",
	}
}

// namePoll is how often such a revision is tried again.
const namePoll = 5 * time.Second

// errOwnerless means that a revision belongs to the article and has no owner: the article was restored without status, or deleted
// without its revisions.
var errOwnerless = errors.New("the article has revisions of an earlier object of its name")

// uncached has no read wait for a write of a revision: the cache would then hold all revisions with their bodies.
const uncached = client.DisableReadYourWritesConsistency

// createRevision creates a revision, or returns the one that an interrupted reconcile has already made.
func createRevision(
	ctx context.Context, b *base.Base, a *v1alpha1.Article, rev *v1alpha1.ArticleRevision,
) (*v1alpha1.ArticleRevision, error) {
	ctx, span := base.ArticleSpan(ctx, a, "revision", trace.SpanKindInternal, tracing.Revision.String(rev.Name))
	defer span.End()
	err := b.Create(ctx, rev, uncached)
	if err == nil {
		return rev, nil
	}
	if !apierrors.IsAlreadyExists(err) {
		return nil, refused(b, rev, err)
	}
	existing, err := base.Read[v1alpha1.ArticleRevision](ctx, b.Live, client.ObjectKeyFromObject(rev))
	switch {
	case err != nil:
		return nil, err
	case existing == nil, !adoptable(existing, a):
		return nil, nameTaken()
	case metav1.GetControllerOf(existing) == nil && lifecycle.Unknown(a):
		return nil, errOwnerless
	}
	return existing, own(ctx, b, a, existing)
}

// refused returns the error for a revision that was not written: a *lifecycle.BlockedError if its content or a rule of the workspace is
// why, so that the article says so.
func refused(b *base.Base, rev *v1alpha1.ArticleRevision, err error) error {
	return b.BlockedIfRefused(fmt.Errorf("writing revision %s: %w", rev.Name, err), v1alpha1.ReasonRevisionRefused, "ArticleRevision")
}

// readRevision reads one of the article's own revisions; nil if there is none of this name.
func readRevision(ctx context.Context, b *base.Base, a *v1alpha1.Article, name string) (*v1alpha1.ArticleRevision, error) {
	rev, err := base.Read[v1alpha1.ArticleRevision](ctx, b.Live, types.NamespacedName{Namespace: a.Namespace, Name: name})
	if rev == nil || err != nil || !adoptable(rev, a) {
		return nil, err
	}
	return rev, own(ctx, b, a, rev)
}

// prune deletes revisions of the article. It ignores those that do not exist.
func prune(ctx context.Context, b *base.Base, a *v1alpha1.Article, numbers []int32) error {
	for _, n := range numbers {
		rev := &v1alpha1.ArticleRevision{ObjectMeta: metav1.ObjectMeta{Namespace: a.Namespace, Name: revision.Name(a, n)}}
		if err := client.IgnoreNotFound(b.Client.Delete(ctx, rev, uncached)); err != nil {
			return fmt.Errorf("deleting revision %s: %w", rev.Name, err)
		}
	}
	return nil
}

// adoptable reports whether a revision is owned by the article, or belongs to it and has no owner.
func adoptable(rev *v1alpha1.ArticleRevision, a *v1alpha1.Article) bool {
	owner := metav1.GetControllerOf(rev)
	return rev.DeletionTimestamp.IsZero() && rev.Spec.ArticleRef.Name == a.Name && rev.Name == revision.Name(a, rev.Spec.Number) &&
		(owner == nil || owner.UID == a.UID)
}

// own makes an article the owner of its revision, so that the revision is collected with it.
func own(ctx context.Context, b *base.Base, a *v1alpha1.Article, rev *v1alpha1.ArticleRevision) error {
	if metav1.IsControlledBy(rev, a) {
		return nil
	}
	old := rev.DeepCopy()
	rev.OwnerReferences = append(rev.OwnerReferences, revision.Owner(a))
	if err := b.Client.Patch(ctx, rev, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{}), uncached); err != nil {
		return refused(b, rev, err)
	}
	return nil
}

// setCurrent makes a revision the current one and proposes its slug. Once that is written, it deletes the revisions that the history
// does not keep any more. If that fails, they are deleted with the next revision.
func (t *task) setCurrent(ctx context.Context, rev *v1alpha1.ArticleRevision, contentHash string) error {
	a, before := t.article, t.article.Status.DeepCopy()
	leftOver := lifecycle.DroppedRevisions(t.stored)
	if err := prune(ctx, t.base, a, leftOver); base.IsRefused(err) {
		// The revisions stay until the article is deleted.
		t.base.EventOfRefusal(a, err)
	} else if err != nil {
		return err
	}
	record.ForgetRevisions(a, leftOver)
	fingerprint, terms := comparisonOf(rev, requestedKeyword(a))
	record.MakeCurrent(a, v1alpha1.CurrentRevision{
		Name: rev.Name, Number: rev.Spec.Number, Digest: rev.Spec.Digest, ContentHash: contentHash,
		Title:  bounds.Cut(rev.Spec.Title, v1alpha1.MaxTitleBytes),
		Source: rev.Spec.Source, SEOScore: rev.Spec.Scores.SEOScore, CreationTime: t.base.Now(),
		Fingerprint: fingerprint, Terms: terms, FailedGates: failedGates(rev), UnsupportedClaims: rev.Spec.UnsupportedClaims(),
	})
	record.MeasureRevision(a, before, rev)
	if err := t.restorePost(ctx); err != nil {
		return err
	}
	doc := content.Document{Slug: rev.Spec.Slug, Title: rev.Spec.Title, Language: rev.Spec.Language}
	if err := t.posts.Propose(ctx, a, t.site, doc); err != nil {
		return err
	}
	t.revision, t.changed = rev, true
	dropped := lifecycle.DroppedRevisions(a)
	t.afterSave = append(t.afterSave, func(ctx context.Context) error {
		if err := prune(ctx, t.base, a, dropped); !base.IsRefused(err) {
			return err
		}
		return nil // The next revision tries it again, and says so.
	})
	return nil
}

// failedGates returns the names of the gates that a revision fails.
func failedGates(rev *v1alpha1.ArticleRevision) []string {
	const most = 8 // the bound of the API
	var failed []string
	for _, f := range revision.Findings(&rev.Spec.Scores) {
		if f.Must && len(failed) < most {
			failed = append(failed, f.Check)
		}
	}
	return failed
}

// comparisonOf returns what other articles are compared with: the terms of a revision, and the fingerprint of its text without the
// keyword, which is empty if the text is too short. It reads the whole text.
func comparisonOf(rev *v1alpha1.ArticleRevision, keyword string) (fingerprint, terms string) {
	language, text := rev.Spec.Language, content.PlainText(rev.Spec.Markdown)
	if f, ok := related.FingerprintOf(language, text, keyword); ok {
		fingerprint = f.String()
	}
	return fingerprint, related.Terms(language, text)
}

// requestedKeyword returns the keyword of an article's request, or "" if it has none.
func requestedKeyword(a *v1alpha1.Article) string {
	if a.Spec.Generate == nil {
		return ""
	}
	return a.Spec.Generate.Keyword
}
