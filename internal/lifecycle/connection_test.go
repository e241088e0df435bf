package lifecycle_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// refused is an attempt that a CMS ended for good with a failure of this class.
func refused(class v1alpha1.ErrorClass) cycles.End {
	return cycles.End{Final: true, AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptRejected, ErrorClass: class, Message: "m",
	}}
}

func wordPress(url string) *v1alpha1.Site {
	s := site(v1alpha1.ReviewManual)
	s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{URL: url}}
	return s
}

// failedAt is an approved article whose first attempt at the site ended for this reason.
func failedAt(s *v1alpha1.Site, class v1alpha1.ErrorClass) *v1alpha1.Article {
	a := article(approvedAndAsked)
	record.BeginCycle(a, s, lifecycle.Want{Kind: lifecycle.WantPut, Revision: lifecycle.CurrentRevision(a, s)}, postName, cycles.AttemptID{ID: "1"}, now)
	end(a, refused(class), plain, now)
	return a
}

func TestAFinalFailureOfACMSLastsUntilTheSiteOrTheArticleChanges(t *testing.T) {
	for _, class := range []v1alpha1.ErrorClass{
		v1alpha1.ErrorWrongCredentials, v1alpha1.ErrorMissingPermission, v1alpha1.ErrorNotFound, v1alpha1.ErrorInvalidContent,
	} {
		before := wordPress("https://acme.example")
		a := failedAt(before, class)
		if got := a.Status.Publication.Cycle.Reason; got != string(class) {
			t.Errorf("%s: the cycle ended for the reason %s", class, got)
		}
		step := func(s *v1alpha1.Site) lifecycle.Step { return lifecycle.Next(a, s, to(lifecycle.Push), now).Step }
		if got := step(before); got != lifecycle.Wait {
			t.Errorf("%s: the next step is %s, want %s", class, got, lifecycle.Wait)
		}
		renamed := before.DeepCopy()
		renamed.Spec.DisplayName = "Acme"
		if got := step(renamed); got != lifecycle.Wait {
			t.Errorf("%s, and another name of the site: %s, want %s", class, got, lifecycle.Wait)
		}
		if got := step(wordPress("https://blog.acme.example")); got != lifecycle.BeginCycle {
			t.Errorf("%s, and another connection: %s, want %s", class, got, lifecycle.BeginCycle)
		}
		a.Status.Revision.Name, a.Status.Revision.Digest, a.Spec.Review.Digest = "shoes-2", digestB, digestB
		if got := step(before); got != lifecycle.BeginCycle {
			t.Errorf("%s, and another text: %s, want %s", class, got, lifecycle.BeginCycle)
		}
	}
	a := failedAt(wordPress("https://acme.example"), v1alpha1.ErrorAddressBlocked)
	if got := lifecycle.Next(a, wordPress("https://blog.acme.example"), to(lifecycle.Push), now).Step; got != lifecycle.Wait {
		t.Errorf("another final failure, and another connection: %s, want %s", got, lifecycle.Wait)
	}
}

func TestTheSlugOfACMSIsRecordedAndCountedOnce(t *testing.T) {
	a := article(approvedAndAsked, publication(isPublished))
	for _, tt := range []struct {
		slug string
		want bool
	}{{"", false}, {"shoes-2", true}, {"shoes-2", false}, {"shoes-3", true}, {"", false}} {
		if got := record.Slug(a, tt.slug); got != tt.want || a.Status.Publication.Post.Slug != tt.slug {
			t.Errorf("%q: %t, status has %q, want %t", tt.slug, got, a.Status.Publication.Post.Slug, tt.want)
		}
	}
}

func TestTheIDOfAPostIsKeptFromAnAttemptThatFailed(t *testing.T) {
	a := article(approvedAndAsked, publication(retryScheduled))
	for _, tt := range []struct{ id, want string }{{"", ""}, {"17", "17"}, {"", "17"}} {
		if record.LocatePart(a, tt.id); a.Status.Publication.Post.ExternalID != tt.want {
			t.Errorf("%q: status has %q, want %q", tt.id, a.Status.Publication.Post.ExternalID, tt.want)
		}
	}
	a.Status.Publication.Post.Revision = a.Status.Publication.Cycle.Revision
	if record.LocatePart(a, "18"); a.Status.Publication.Post.ExternalID != "17" {
		t.Errorf("published: status has %q, want the id that came with its URL", a.Status.Publication.Post.ExternalID)
	}
}
