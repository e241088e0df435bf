package rest

import (
	"context"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// articles reads and writes Articles and their revisions without a cache. Each request is bounded in time.
type articles struct {
	client  client.Client
	timeout time.Duration
}

// get reads an article from kube-apiserver.
func (s *articles) get(ctx context.Context, key client.ObjectKey) (*v1alpha1.Article, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	a := &v1alpha1.Article{}
	if err := s.client.Get(ctx, key, a); err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	return a, nil
}

// revision reads a revision from kube-apiserver.
func (s *articles) revision(ctx context.Context, key client.ObjectKey) (*v1alpha1.ArticleRevision, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	r := &v1alpha1.ArticleRevision{}
	if err := s.client.Get(ctx, key, r); err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	return r, nil
}

// create creates an article. The manager pressroom-apiserver owns its fields until an edit takes them over.
func (s *articles) create(ctx context.Context, a *v1alpha1.Article) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return problem.MarkUnreachable(s.client.Create(ctx, a, client.FieldOwner(managerCreate)))
}

// delete deletes an article with everything that it owns, and no later one of the same name. Options can demand more of it.
func (s *articles) delete(ctx context.Context, a *v1alpha1.Article, options ...client.DeleteOption) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	same := []client.DeleteOption{client.Preconditions{UID: &a.UID}, client.PropagationPolicy(metav1.DeletePropagationBackground)}
	return problem.MarkUnreachable(s.client.Delete(ctx, a, slices.Concat(same, options)...))
}
