package base_test

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/fairqueue"
)

// A controller that starts had reconciled all published articles before the ones that were due, and these in no order: the first that was
// due could come last.
func TestWhatHasBeenDueLongestComesFirstWhenAControllerStarts(t *testing.T) {
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[ctrl.Request](time.Hour, time.Hour)
	queue := fairqueue.New(func(string) string { return "acme" })(t.Name(), limiter)
	t.Cleanup(queue.ShutDown)
	scheduled := map[string]string{"state": "scheduled"}
	nine := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	article := func(name string, labels map[string]string, at time.Time) client.Object {
		return &v1alpha1.Article{
			ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: name, Labels: labels},
			Spec:       v1alpha1.ArticleSpec{PublishAfter: new(v1alpha1.NewTime(at))},
		}
	}
	objects := []client.Object{
		article("a-published-one", nil, nine),
		article("b-due-third", scheduled, nine.Add(2*time.Minute)),
		article("c-due-first", scheduled, nine),
		article("d-due-second", scheduled, nine.Add(time.Minute)),
	}
	for _, o := range objects {
		(&handler.EnqueueRequestForObject{}).Create(t.Context(), event.CreateEvent{Object: o, IsInInitialList: true}, queue)
	}
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).Build()
	first := base.DueFirst(c, &v1alpha1.ArticleList{}, func(a *v1alpha1.Article) time.Time { return a.Spec.PublishAfter.Time },
		client.MatchingLabels(scheduled))
	if err := first.Start(t.Context(), queue); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"c-due-first", "d-due-second", "b-due-third", "a-published-one"} {
		if got, _ := queue.Get(); got.Name != want {
			t.Errorf("%s comes, want %s", got.Name, want)
		}
	}
}
