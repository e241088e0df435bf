package article

import (
	"context"
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// +kubebuilder:rbac:groups=pressroom.dev,resources=articlerevisions,verbs=list;patch

// startRun begins a new run, unless the article has revisions that an earlier object of it left.
func (r *Reconciler) startRun(ctx context.Context, t *task) (progress, error) {
	if lifecycle.Unknown(t.article) {
		if adopted, err := r.adopt(ctx, t); adopted || err != nil {
			return progress{again: adopted}, t.generationBlocked(err)
		}
	}
	return r.Generation.start(ctx, t)
}

// adopt restores what status says of an article from the revisions that belong to it and have no owner: it was restored without
// status, or deleted without them. The newest is current again, and what its site has of it is published. It reports false if there
// are none, and a *lifecycle.BlockedError if those of a deleted article of the name are still being collected.
func (r *Reconciler) adopt(ctx context.Context, t *task) (bool, error) {
	kept, err := r.keptRevisions(ctx, t.article)
	if err != nil || !slices.ContainsFunc(kept, leftBehind) {
		return false, err
	}
	for i := range kept {
		if err := own(ctx, &r.Base, t.article, &kept[i]); err != nil {
			return false, err
		}
	}
	t.restored = true
	lifecycle.RestoreRevisions(t.article, kept, r.Clock.Now())
	last := &kept[len(kept)-1]
	hash := lifecycle.ContentHash(t.article.Spec.Content)
	if doc, err := r.content.compose(ctx, t); err != nil && !base.IsBlocked(err) {
		return false, err
	} else if err != nil || doc.Digest() != last.Spec.Digest {
		hash = ""
	}
	return true, t.setCurrent(ctx, last, hash)
}

// makeRevision makes the revision that the manifest asks for, unless the article has revisions that an earlier object of it left.
func (r *Reconciler) makeRevision(ctx context.Context, t *task) (progress, error) {
	if lifecycle.Unknown(t.article) && r.posts.Exist(ctx, t.article) {
		if p, err := r.adoptInstead(ctx, t); p.again || err != nil {
			return p, err
		}
	}
	if err := r.ClaimRequest(ctx, t.article); err != nil {
		errors.As(err, &t.blockers.Content)
		return progress{}, err
	}
	p, err := r.content.makeRevision(ctx, t)
	if errors.Is(err, errKept) {
		return r.adoptInstead(ctx, t)
	}
	return p, err
}

// adoptInstead adopts instead of making a revision.
func (r *Reconciler) adoptInstead(ctx context.Context, t *task) (progress, error) {
	adopted, err := r.adopt(ctx, t)
	errors.As(err, &t.blockers.Content)
	return progress{again: adopted}, err
}

// keptRevisions returns the revisions of an article that have no other owner, the newest last.
func (r *Reconciler) keptRevisions(ctx context.Context, a *v1alpha1.Article) ([]v1alpha1.ArticleRevision, error) {
	var list v1alpha1.ArticleRevisionList
	err := r.Live.List(ctx, &list, client.InNamespace(a.Namespace), client.MatchingFields{base.ArticleRefField: a.Name})
	if err != nil {
		return nil, fmt.Errorf("looking for kept revisions: %w", err)
	}
	found := len(list.Items)
	kept := slices.DeleteFunc(list.Items, func(rev v1alpha1.ArticleRevision) bool { return !adoptable(&rev, a) })
	if found > 0 && len(kept) == 0 {
		return nil, nameTaken()
	}
	slices.SortFunc(kept, func(x, y v1alpha1.ArticleRevision) int { return int(x.Spec.Number - y.Spec.Number) })
	return kept, nil
}

// leftBehind reports whether an earlier object of an article whose status says nothing made a revision: it has no owner, or an
// adoption that was interrupted has owned it. The other revisions are texts of the author's that this object took in: they never
// got into status, because a conflict or the end of the process came first.
func leftBehind(rev v1alpha1.ArticleRevision) bool {
	return metav1.GetControllerOf(&rev) == nil || rev.Spec.Source == v1alpha1.SourceGenerated
}

// restorePost sets what status says of publishing from what the article's site has of it: status was lost, or the Article was created
// again.
func (t *task) restorePost(ctx context.Context) error {
	a := t.article
	if a.Status.Publication != nil || a.Status.Slug != "" || t.site == nil {
		return nil
	}
	post, err := t.posts.Of(ctx, a, t.mode, t.restored)
	if err != nil || post == nil {
		return err
	}
	lifecycle.RestorePublication(a, post.Spec, t.mode, t.base.Clock.Now())
	t.restored, t.changed = true, true
	return nil
}
