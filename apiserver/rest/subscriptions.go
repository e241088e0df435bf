package rest

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
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
	Idempotent
	Body SubscribeRequest

	site *v1alpha1.Site
}

// Resolve checks what the schema cannot express.
func (in *SubscribeInput) Resolve(ctx huma.Context) []error {
	site, errs := wanted(ctx, in.Workspace, in.Body.SiteUID, in.Body.Events)
	in.site = site
	return append(errs, emptyKey(ctx)...)
}

// wanted checks which events are wanted, and returns the site that they are about.
func wanted(ctx huma.Context, workspace string, site SiteUID, events EventNames) (*v1alpha1.Site, []error) {
	found, errs := bodySite(ctx, workspace, site)
	return found, append(errs, events.check()...)
}

// check returns an error if * is not alone.
func (names EventNames) check() []error {
	if slices.Contains(names, allEvents) && len(names) > 1 {
		return []error{&huma.ErrorDetail{Location: "body.events", Message: "may not name others beside *"}}
	}
	return nil
}

// limitTo limits a subscription to the articles of a site that a request names, or to those of none if it names none.
func limitTo(s *v1alpha1.EventSubscription, named bool, site *v1alpha1.Site) error {
	switch {
	case !named:
		s.Spec.SiteRef = nil
	case site == nil:
		return problem.Invalid(unknownSite())
	default:
		s.Spec.SiteRef = &v1alpha1.LocalReference{Name: site.Name}
	}
	return nil
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
)

type (
	// SubscriptionOutput is a subscription as an answer.
	SubscriptionOutput struct{ Body EventSubscriptionAnswer }
	// SubscriptionsOutput is the answer of list-event-subscriptions.
	SubscriptionsOutput struct{ Body EventSubscriptionList }
)

// requiredOfSubscription is a field that every manifest of a subscription has.
const requiredOfSubscription = ".spec.url"

const subscriptionsPath = "/v1/api/event-subscriptions"

func (s *service) registerSubscriptions() {
	read, write := s.group(tagEvents, v1alpha1.ScopeRead), s.group(tagEvents, v1alpha1.ScopeWrite)

	op := s.operation(http.MethodGet, subscriptionsPath, "list-event-subscriptions", inWorkspace...)
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
}

func (s *service) subscriptions() subscriptions { return subscriptions{s.articles} }

func subscriptionOutput(e *v1alpha1.EventSubscription) *SubscriptionOutput {
	return &SubscriptionOutput{Body: EventSubscriptionAnswer{Envelope: succeeded, EventSubscription: presentSubscription(e)}}
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
	return subscriptionOutput(found), nil
}

func (s *service) unsubscribe(ctx context.Context, c *call, in *GetSubscriptionInput) (*DeleteOutput, error) {
	found, err := s.subscriptions().findOwn(ctx, c, in.UID, "delete")
	if err != nil {
		return nil, err
	}
	if err := s.subscriptions().remove(ctx, found); err != nil {
		return nil, err
	}
	return &DeleteOutput{}, nil
}
