package article

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// A scheduled text of an author counted as due since its article was created.
func TestAnArticleIsDueWhenItsNextAttemptIs(t *testing.T) {
	created := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	later := created.Add(time.Hour)
	for name, tt := range map[string]struct {
		change func(*v1alpha1.Article)
		want   time.Time
	}{
		"it is to be generated": {func(*v1alpha1.Article) {}, created},
		"a run is retried": {func(a *v1alpha1.Article) {
			a.Status.Run = &v1alpha1.GenerationRun{State: v1alpha1.RunRetryScheduled, NextAttemptTime: new(v1alpha1.NewMicroTime(later))}
		}, later},
		"its text is scheduled": {func(a *v1alpha1.Article) {
			a.Spec.PublishAfter = new(v1alpha1.NewTime(later))
			a.Status.Revision = &v1alpha1.CurrentRevision{CreationTime: v1alpha1.NewMicroTime(created)}
		}, later},
		"its delivery is retried": {func(a *v1alpha1.Article) {
			a.Status.Revision = &v1alpha1.CurrentRevision{CreationTime: v1alpha1.NewMicroTime(created)}
			a.Status.Publication = &v1alpha1.Publication{DeliveryRecord: v1alpha1.DeliveryRecord{Cycle: &v1alpha1.DeliveryCycle{
				State: v1alpha1.CycleRetryScheduled, NextAttemptTime: new(v1alpha1.NewMicroTime(later)),
			}}}
		}, later},
	} {
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{Generation: 1, CreationTimestamp: metav1.NewTime(created)}}
		tt.change(a)
		if got := dueSince(a); !got.Equal(tt.want) {
			t.Errorf("%s: it is due at %s, want %s", name, got, tt.want)
		}
	}
}
