package base_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/fairqueue"
)

// A controller that starts had reconciled all published articles before the ones that were due.
func TestWhatIsUnfinishedComesFirstWhenAControllerStarts(t *testing.T) {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[ctrl.Request](time.Hour, time.Hour)
	queue := fairqueue.New(func(string) string { return "acme" })(t.Name(), limiter)
	t.Cleanup(queue.ShutDown)
	article := func(name string, phase v1alpha1.ArticlePhase) *v1alpha1.Article {
		return &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: name}, Status: v1alpha1.ArticleStatus{Phase: phase}}
	}
	first := base.First(func(a *v1alpha1.Article) bool { return a.Status.Phase == v1alpha1.PhaseScheduled })
	for _, e := range []event.CreateEvent{
		{Object: article("published", v1alpha1.PhasePublished), IsInInitialList: true},
		{Object: article("created-since", v1alpha1.PhaseScheduled)},
		{Object: article("due", v1alpha1.PhaseScheduled), IsInInitialList: true},
	} {
		(&handler.EnqueueRequestForObject{}).Create(t.Context(), e, queue)
		first.Create(t.Context(), e, queue)
	}
	for _, want := range []string{"due", "published", "created-since"} {
		if got, _ := queue.Get(); got.Name != want {
			t.Errorf("%s comes, want %s", got.Name, want)
		}
	}
}
