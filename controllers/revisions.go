package controllers

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// errNameTaken means that the revision of a deleted article of the same name has not been garbage-collected yet.
var errNameTaken = errors.New("the revision's name is still taken by a deleted article of the same name")

// revisionName names the article's revision of a number.
func revisionName(a *v1alpha1.Article, number int64) string {
	return identity.RevisionName(a.Name, identity.UID(identity.KindArticle, a.Namespace, a.Name), number)
}

// createRevision creates a revision, or returns the one that an interrupted reconcile has already made.
func (b *Base) createRevision(ctx context.Context, a *v1alpha1.Article, rev *v1alpha1.ArticleRevision) (*v1alpha1.ArticleRevision, error) {
	ctx, span := revisionSpan(ctx, a, rev.Name)
	defer span.End()
	err := b.Client.Create(ctx, rev)
	if err == nil {
		return rev, nil
	}
	if !apierrors.IsAlreadyExists(err) {
		return nil, fmt.Errorf("creating revision %s: %w", rev.Name, err)
	}
	existing, err := b.revision(ctx, a, rev.Name)
	if err != nil {
		return nil, err
	}
	if existing == nil {
		return nil, errNameTaken
	}
	return existing, nil
}

// revision reads one of the article's own revisions; nil if there is none of this name.
func (b *Base) revision(ctx context.Context, a *v1alpha1.Article, name string) (*v1alpha1.ArticleRevision, error) {
	rev := &v1alpha1.ArticleRevision{}
	if err := b.Live.Get(ctx, types.NamespacedName{Namespace: a.Namespace, Name: name}, rev); err != nil {
		if apierrors.IsNotFound(err) {
			return nil, nil
		}
		return nil, fmt.Errorf("reading revision %s: %w", name, err)
	}
	if !metav1.IsControlledBy(rev, a) {
		return nil, nil
	}
	return rev, nil
}

// prune deletes revisions of the article. Those that are gone already count as deleted.
func (b *Base) prune(ctx context.Context, a *v1alpha1.Article, numbers []int64) error {
	for _, n := range numbers {
		rev := &v1alpha1.ArticleRevision{ObjectMeta: metav1.ObjectMeta{Namespace: a.Namespace, Name: revisionName(a, n)}}
		if err := client.IgnoreNotFound(b.Client.Delete(ctx, rev)); err != nil {
			return fmt.Errorf("deleting revision %s: %w", rev.Name, err)
		}
	}
	return nil
}
