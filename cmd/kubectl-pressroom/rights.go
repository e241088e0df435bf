package main

import (
	"context"
	"fmt"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// right is what a command needs to do with a resource. The name is empty if it is needed on all objects.
type right struct {
	verbs                            []string
	group, resource, namespace, name string
}

// ofArticle is a right on one article.
func (s *session) ofArticle(name string, verbs ...string) right {
	return right{verbs: verbs, group: v1alpha1.GroupVersion.Group, resource: "articles", namespace: s.namespace, name: name}
}

// explain adds to a refusal which verbs the caller lacks. Other errors stay as they are.
func (s *session) explain(ctx context.Context, err error, needed right) error {
	if !apierrors.IsForbidden(err) {
		return err
	}
	var missing []string
	for _, verb := range needed.verbs {
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Verb: verb, Group: needed.group, Resource: needed.resource, Namespace: needed.namespace, Name: needed.name,
			},
		}}
		if s.Create(ctx, review) == nil && !review.Status.Allowed {
			missing = append(missing, verb)
		}
	}
	if len(missing) == 0 {
		return err
	}
	where := "in the whole cluster"
	if needed.namespace != "" {
		where = "in the namespace " + needed.namespace
	}
	return fmt.Errorf("you lack %s on %s %s: %w", verbs(missing), needed.String(), where, err)
}

func (r right) String() string { return strings.TrimSuffix(r.resource+"."+r.group, ".") }

// verbs spells a list of verbs.
func verbs(names []string) string {
	if len(names) == 1 {
		return "the verb " + names[0]
	}
	return "the verbs " + strings.Join(names, " and ")
}

// on is a right on all objects of a kind in the namespace.
func (s *session) on(resource string, verbs ...string) right {
	return right{verbs: verbs, group: v1alpha1.GroupVersion.Group, resource: resource, namespace: s.namespace}
}
