package controllers

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// noteRejection makes a Kubernetes Event of a rejection among the transitions that the next write records: the article's author may act
// on it. All transitions are in status, which costs no request.
func (t *task) noteRejection(recorded []v1alpha1.ArticleTransition) {
	isRejection := func(happened v1alpha1.ArticleTransition) bool { return happened.Type == v1alpha1.EventRejected }
	c := meta.FindStatusCondition(t.article.Status.Conditions, v1alpha1.ConditionApproved)
	if c == nil || !slices.ContainsFunc(recorded, isRejection) {
		return
	}
	t.afterSave = append(t.afterSave, func(context.Context) error {
		t.event(corev1.EventTypeNormal, v1alpha1.ReasonRejected, "Review", c.Message)
		return nil
	})
}
