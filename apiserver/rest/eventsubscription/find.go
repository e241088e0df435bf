package eventsubscription

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// OnSubscription is embedded in the input of every operation on one subscription.
type OnSubscription struct {
	operation.InWorkspace
	UID string `path:"uid" doc:"The subscription's uid."`
}

// subject is what answers call a subscription.
const subject = "event subscription"

// list returns the subscriptions of the workspace that the credential may see.
func (s *service) list(ctx context.Context, c *operation.Call) ([]v1alpha1.EventSubscription, error) {
	var list v1alpha1.EventSubscriptionList
	if err := s.Client.List(ctx, &list, client.InNamespace(c.Workspace)); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list.Items, func(one v1alpha1.EventSubscription) bool { return !sees(c, &one) }), nil
}

// find returns the subscription with this uid: usually its name, else one whose name kubectl gave.
func (s *service) find(ctx context.Context, c *operation.Call, uid string) (*v1alpha1.EventSubscription, error) {
	if !identity.IsUID(uid) {
		return nil, problem.NotFound(subject)
	}
	found, err := s.named(ctx, c, uid)
	if !apierrors.IsNotFound(err) {
		return found, err
	}
	all, err := s.list(ctx, c)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if identity.UID(identity.KindEventSubscription, c.Workspace, all[i].Name) == uid {
			return &all[i], nil
		}
	}
	return nil, problem.NotFound(subject)
}

func (s *service) named(ctx context.Context, c *operation.Call, name string) (*v1alpha1.EventSubscription, error) {
	found := &v1alpha1.EventSubscription{}
	if err := s.Client.Get(ctx, client.ObjectKey{Namespace: c.Workspace, Name: name}, found); err != nil {
		return nil, err
	}
	if !sees(c, found) {
		return nil, problem.NotFound(subject)
	}
	return found, nil
}

// change changes the subscription with this uid, and returns it as it is then.
func (s *service) change(
	ctx context.Context, c *operation.Call, uid string, change func(*v1alpha1.EventSubscription) error,
) (*v1alpha1.EventSubscription, error) {
	found, err := s.find(ctx, c, uid)
	if err != nil {
		return nil, err
	}
	return kube.Change(ctx, s.Client, client.ObjectKeyFromObject(found), change)
}

// sees reports whether a credential may see a subscription. A client sees those that it has made itself: the URLs of others can be
// secrets.
func sees(c *operation.Call, s *v1alpha1.EventSubscription) bool {
	return c.Principal.Client == "" || s.Labels[v1alpha1.ClientLabel] == c.Principal.Client
}
