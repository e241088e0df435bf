package lifecycle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// attempted returns attempts that ended so, a minute apart.
func attempted(results ...v1alpha1.AttemptResult) with {
	return func(a *v1alpha1.Article) {
		p := &v1alpha1.Publication{Post: v1alpha1.SitePost{State: v1alpha1.PostAbsent, Name: postName}}
		p.Cycle = &v1alpha1.DeliveryCycle{Number: 1}
		for n, result := range results {
			p.Attempts = append(p.Attempts, v1alpha1.DeliveryAttempt{
				Cycle: 1, Number: int32(n + 1), StartTime: v1alpha1.NewMicroTime(now.Add(time.Duration(n) * time.Minute)), AttemptResult: result,
			})
			if !lifecycle.WroteNothing(result) {
				p.Post.State = v1alpha1.PostUncertain
			}
		}
		a.Status.Publication = p
	}
}

func TestWhetherSomethingMayBeWrittenUnderASlug(t *testing.T) {
	taken := v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptRejected, ErrorClass: v1alpha1.ErrorSlugTaken}
	lost := v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptUnknown}
	for _, tt := range []struct {
		name       string
		change     with
		wantUsed   bool
		wantOther  bool
		wantMinute int // of the first attempt that may have written; -1 for none
	}{
		{"nothing was sent", func(*v1alpha1.Article) {}, false, false, -1},
		{"a post of other people has the slug", attempted(taken), false, true, -1},
		{"of three slugs", attempted(taken, taken, taken), false, true, -1},
		{"of all slugs of a cycle", attempted(taken, taken, taken, taken), false, false, -1},
		{"after an answer was lost", attempted(lost, taken), true, false, 0},
		{"before an answer was lost", attempted(taken, lost), true, false, 1},
		{"in an attempt", attempted(v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptInProgress}), true, true, -1},
		{"once the CMS has named a post", func(a *v1alpha1.Article) {
			attempted(taken)(a)
			a.Status.Publication.Post.ExternalID = "7"
		}, true, false, -1},
		{"of a slug that the author asks for", func(a *v1alpha1.Article) {
			attempted(taken)(a)
			a.Spec.Content = &v1alpha1.ArticleContent{Slug: "shoes"}
		}, false, false, -1},
		{"of a published article", publication(isPublished), true, false, -1},
		{"of status that was restored from a Post", func(a *v1alpha1.Article) {
			attempted()(a)
			a.Status.Publication.Post.State = v1alpha1.PostUncertain
		}, true, false, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := article(tt.change)
			if got := lifecycle.SlugUsed(a); got != tt.wantUsed {
				t.Errorf("used: %t, want %t", got, tt.wantUsed)
			}
			if a.Status.Publication != nil {
				if got := lifecycle.PassesOver(a, lifecycle.Have(a), v1alpha1.ErrorSlugTaken); got != tt.wantOther {
					t.Errorf("another slug: %t, want %t", got, tt.wantOther)
				}
				if lifecycle.PassesOver(a, lifecycle.Have(a), v1alpha1.ErrorUnavailable) {
					t.Error("takes another slug after an outage")
				}
			}
			want := time.Time{}
			if tt.wantMinute >= 0 {
				want = now.Add(time.Duration(tt.wantMinute) * time.Minute)
			}
			if got := lifecycle.FirstWrite(a); !got.Equal(want) {
				t.Errorf("the first attempt was at %s, want %s", got, want)
			}
		})
	}
}

// A request to overwrite is for one cycle, with its retries.
func TestARequestToOverwriteIsForOneCycle(t *testing.T) {
	a := article(approvedAndAsked, publication(isPublished), annotation(v1alpha1.OverwriteAnnotation, "yes"))
	attempt := func(fresh bool) {
		begin(a, cycles.AttemptID{ID: "1"}, fresh, now)
		end(a, cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptTimeout}}, cycles.Schedule{}, now)
	}
	if !lifecycle.RedeliveryRequested(a) || lifecycle.OverwriteNonce(a, true) == "" {
		t.Fatal("the request is not found")
	}
	attempt(true)
	if lifecycle.RedeliveryRequested(a) || lifecycle.OverwriteNonce(a, false) == "" || a.Status.Publication.Cycle.OverwriteNonce != "yes" {
		t.Errorf("%+v", a.Status.Publication.Cycle)
	}
	attempt(false)
	if lifecycle.OverwriteNonce(a, false) == "" {
		t.Error("a retry does not overwrite")
	}
	a.Annotations[v1alpha1.RedeliverAnnotation] = "again"
	if lifecycle.OverwriteNonce(a, true) != "" {
		t.Error("a redelivery overwrites")
	}
	if attempt(true); a.Status.Publication.Cycle.OverwriteNonce != "" {
		t.Errorf("%+v", a.Status.Publication.Cycle)
	}
}

// Who creates an article asks for nothing to be overwritten.
func TestTheFirstDeliveryOverwritesNothing(t *testing.T) {
	a := article(approvedAndAsked, annotation(v1alpha1.OverwriteAnnotation, "yes"))
	begin(a, cycles.AttemptID{ID: "1"}, true, now)
	if lifecycle.OverwriteNonce(a, false) != "" || lifecycle.RedeliveryRequested(a) {
		t.Errorf("%+v", a.Status)
	}
}

func TestAPostThatWasChangedAtTheSiteIsNotUpToDate(t *testing.T) {
	a := article(approvedAndAsked, publication(isPublished))
	before := begin(a, cycles.AttemptID{ID: "1"}, true, now)
	refused := cycles.End{Final: true, AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptRejected, ErrorClass: v1alpha1.ErrorChangedAtSite}}
	record.EndAttempt(a, refused, before, cycles.Schedule{}, now)
	record.Conflict(a, "https://acme.example/shoes/", nil)
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	if got := conditionOf(a, v1alpha1.ConditionUpToDate); got != "False/ChangedAtSite" {
		t.Errorf("UpToDate = %s", got)
	}
	if got := conditionOf(a, v1alpha1.ConditionReady); got != "True/Delivered" || a.Status.Publication.Cycle.ConflictURL != "https://acme.example/shoes/" {
		t.Errorf("Ready = %s, %+v", got, a.Status.Publication)
	}
	record.Conflict(a, "https://acme.example/"+strings.Repeat("a", v1alpha1.MaxURLBytes), nil)
	if p := a.Status.Publication; p.Cycle.ConflictURL == "" {
		t.Errorf("%+v", p)
	}
}
