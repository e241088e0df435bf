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
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// revisionHistoryLimit is how many revisions are kept beside the current one. A published article makes no more, so its
// published revision is the current one.
const revisionHistoryLimit = 2

// errNameTaken says that a deleted article of the same name has left a revision that is still being collected.
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

// revision reads one of the article's own revisions; nil where there is none of this name.
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

// setCurrent makes a revision the current one in status.
func (b *Base) setCurrent(a *v1alpha1.Article, rev *v1alpha1.ArticleRevision, contentHash string) {
	a.Status.LastRevisionNumber = max(a.Status.LastRevisionNumber, rev.Spec.Number)
	a.Status.Revision = &v1alpha1.CurrentRevision{
		Name: rev.Name, Number: rev.Spec.Number, Digest: rev.Spec.Digest, ContentHash: contentHash,
		Title: rev.Spec.Title, Source: rev.Spec.Source, SEOScore: rev.Spec.Scores.SEOScore, CreatedAt: b.now(),
	}
}

// takeIn makes the revision current, claims the slug and writes both. Revisions that history no longer keeps are deleted.
func (b *Base) takeIn(ctx context.Context, slugs *Slugs, article *v1alpha1.Article, site *v1alpha1.Site,
	rev *v1alpha1.ArticleRevision, contentHash string, also func(*v1alpha1.Article)) error {
	old := article.DeepCopy()
	b.setCurrent(article, rev, contentHash)
	if also != nil {
		also(article)
	}
	doc := content.Document{Slug: rev.Spec.Slug, Title: rev.Spec.Title, Language: rev.Spec.Language}
	err := slugs.Claim(ctx, article, doc, func() error {
		return b.save(ctx, old, article, site, lifecycle.Obstacles{})
	})
	if err != nil {
		return err
	}
	return b.prune(ctx, old, article)
}

// prune deletes the revisions that have just fallen out of the history.
func (b *Base) prune(ctx context.Context, old, article *v1alpha1.Article) error {
	if old.Status.Revision == nil {
		return nil
	}
	keepFrom := article.Status.Revision.Number - revisionHistoryLimit
	for n := max(old.Status.Revision.Number-revisionHistoryLimit, 1); n < keepFrom; n++ {
		rev := &v1alpha1.ArticleRevision{ObjectMeta: metav1.ObjectMeta{Namespace: article.Namespace, Name: revisionName(article, n)}}
		if err := client.IgnoreNotFound(b.Client.Delete(ctx, rev)); err != nil {
			return fmt.Errorf("deleting revision %s: %w", rev.Name, err)
		}
	}
	return nil
}

// document reads the current revision's document; an empty one in the site's language where there is none.
func (b *Base) document(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) (content.Document, error) {
	if a.Status.Revision == nil {
		return content.Document{Language: language(site)}, nil
	}
	rev, err := b.revision(ctx, a, a.Status.Revision.Name)
	if err != nil {
		return content.Document{}, err
	}
	if rev == nil {
		return content.Document{Language: language(site)}, nil
	}
	return revision.Document(rev)
}

// language of a site's texts.
func language(site *v1alpha1.Site) string {
	if l := site.Spec.BrandVoice.Language; l != "" {
		return l
	}
	return "en"
}
