package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// SubscribeRequest is a new event subscription.
type SubscribeRequest struct {
	URL     string     `json:"url" minLength:"1" maxLength:"2048" doc:"On a public address." example:"https://example.com/hook"`
	Events  EventNames `json:"events"`
	SiteUID SiteUID    `json:"site_uid,omitempty" doc:"Only articles of this site."`
}

// SubscribeInput is the input of create-event-subscription.
type SubscribeInput struct {
	InWorkspace
	Body SubscribeRequest

	site *v1alpha1.Site
}

// Resolve checks what the schema cannot express.
func (in *SubscribeInput) Resolve(ctx huma.Context) []error {
	site, errs := bodySite(ctx, in.Workspace, in.Body.SiteUID)
	in.site = site
	return append(errs, in.Body.Events.check()...)
}

// OnSubscription is embedded in the input of every operation on one subscription.
type OnSubscription struct {
	InWorkspace
	UID string `path:"uid" doc:"The subscription's uid."`
}

type (
	// ListSubscriptionsInput is the input of list-event-subscriptions.
	ListSubscriptionsInput struct{ InWorkspace }
	// GetSubscriptionInput is the input of get-event-subscription and delete-event-subscription.
	GetSubscriptionInput struct{ OnSubscription }
	// RotateInput is the input of rotate-event-secret.
	RotateInput struct {
		OnSubscription
		Body *NoRequest
	}
)

type (
	// SubscriptionOutput is a subscription as an answer.
	SubscriptionOutput struct{ Body EventSubscriptionAnswer }
	// SecretOutput is a subscription with its new secret as an answer.
	SecretOutput struct{ Body EventSecretAnswer }
	// SubscriptionsOutput is the answer of list-event-subscriptions.
	SubscriptionsOutput struct{ Body EventSubscriptionList }
)

// requiredOfSubscription is a field that every manifest of a subscription has.
const requiredOfSubscription = ".spec.url"

const subscriptionsPath = "/v1/api/event-subscriptions"

func (s *service) registerSubscriptions() {
	read, write := s.group(tagEvents, v1alpha1.ScopeRead), s.group(tagEvents, v1alpha1.ScopeWrite)

	op := s.operation(http.MethodPost, subscriptionsPath, "create-event-subscription", creating...)
	op.Summary = "Subscribe to events"
	op.Description = "Has events sent to a URL, signed as Standard Webhooks says. Only this answer shows the signing secret."
	op.DefaultStatus = http.StatusCreated
	handle(write, op, s.subscribe)

	op = s.operation(http.MethodGet, subscriptionsPath, "list-event-subscriptions", inWorkspace...)
	op.Summary = "List event subscriptions"
	op.Description = "The subscriptions of a workspace, newest first."
	handle(read, op, s.listSubscriptions)

	op = s.operation(http.MethodGet, subscriptionsPath+"/{uid}", "get-event-subscription", inWorkspace...)
	op.Summary = "Get an event subscription"
	op.Description = "Says whether events reach the receiver."
	handle(read, op, s.getSubscription)

	op = s.operation(http.MethodDelete, subscriptionsPath+"/{uid}", "delete-event-subscription", deleting...)
	op.Summary = "Delete an event subscription"
	op.Description = "Deletes it with its secrets and with the deliveries that have not ended."
	op.DefaultStatus = http.StatusNoContent
	handle(write, op, s.unsubscribe)

	op = s.operation(http.MethodPost, subscriptionsPath+"/{uid}/rotate-secret", "rotate-event-secret", creating...)
	op.Summary = "Rotate a signing secret"
	op.Description = "Makes a new secret, shown in this answer only. " +
		"Until the next rotation requests also carry a signature by the previous one."
	handle(write, op, s.rotateSecret)
}

func (s *service) subscriptions() subscriptions { return subscriptions{s.articles} }

func (s *service) subscribe(ctx context.Context, c *call, in *SubscribeInput) (*SecretOutput, error) {
	name, err := identity.NewName()
	if err != nil {
		return nil, err
	}
	subscription := &v1alpha1.EventSubscription{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.workspace, Name: name}, Spec: v1alpha1.EventSubscriptionSpec{URL: in.Body.URL},
	}
	mark(subscription, c.principal)
	subscription.Spec.Events = selectorsOf(in.Body.Events)
	if in.Body.SiteUID != "" {
		if in.site == nil {
			return nil, problem.Invalid(unknownSite())
		}
		subscription.Spec.SiteRef = &v1alpha1.LocalReference{Name: in.site.Name}
	}
	if err := s.roomForSubscription(ctx, c); err != nil {
		return nil, err
	}
	secret, err := s.subscriptions().create(ctx, subscription)
	if err != nil {
		return nil, creationProblem(err)
	}
	return &SecretOutput{Body: EventSecretAnswer{
		Envelope: succeeded, EventSubscription: presentSubscription(subscription), Secret: secret,
	}}, nil
}

func (s *service) listSubscriptions(ctx context.Context, c *call, _ *ListSubscriptionsInput) (*SubscriptionsOutput, error) {
	all, err := s.subscriptions().list(ctx, c.workspace)
	if err != nil {
		return nil, err
	}
	newestFirst(all, func(e v1alpha1.EventSubscription) (time.Time, string) { return e.CreationTimestamp.Time, e.Name })
	out := &SubscriptionsOutput{Body: EventSubscriptionList{Envelope: succeeded, Data: []EventSubscription{}}}
	for i := range all {
		out.Body.Data = append(out.Body.Data, presentSubscription(&all[i]))
	}
	return out, nil
}

func (s *service) getSubscription(ctx context.Context, c *call, in *GetSubscriptionInput) (*SubscriptionOutput, error) {
	found, err := s.subscriptions().find(ctx, c.workspace, in.UID)
	if err != nil {
		return nil, err
	}
	return &SubscriptionOutput{Body: EventSubscriptionAnswer{Envelope: succeeded, EventSubscription: presentSubscription(found)}}, nil
}

func (s *service) unsubscribe(ctx context.Context, c *call, in *GetSubscriptionInput) (*DeleteOutput, error) {
	found, err := s.subscriptions().find(ctx, c.workspace, in.UID)
	if err != nil {
		return nil, err
	}
	if err := kept(found.ManagedFields, requiredOfSubscription, "delete"); err != nil {
		return nil, err
	}
	if err := s.subscriptions().remove(ctx, found); err != nil {
		return nil, err
	}
	return &DeleteOutput{}, nil
}

func (s *service) rotateSecret(ctx context.Context, c *call, in *RotateInput) (*SecretOutput, error) {
	found, err := s.subscriptions().find(ctx, c.workspace, in.UID)
	if err != nil {
		return nil, err
	}
	if err := kept(found.ManagedFields, requiredOfSubscription, "rotate the secret of"); err != nil {
		return nil, err
	}
	secret, err := s.subscriptions().rotate(ctx, found)
	if err != nil {
		return nil, err
	}
	return &SecretOutput{Body: EventSecretAnswer{Envelope: succeeded, EventSubscription: presentSubscription(found), Secret: secret}}, nil
}
