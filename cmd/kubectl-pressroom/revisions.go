package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// family is an article with what has come of it.
type family struct {
	article *v1alpha1.Article
	// revisions that are kept, and events, oldest first.
	revisions []v1alpha1.ArticleRevision
	events    []v1alpha1.EventDelivery
}

// texts reads an article with its revisions.
func (s *session) texts(ctx context.Context, name string) (*family, error) {
	a, err := s.article(ctx, name)
	if err != nil {
		return nil, err
	}
	var list v1alpha1.ArticleRevisionList
	err = s.List(ctx, &list, client.InNamespace(s.namespace), client.MatchingFields{"spec.articleRef.name": a.Name})
	if err != nil {
		return nil, err
	}
	// Those of a deleted article with the same name may not have been collected yet.
	owned := slices.DeleteFunc(list.Items, func(r v1alpha1.ArticleRevision) bool { return !metav1.IsControlledBy(&r, a) })
	slices.SortFunc(owned, func(x, y v1alpha1.ArticleRevision) int { return cmp.Compare(x.Spec.Number, y.Spec.Number) })
	return &family{article: a, revisions: owned}, nil
}

func (f *family) current() (*v1alpha1.ArticleRevision, error) {
	named := f.article.Status.Revision
	if named == nil {
		name := f.article.Name
		return nil, fmt.Errorf("article %s has no text yet: kubectl describe article %s says what it waits for", name, name)
	}
	r, err := f.numbered(named.Number)
	if err == nil && r.Spec.Digest != named.Digest {
		return nil, fmt.Errorf("revision %s has been replaced: its digest is %s, and the article's is %s",
			r.Name, r.Spec.Digest, named.Digest)
	}
	return r, err
}

func (f *family) numbered(number int32) (*v1alpha1.ArticleRevision, error) {
	for i := range f.revisions {
		if f.revisions[i].Spec.Number == number {
			return &f.revisions[i], nil
		}
	}
	return nil, fmt.Errorf("article %s has no revision %d, but %s", f.article.Name, number, f.numbers())
}

func (f *family) numbers() string {
	all := make([]int32, 0, len(f.revisions))
	for i := range f.revisions {
		all = append(all, f.revisions[i].Spec.Number)
	}
	return fmt.Sprint(all)
}

// document returns the text of a revision. It returns an error if the digest is not the digest of the text: the revision has been tampered
// with, and a decision would be about another text than the one shown.
func document(r *v1alpha1.ArticleRevision) (content.Document, error) {
	doc := revision.Document(r)
	if digest := doc.Digest(); digest != r.Spec.Digest {
		return doc, fmt.Errorf("revision %s says that its digest is %s, but that of its text is %s: do not decide on it",
			r.Name, r.Spec.Digest, digest)
	}
	return doc, nil
}
