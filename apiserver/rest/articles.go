package rest

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// articles reads and writes Articles and their revisions on the API server. Each call is bounded in time.
type articles struct {
	client  client.Client
	timeout time.Duration
}

// get reads an article from the API server.
func (s *articles) get(ctx context.Context, key client.ObjectKey) (*v1alpha1.Article, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	a := &v1alpha1.Article{}
	if err := s.client.Get(ctx, key, a); err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	return a, nil
}

// revision reads a revision from the API server.
func (s *articles) revision(ctx context.Context, key client.ObjectKey) (*v1alpha1.ArticleRevision, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	r := &v1alpha1.ArticleRevision{}
	if err := s.client.Get(ctx, key, r); err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	return r, nil
}

// create makes an article. Its fields belong to the manager pressroom-api until an edit takes them over.
func (s *articles) create(ctx context.Context, a *v1alpha1.Article) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return problem.MarkUnreachable(s.client.Create(ctx, a, client.FieldOwner(managerCreate)))
}

// delete removes an article with everything that belongs to it.
func (s *articles) delete(ctx context.Context, key client.ObjectKey) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
	return problem.MarkUnreachable(s.client.Delete(ctx, a, client.PropagationPolicy(metav1.DeletePropagationBackground)))
}
