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
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// +kubebuilder:rbac:groups=pressroom.dev,resources=articlerevisions,verbs=list;patch

// adoption takes over what an earlier Article of the same name has left, before a run or a revision is made.
type adoption struct {
	*base.Base
	content    *Content
	generation *Generation
	posts      *post.Store
}

// startRun begins a new run, unless an earlier Article of the same name has left revisions, or its site has a text of it, which stays. It
// looks for those before it says that the run waits for credits, and again once there is one.
func (o *adoption) startRun(ctx context.Context, t *task) (progress, error) {
	if inLine(t.article) {
		if _, err := o.generation.precheck(ctx, t); err != nil {
			return progress{}, t.recordBlocker(err)
		}
	}
	if lifecycle.Unknown(t.article) {
		if adopted, err := o.adopt(ctx, t); adopted || err != nil {
			return progress{again: adopted}, t.recordBlocker(err)
		}
		if err := t.restorePost(ctx); err != nil || lifecycle.Published(t.article) {
			return progress{again: err == nil}, err
		}
	}
	return o.generation.start(ctx, t)
}

// adopt restores the status of an article that was restored without status, or deleted without its revisions, from the revisions that
// belong to it and have no owner. The newest is current again, and the text that its site has counts as published. adopt reports false
// if there are none, and returns a *lifecycle.BlockedError if the revisions of a deleted article of the name are still being collected.
func (o *adoption) adopt(ctx context.Context, t *task) (bool, error) {
	revisions, err := o.adoptableRevisions(ctx, t.article)
	if err != nil || !slices.ContainsFunc(revisions, leftBehind) {
		return false, err
	}
	for i := range revisions {
		if err := own(ctx, o.Base, t.article, &revisions[i]); err != nil {
			return false, err
		}
	}
	t.restored = true
	lifecycle.RestoreRevisions(t.article, revisions, o.Clock.Now())
	last := &revisions[len(revisions)-1]
	hash := lifecycle.ContentHash(t.article.Spec.Content)
	if doc, err := o.content.compose(ctx, t); err != nil && !base.IsBlocked(err) {
		return false, err
	} else if err != nil || withFileOf(doc, last).Digest() != last.Spec.Digest {
		hash = ""
	}
	if err := t.setCurrent(ctx, last, hash); err != nil {
		return false, err
	}
	for i := range revisions {
		lifecycle.MeasureRevision(t.article, &t.article.Status, &revisions[i])
	}
	return true, nil
}

// makeRevision makes the revision that the manifest asks for, unless an earlier Article of the same name has left revisions.
func (o *adoption) makeRevision(ctx context.Context, t *task) (progress, error) {
	if lifecycle.Unknown(t.article) && o.posts.Exist(ctx, t.article) {
		if p, err := o.adoptInstead(ctx, t); p.again || err != nil {
			return p, err
		}
	}
	if err := o.BindRequest(ctx, t.article); err != nil {
		errors.As(err, &t.blockers.Content)
		return progress{}, err
	}
	p, err := o.content.makeRevision(ctx, t)
	if errors.Is(err, errOwnerless) {
		return o.adoptInstead(ctx, t)
	}
	return p, err
}

// adoptInstead adopts revisions where one would be made.
func (o *adoption) adoptInstead(ctx context.Context, t *task) (progress, error) {
	adopted, err := o.adopt(ctx, t)
	errors.As(err, &t.blockers.Content)
	return progress{again: adopted}, err
}

// adoptableRevisions returns the revisions of an article that have no other owner, the newest last.
func (o *adoption) adoptableRevisions(ctx context.Context, a *v1alpha1.Article) ([]v1alpha1.ArticleRevision, error) {
	var list v1alpha1.ArticleRevisionList
	err := o.Live.List(ctx, &list, client.InNamespace(a.Namespace), client.MatchingFields{base.ArticleRefField: a.Name})
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
