package lifecycle_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

func TestWhatSuspends(t *testing.T) {
	restored := metav1.ObjectMeta{UID: "new", Annotations: map[string]string{v1alpha1.UIDAnnotation: "old"}}
	seen := metav1.ObjectMeta{UID: "new", Annotations: map[string]string{v1alpha1.UIDAnnotation: "new"}}
	for name, tt := range map[string]struct {
		site         v1alpha1.Site
		account      v1alpha1.Account
		installation bool
		want         bool
	}{
		"nothing":          {},
		"a site as it was": {site: v1alpha1.Site{ObjectMeta: seen}},
		"the site":         {site: v1alpha1.Site{Spec: v1alpha1.SiteSpec{Suspend: true}}, want: true},
		"a restored site":  {site: v1alpha1.Site{ObjectMeta: restored}, want: true},
		"a restored site that somebody confirmed": {
			site: v1alpha1.Site{ObjectMeta: restored, Status: v1alpha1.SiteStatus{ConfirmedUID: "new"}},
		},
		"a confirmed site that was restored again": {
			site: v1alpha1.Site{ObjectMeta: restored, Status: v1alpha1.SiteStatus{ConfirmedUID: "older"}}, want: true,
		},
		"the account":          {account: v1alpha1.Account{Spec: v1alpha1.AccountSpec{Suspend: true}}, want: true},
		"a restored account":   {account: v1alpha1.Account{ObjectMeta: restored}},
		"the installation":     {installation: true, want: true},
		"all of them together": {site: v1alpha1.Site{ObjectMeta: restored}, installation: true, want: true},
	} {
		got := lifecycle.Suspension(&tt.site, &tt.account, tt.installation)
		if (got != nil) != tt.want {
			t.Errorf("%s: %v, want a suspension: %t", name, got, tt.want)
		}
		if got != nil && got.Reason != v1alpha1.ReasonSuspended {
			t.Errorf("%s: the reason is %s", name, got.Reason)
		}
	}
}

// A tool that waits for what it has applied must not wait for the end of a suspension.
func TestASuspendedArticleIsReady(t *testing.T) {
	suspension := lifecycle.Suspension(nil, nil, true)
	for name, a := range map[string]*v1alpha1.Article{
		"a run is due":           article(),
		"a retry of a run":       article(run(v1alpha1.RunRetryScheduled), makeDue),
		"a delivery is due":      article(approvedAndAsked),
		"a retry of a delivery":  article(approvedAndAsked, publication(retryScheduled), makeDue),
		"a redelivery was asked": article(approvedAndAsked, publication(isPublished), annotation(v1alpha1.RedeliverAnnotation, "1")),
	} {
		suspended := to(lifecycle.Push)
		suspended.Suspension = suspension
		d := lifecycle.Next(a, site(v1alpha1.ReviewManual), suspended, now)
		if d.Step != lifecycle.Wait || d.Blocked == (lifecycle.Blockers{}) {
			t.Errorf("%s: %s and %+v, want a wait for the end of the suspension", name, d.Step, d.Blocked)
		}
		if d.Blocked.Publication != nil && (d.Want.Kind != lifecycle.WantBlocked || d.Want.Reason != v1alpha1.ReasonSuspended) {
			t.Errorf("%s: want %+v, want it to be blocked", name, d.Want)
		}
		lifecycle.Summarize(a, site(v1alpha1.ReviewManual), suspended, now, d.Blocked)
		if !lifecycle.Awaits(a, conditions.NeedResume) {
			t.Errorf("%s: status does not say that the article is suspended", name)
		}
		if !meta.IsStatusConditionTrue(a.Status.Conditions, v1alpha1.ConditionReady) {
			t.Errorf("%s: the article is not ready", name)
		}
		lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
		if a.Status.Publication == nil && lifecycle.Awaits(a, conditions.NeedResume) {
			t.Errorf("%s: status still says that the article is suspended", name)
		}
	}
}
