package rest

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
)

// EditSubscriptionRequest changes the fields that it names and leaves the others as they are.
type EditSubscriptionRequest struct {
	URL     *string    `json:"url,omitempty" minLength:"1" maxLength:"2048" doc:"On a public address." example:"https://example.com/hook"`
	Events  EventNames `json:"events,omitempty"`
	SiteUID *string    `json:"site_uid,omitempty" maxLength:"36" doc:"Only articles of this site; empty for all of the workspace."`
}

// EditSubscriptionInput is the input of edit-event-subscription.
type EditSubscriptionInput struct {
	OnSubscription
	Body EditSubscriptionRequest

	site *v1alpha1.Site
}

// Resolve checks what the schema cannot express.
func (in *EditSubscriptionInput) Resolve(ctx huma.Context) []error {
	var errs []error
	in.site, errs = wanted(ctx, in.Workspace, SiteUID(ptr.Deref(in.Body.SiteUID, "")), in.Body.Events)
	return errs
}

type (
	// SubscriptionCommandInput is the input of resume-event-subscription and test-event-subscription.
	SubscriptionCommandInput struct {
		OnSubscription
		Body *NoRequest
	}
	// TestEventOutput is the answer of test-event-subscription.
	TestEventOutput struct{ Body TestEventStarted }
)

// TestEventStarted is the answer of test-event-subscription.
type TestEventStarted struct {
	Envelope
	Nonce string `json:"nonce" doc:"Poll get-event-subscription until last_test has this nonce; its delivery_uid names the delivery."`
}

func (s *service) registerSubscriptionEdits() {
	g := s.group(tagEvents, v1alpha1.ScopeWrite)
	op := s.operation(http.MethodPatch, subscriptionsPath+"/{uid}", "edit-event-subscription", editing...)
	op.Summary = "Edit an event subscription"
	op.Description = "Changes where and which events are sent. A change resumes a suspended subscription. " +
		"Events that wait go to the new URL."
	handle(g, op, s.editSubscription)

	op = s.operation(http.MethodPost, subscriptionsPath+"/{uid}/resume", "resume-event-subscription", editing...)
	op.Summary = "Resume an event subscription"
	op.Description = "Has the events sent that wait since the subscription was suspended. It changes nothing of one that is not " +
		"suspended. 409 if `suspend` is true."
	handle(g, op, s.resumeSubscription)

	op = s.operation(http.MethodPost, subscriptionsPath+"/{uid}/test", "test-event-subscription", editing...)
	op.Summary = "Test an event subscription"
	op.Description = "Sends the event `subscription.test`, signed and retried like any other. The answer does not wait for it."
	op.DefaultStatus = http.StatusAccepted
	handle(g, op, s.testSubscription)
}

func (s *service) editSubscription(ctx context.Context, c *call, in *EditSubscriptionInput) (*SubscriptionOutput, error) {
	found, err := s.subscriptions().find(ctx, c.workspace, in.UID)
	if err != nil {
		return nil, err
	}
	old := found.DeepCopy()
	if in.Body.URL != nil {
		found.Spec.URL = *in.Body.URL
	}
	if len(in.Body.Events) > 0 {
		found.Spec.Events = selectorsOf(in.Body.Events)
	}
	if in.Body.SiteUID != nil {
		if err := limitTo(found, *in.Body.SiteUID != "", in.site); err != nil {
			return nil, err
		}
	}
	if !equality.Semantic.DeepEqual(old.Spec, found.Spec) {
		if err := kept(found.ManagedFields, requiredOfSubscription, "change"); err != nil {
			return nil, err
		}
		if err := s.subscriptions().patch(ctx, old, found); err != nil {
			return nil, err
		}
	}
	return subscriptionOutput(found), nil
}

func (s *service) resumeSubscription(ctx context.Context, c *call, in *SubscriptionCommandInput) (*SubscriptionOutput, error) {
	found, err := s.subscriptions().find(ctx, c.workspace, in.UID)
	if err != nil {
		return nil, err
	}
	if found.Spec.Suspend {
		return nil, problem.Conflict("spec.suspend of the subscription is true: set it to false with kubectl, or in the manifest")
	}
	if found.Status.Suspension != nil {
		if _, err := s.subscriptions().command(ctx, found, v1alpha1.ResumeAnnotation); err != nil {
			return nil, problem.WithResource(subjectSubscription, err)
		}
	}
	return subscriptionOutput(found), nil
}

func (s *service) testSubscription(ctx context.Context, c *call, in *SubscriptionCommandInput) (*TestEventOutput, error) {
	found, err := s.subscriptions().find(ctx, c.workspace, in.UID)
	if err != nil {
		return nil, err
	}
	asked, test := attempts.Asked(found, found.Status.HandledRequests, v1alpha1.TestEventAnnotation), found.Status.Test
	switch {
	case found.Suspended():
		return nil, problem.Conflict("the subscription is suspended: resume it")
	case asked, test != nil && test.Dispatch == v1alpha1.DispatchPending:
		return nil, problem.Conflict("a test event is being sent already")
	}
	nonce, err := s.subscriptions().command(ctx, found, v1alpha1.TestEventAnnotation)
	if err != nil {
		return nil, problem.WithResource(subjectSubscription, err)
	}
	return &TestEventOutput{Body: TestEventStarted{Envelope: succeeded, Nonce: nonce}}, nil
}
