package article

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// The cache's indexes of articles.
const (
	siteIndex    = "siteRef"
	waitingIndex = "waitingForAccount"
)

// Index makes the indexes that the watches use to find articles.
func Index(ctx context.Context, indexer client.FieldIndexer) error {
	if err := post.Index(ctx, indexer); err != nil {
		return err
	}
	if err := indexer.IndexField(ctx, &v1alpha1.Article{}, siteIndex, func(obj client.Object) []string {
		a, ok := obj.(*v1alpha1.Article)
		if !ok {
			return nil
		}
		return []string{a.Spec.SiteRef.Name}
	}); err != nil {
		return err
	}
	if err := base.IndexIf(ctx, indexer, &v1alpha1.Article{}, base.SecretIndex, waitsForSecret); err != nil {
		return err
	}
	return indexer.IndexField(ctx, &v1alpha1.Article{}, waitingIndex, func(obj client.Object) []string {
		a, ok := obj.(*v1alpha1.Article)
		switch {
		case !ok || !waitsForAccount(a):
			return nil
		case inLine(a):
			return []string{waitingAny}
		default:
			return []string{waitingAny, waitingAlone}
		}
	})
}

// The values of waitingIndex: all articles that wait for the account, and those that stand in no line (see waiting).
const (
	waitingAny   = "any"
	waitingAlone = "alone"
)

// waitsForAccount reports whether a step waits for the account or the workspace, or is suspended: accounts can be suspended too.
func waitsForAccount(a *v1alpha1.Article) bool {
	return lifecycle.Awaits(a, conditions.NeedAccount) || lifecycle.Awaits(a, conditions.NeedResume)
}

// inLine reports whether a run waits for credits or for the next day.
func inLine(a *v1alpha1.Article) bool {
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionGenerated)
	return c != nil && (c.Reason == v1alpha1.ReasonInsufficientCredits || c.Reason == v1alpha1.ReasonDailyLimitReached)
}

// waitsForSecret reports whether a run or an attempt to publish waits for a Secret.
func waitsForSecret(a *v1alpha1.Article) bool { return lifecycle.Awaits(a, conditions.NeedSecret) }
