package subscription

import (
	"context"
	"strconv"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

type (
	// DeleteSubscriptionInput is the input of delete-event-subscription.
	DeleteSubscriptionInput struct {
		OnSubscription
		operation.IfMatch
	}
)

type (
	// SubscriptionOutput is a subscription as an answer.
	SubscriptionOutput struct {
		ETag string `header:"ETag" doc:"Names this state of the subscription, for If-Match."`
		Body EventSubscriptionAnswer
	}
)

// answer returns a subscription as an answer, with its entity tag.
func answer(e *v1alpha1.EventSubscription) (*SubscriptionOutput, error) {
	out := EventSubscriptionAnswer{Envelope: operation.Succeeded, EventSubscription: presentSubscription(e)}
	tag, err := operation.Tag(writtenTag(e), out)
	return &SubscriptionOutput{ETag: tag, Body: out}, err
}

// writtenTag identifies what people have written of a subscription.
func writtenTag(e *v1alpha1.EventSubscription) string { return strconv.FormatInt(e.Generation, 10) }

func (s *service) listSubscriptions(
	ctx context.Context, c *operation.Call, _ *operation.InWorkspace,
) (*operation.Output[EventSubscriptionList], error) {
	all, err := s.list(ctx, c)
	if err != nil {
		return nil, err
	}
	operation.NewestFirst(all, func(e v1alpha1.EventSubscription) (time.Time, string) { return e.CreationTimestamp.Time, e.Name })
	out := operation.Answer(EventSubscriptionList{Envelope: operation.Succeeded, Data: []EventSubscription{}})
	for i := range all {
		out.Body.Data = append(out.Body.Data, presentSubscription(&all[i]))
	}
	return out, nil
}

func (s *service) get(ctx context.Context, c *operation.Call, in *OnSubscription) (*SubscriptionOutput, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	return answer(found)
}

// required is a field that every manifest of a subscription has.
const required = ".spec.url"

func (s *service) delete(ctx context.Context, c *operation.Call, in *DeleteSubscriptionInput) (*operation.DeleteOutput, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	if err := in.IfMatch.Check(writtenTag(found)); err != nil {
		return nil, err
	}
	if err := kube.RefuseDelete(found, required); err != nil {
		return nil, err
	}
	return &operation.DeleteOutput{}, s.remove(ctx, found)
}

// remove deletes a subscription. Its Secrets, which it owns, are deleted with it.
func (s *service) remove(ctx context.Context, found *v1alpha1.EventSubscription) error {
	return s.Client.Delete(ctx, found, client.PropagationPolicy("Background"), client.Preconditions{UID: &found.UID})
}
