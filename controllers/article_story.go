package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// noteDecisions makes Kubernetes Events, once status is written, of what a reviewer has decided and of the publication: with those of runs
// and deliveries they are the story that `kubectl describe` tells. What the site's policy approves is no decision.
func (t *task) noteDecisions() {
	for _, happened := range lifecycle.Happened(t.stored, t.article, t.base.Clock.Now()) {
		switch happened {
		case v1alpha1.EventApproved, v1alpha1.EventRejected:
			c := meta.FindStatusCondition(t.article.Status.Conditions, v1alpha1.ConditionApproved)
			if c.Reason != v1alpha1.ReasonAutomatic {
				t.noteAfterSave(c.Reason, "Review", c.Message)
			}
		case v1alpha1.EventPublished:
			c := meta.FindStatusCondition(t.article.Status.Conditions, v1alpha1.ConditionPublished)
			t.noteAfterSave(v1alpha1.ConditionPublished, "Publish", c.Message)
		}
	}
}

func (t *task) noteAfterSave(reason, action, note string) {
	t.afterSave = append(t.afterSave, func(context.Context) error {
		t.event(corev1.EventTypeNormal, reason, action, note)
		return nil
	})
}
