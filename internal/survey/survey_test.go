package survey

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// cluster answers from memory. It refuses what somebody may not read who has no rights on some kinds.
type cluster struct {
	client.Reader

	articles []v1alpha1.Article
	refuses  func(obj any) bool
}

func (c *cluster) forbids(obj any) error {
	if c.refuses != nil && c.refuses(obj) {
		return apierrors.NewForbidden(schema.GroupResource{Resource: "things"}, "", nil)
	}
	return nil
}

func (c *cluster) Get(_ context.Context, _ client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	if lease, ok := obj.(*coordinationv1.Lease); ok {
		renewed := metav1.NewMicroTime(now)
		lease.Spec = coordinationv1.LeaseSpec{HolderIdentity: new("pressroom-controller-0_1"), RenewTime: &renewed, LeaseDurationSeconds: new(int32(15))}
	}
	return c.forbids(obj)
}

func (c *cluster) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	asked := client.ListOptions{}
	asked.ApplyOptions(options)
	switch list := list.(type) {
	case *appsv1.DeploymentList:
		d := appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "pressroom-controller", Labels: map[string]string{"app.kubernetes.io/component": "controller"}}}
		d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "controller", Image: "pressroom:v1.2.0"}}
		d.Status.ReadyReplicas = 1
		list.Items = append(list.Items, d)
	case *v1alpha1.ArticleList:
		for _, a := range c.articles {
			if asked.FieldSelector.String() == "status.phase="+string(a.Status.Phase) {
				list.Items = append(list.Items, a)
			}
		}
	}
	return c.forbids(list)
}

func TestHealthNeedsRightsInTheSystemNamespaceAlone(t *testing.T) {
	c := &cluster{refuses: func(obj any) bool {
		switch obj.(type) {
		case *appsv1.DeploymentList, *coordinationv1.Lease, *corev1.EventList:
			return false
		}
		return true
	}}
	s := &Survey{Client: c, System: "pressroom-system", Clock: clocktesting.NewFakePassiveClock(now)}
	if err := s.Health(t.Context()).Err(); err != nil {
		t.Error(err)
	}
	var missing []string
	for _, gap := range s.Everything(t.Context()).Unknown {
		missing = append(missing, gap.What+" "+gap.Why)
	}
	want := []string{
		"Queues of articles needs list on articles.pressroom.dev in all namespaces",
		"Queue of events needs list on eventdeliveries.pressroom.dev in all namespaces",
		"Failing sites needs list on sites.pressroom.dev in all namespaces",
	}
	if diff := cmp.Diff(want, missing); diff != "" {
		t.Error(diff)
	}
}

func TestWhatMayNotBeReadIsUnknown(t *testing.T) {
	s := &Survey{
		Client: &cluster{refuses: func(any) bool { return true }}, System: "pressroom-system", Namespace: "acme-blog",
		Clock: clocktesting.NewFakePassiveClock(now),
	}
	got := s.Everything(t.Context())
	want := []Gap{
		{What: programs, Why: "needs list on deployments.apps in pressroom-system"},
		{What: leaders, Why: "needs get on leases.coordination.k8s.io in pressroom-system"},
		{What: failingInformers, Why: "needs list on events in pressroom-system"},
		{What: articleQueues, Why: "needs list on articles.pressroom.dev in acme-blog"},
		{What: eventQueue, Why: "needs list on eventdeliveries.pressroom.dev in acme-blog"},
		{What: failingSites, Why: "needs list on sites.pressroom.dev in acme-blog"},
	}
	if diff := cmp.Diff(want, got.Unknown, cmpopts.IgnoreUnexported(Gap{})); diff != "" {
		t.Error(diff)
	}
	if got.Leader != nil || got.Err() == nil {
		t.Errorf("the leader is %v, and the error %v", got.Leader, got.Err())
	}
}

func TestOnlyWhatWaitsIsInAQueue(t *testing.T) {
	article := func(phase v1alpha1.ArticlePhase, kind, reason string) v1alpha1.Article {
		a := v1alpha1.Article{}
		a.Status.Phase = phase
		a.Status.Conditions = []metav1.Condition{{Type: kind, Status: metav1.ConditionFalse, Reason: reason}}
		return a
	}
	c := &cluster{articles: []v1alpha1.Article{
		article(v1alpha1.PhaseGenerating, v1alpha1.ConditionGenerated, v1alpha1.ReasonInsufficientCredits),
		article(v1alpha1.PhaseApproved, v1alpha1.ConditionPublished, v1alpha1.ReasonRetryScheduled),
		article(v1alpha1.PhaseApproved, v1alpha1.ConditionPublished, v1alpha1.ReasonRetryScheduled),
		article(v1alpha1.PhaseApproved, v1alpha1.ConditionPublished, v1alpha1.ReasonUnpublishing),
		// These wait for a person.
		article(v1alpha1.PhaseApproved, v1alpha1.ConditionPublished, v1alpha1.ReasonNotRequested),
		article(v1alpha1.PhaseApproved, v1alpha1.ConditionPublished, v1alpha1.ReasonUnpublished),
		article(v1alpha1.PhaseReview, v1alpha1.ConditionPublished, v1alpha1.ReasonNotApproved),
	}}
	s := &Survey{Client: c, System: "pressroom-system", Clock: clocktesting.NewFakePassiveClock(now)}
	want := []Queue{
		{"generation", v1alpha1.ReasonInsufficientCredits, 1}, {"publication", v1alpha1.ReasonRetryScheduled, 2},
		{"publication", v1alpha1.ReasonUnpublishing, 1},
	}
	if diff := cmp.Diff(want, s.Everything(t.Context()).Queues); diff != "" {
		t.Error(diff)
	}
}

func TestTheVersionOfAnImageIsItsTag(t *testing.T) {
	for image, want := range map[string]string{
		"pressroom": "latest", "pressroom:v1": "v1", "registry.example.com:5000/pressroom": "latest",
		"registry.example.com:5000/pressroom:v1": "v1", "pressroom:v1@sha256:00": "v1", "pressroom@sha256:00": "sha256:00",
	} {
		if got := tag(image); got != want {
			t.Errorf("tag(%q) = %q, want %q", image, got, want)
		}
	}
}
