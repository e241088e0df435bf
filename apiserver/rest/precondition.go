package rest

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// IfMatch is embedded in the input of every operation that changes an article.
type IfMatch struct {
	IfMatch string `header:"If-Match" maxLength:"1000" doc:"ETag of the article that you read: 412 if it has changed since." example:"\"m0Vv3JwSgRlZ5sEhQIJbzT6uaLqXG8d1fN4PyKc7W2k\""`
}

// precondition is what must hold of an article before it is changed, so that nobody overwrites what they have not seen.
type precondition struct {
	// ifMatch is the header If-Match, digest the revision_digest of the text that was read. Either may be empty.
	ifMatch, digest string
}

// check returns an error if an article, which was just read from kube-apiserver, is not as it must be.
func (s *service) check(ctx context.Context, a *v1alpha1.Article, must precondition) error {
	if must.digest != "" {
		if err := sameText(a, must.digest); err != nil {
			return err
		}
	}
	if must.ifMatch == "" {
		return nil
	}
	current, err := s.fullLive(ctx, liveItem(a, s.Clock.Now()))
	if err != nil {
		return err
	}
	if !listed(must.ifMatch, current.ETag) {
		return problem.PreconditionFailed()
	}
	return nil
}

// sameText returns a conflict if the text of an article is another than the one with this digest.
func sameText(a *v1alpha1.Article, digest string) error {
	current := a.Status.Revision
	switch {
	case edited(a):
		return problem.Conflict("the text was edited just now: read it again")
	case current == nil:
		return problem.Conflict("the article has no text with a revision_digest yet")
	case digest != current.Digest:
		return problem.Conflict("the text has changed: its revision_digest is now " + current.Digest)
	}
	return nil
}

// deleteAsRead deletes an article, which was just read from kube-apiserver, if it is as the header If-Match says.
func (s *service) deleteAsRead(ctx context.Context, a *v1alpha1.Article, ifMatch string) error {
	if err := s.check(ctx, a, precondition{ifMatch: ifMatch}); err != nil {
		return err
	}
	err := s.articles.delete(ctx, a, client.Preconditions{UID: &a.UID, ResourceVersion: &a.ResourceVersion})
	if apierrors.IsConflict(err) {
		return problem.PreconditionFailed()
	}
	return err
}
