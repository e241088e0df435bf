package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// noteRejection makes a Kubernetes Event of a rejection that the next write records: its author may act on it. The whole story of an
// article is in its status, which costs no request.
func (t *task) noteRejection() {
	const reason = v1alpha1.ReasonRejected
	old := meta.FindStatusCondition(t.stored.Status.Conditions, v1alpha1.ConditionApproved)
	c := meta.FindStatusCondition(t.article.Status.Conditions, v1alpha1.ConditionApproved)
	if c == nil || c.Reason != reason || old != nil && old.Reason == reason {
		return
	}
	t.afterSave = append(t.afterSave, func(context.Context) error {
		t.event(corev1.EventTypeNormal, reason, "Review", c.Message)
		return nil
	})
}
