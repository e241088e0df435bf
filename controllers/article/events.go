package article

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// announceRejection makes a Kubernetes Event if one of the recorded transitions is a rejection, because the article's author may act on
// it. The other transitions are in status only, which costs no request.
func (t *task) announceRejection(recorded []v1alpha1.ArticleTransition) {
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

// recordTransitions records the transitions of this write in status. Those that a subscription wants are dispatched after it.
func (t *task) recordTransitions(ctx context.Context) error {
	var subscriptions []v1alpha1.EventSubscription
	var failed error
	listed := false
	recorded, err := lifecycle.RecordTransitions(t.stored, t.article, t.base.Clock.Now(), func(kind v1alpha1.ArticleEventType) bool {
		if !listed {
			subscriptions, failed = t.base.Subscriptions(ctx, t.article.Namespace)
			listed = true
		}
		return slices.ContainsFunc(subscriptions, func(s v1alpha1.EventSubscription) bool {
			return lifecycle.Selects(&s, kind, t.article.Spec.SiteRef.Name)
		})
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	t.announceRejection(recorded)
	return nil
}
