package article

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
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

// appendEvents puts the events of this write into the article's outbox, if a subscription wants them.
func appendEvents(ctx context.Context, b *base.Base, old, a *v1alpha1.Article) error {
	var subscriptions []v1alpha1.EventSubscription
	var failed error
	listed := false
	err := lifecycle.AppendEvents(old, a, b.Clock.Now(), func(t v1alpha1.ArticleEventType) bool {
		if !listed {
			subscriptions, failed = b.Subscriptions(ctx, a.Namespace)
			listed = true
		}
		for i := range subscriptions {
			if lifecycle.Selects(&subscriptions[i], t, a.Spec.SiteRef.Name) {
				return true
			}
		}
		return false
	})
	if failed != nil {
		return failed
	}
	return err
}
