package eventsubscription

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
)

// CommandInput is the input of the operations that need only the subscription, and that are done once.
type CommandInput struct {
	OnSubscription
	operation.Idempotent
	Body *operation.NoRequest
}

// TestEventStarted is the answer of test-event-subscription.
type TestEventStarted struct {
	operation.Envelope
	Nonce string `json:"nonce" doc:"Poll get-event-subscription until last_test has this nonce; its delivery_uid names the delivery."`
}

// Test has a test event sent.
var Test = operation.Operation[CommandInput, operation.Output[TestEventStarted]]{
	ID: "test-event-subscription", Method: http.MethodPost, Path: subscriptionPath + "/test", Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeWrite, Status: http.StatusAccepted, Errors: operation.EditErrors,
}

func (s *service) test(ctx context.Context, c *operation.Call, in *CommandInput) (*operation.Output[TestEventStarted], error) {
	return operation.Command[operation.Output[TestEventStarted]]{
		Operation: Test.ID, About: in.UID,
		Do: func(ctx context.Context, nonce string) (*operation.Output[TestEventStarted], error) {
			_, err := s.change(ctx, c, in.UID, func(e *v1alpha1.EventSubscription) error { return startTest(e, nonce) })
			if err != nil {
				return nil, err
			}
			return operation.Answer(TestEventStarted{Envelope: operation.Succeeded, Nonce: nonce}), nil
		},
	}.Run(ctx, c, in.Idempotent, c.Workspace)
}

// startTest gives a subscription a nonce, for which the controller sends one test event.
func startTest(e *v1alpha1.EventSubscription, nonce string) error {
	switch test := e.Status.Test; {
	case e.Annotations[v1alpha1.TestEventAnnotation] == nonce:
		return nil
	case e.Suspended():
		return problem.Conflict(problem.ReasonSuspended, "the subscription is suspended: resume it with disabled: false")
	case command.Requested(e, e.Status.HandledRequests, v1alpha1.TestEventAnnotation),
		test != nil && test.Dispatch == v1alpha1.DispatchPending:
		return problem.Conflict(problem.ReasonInProgress, "a test event is being sent already")
	}
	metav1.SetMetaDataAnnotation(&e.ObjectMeta, v1alpha1.TestEventAnnotation, nonce)
	return nil
}
