package article

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// +kubebuilder:rbac:groups=pressroom.dev,resources=articlerevisions,verbs=list;patch

// startRun begins a new run, unless an earlier Article of the same name has left revisions, or its site has a text of it, which stays. It
// looks for those before it says that the run waits for credits, and again once there is one.
func (r *Reconciler) startRun(ctx context.Context, t *task) (progress, error) {
	if conditions.ReasonOf(t.article.Status.Conditions, v1alpha1.ConditionGenerated).WaitsFor == conditions.NeedAccount {
		if _, err := r.Generation.precheck(ctx, t); err != nil {
			return progress{}, t.recordBlocker(err)
		}
	}
	if lifecycle.Unknown(t.article) {
		if adopted, err := r.content.adopt(ctx, t); adopted || err != nil {
			return progress{again: adopted}, t.recordBlocker(err)
		}
		if err := t.restorePost(ctx); err != nil || lifecycle.Published(t.article) {
			return progress{again: err == nil}, err
		}
	}
	return r.Generation.attempt(ctx, t)
}

// adopt restores the status of an article that was restored without status, or deleted without its revisions, from the revisions that
// belong to it and have no owner. The newest is current again, and the text that its site has counts as published. adopt reports false
// if there are none, and returns a *lifecycle.BlockedError if the revisions of a deleted article of the name are still being collected.
func (c *Content) adopt(ctx context.Context, t *task) (bool, error) {
	revisions, err := c.adoptableRevisions(ctx, t.article)
	if err != nil || !slices.ContainsFunc(revisions, leftBehind) {
		return false, err
	}
	for i := range revisions {
		if err := own(ctx, c.Base, t.article, &revisions[i]); err != nil {
			return false, err
		}
	}
	t.restored = true
	record.RestoreRevisions(t.article, revisions, c.Clock.Now())
	last := &revisions[len(revisions)-1]
	hash := lifecycle.ContentHash(t.article.Spec.Content)
	if doc, err := c.compose(ctx, t); err != nil && !base.IsBlocked(err) {
		return false, err
	} else if err != nil || withFileOf(doc, last).Digest() != last.Spec.Digest {
		hash = ""
	}
	if err := t.setCurrent(ctx, last, hash); err != nil {
		return false, err
	}
	for i := range revisions {
		record.MeasureRevision(t.article, &t.article.Status, &revisions[i])
	}
	return true, nil
}

// adoptableRevisions returns the revisions of an article that have no other owner, the newest last.
func (c *Content) adoptableRevisions(ctx context.Context, a *v1alpha1.Article) ([]v1alpha1.ArticleRevision, error) {
	var list v1alpha1.ArticleRevisionList
	err := c.Live.List(ctx, &list, client.InNamespace(a.Namespace), client.MatchingFields{base.ArticleRefField: a.Name})
	if err != nil {
		return nil, fmt.Errorf("looking for kept revisions: %w", err)
	}
	found := len(list.Items)
	revisions := slices.DeleteFunc(list.Items, func(rev v1alpha1.ArticleRevision) bool { return !adoptable(&rev, a) })
	if found > 0 && len(revisions) == 0 {
		return nil, nameTaken()
	}
	slices.SortFunc(revisions, func(x, y v1alpha1.ArticleRevision) int { return int(x.Spec.Number - y.Spec.Number) })
	return revisions, nil
}

// leftBehind reports whether an earlier Article made a revision of an article without status: the revision has no owner, or was
// generated and got its owner from an adoption that was interrupted. The other revisions are texts of the author's that this Article
// took in, and that never got into status, because of a conflict or because the process ended.
func leftBehind(rev v1alpha1.ArticleRevision) bool {
	return metav1.GetControllerOf(&rev) == nil || rev.Spec.Source == v1alpha1.SourceGenerated
}
