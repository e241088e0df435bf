package lifecycle_test

import (
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// full is an article whose regeneration failed, that was published all the same, and whose redeliveries fail: as much is in
// its status as ever can be. The texts are of those lengths.
type full struct {
	name, title, by, url, id, nonce, model, runMessage, slug int
}

// article is published and has had two redeliveries that were given up after four attempts each, so that nine attempts were made.
func (f full) article(snippet string) *v1alpha1.Article {
	text := strings.Repeat
	nonce := text("n", f.nonce)
	name := text("a", f.name) + "-0a1b2c3d-1000000000"
	at := metav1.NewMicroTime(now.Add(123456 * time.Microsecond))
	a := article(
		stage(v1alpha1.StagePublished), generated,
		annotation(v1alpha1.RegenerateAnnotation, nonce), annotation(v1alpha1.RedeliverAnnotation, nonce),
	)
	a.Generation = 1_000_000
	a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: digestA, By: text("大", f.by)}
	a.Status.Slug, a.Status.LastRevisionNumber = text("s", f.slug), 1_000_000_000
	a.Status.Revision = &v1alpha1.CurrentRevision{
		Name: name, Number: 1_000_000_000, Digest: digestA, ContentHash: text("c", 64), Title: text("大", f.title),
		Source: v1alpha1.SourceGenerated, SEOScore: 100, CreatedAt: at,
	}
	a.Status.Generation = &v1alpha1.GenerationRun{
		ID: name, Number: 999_999_999, RequestHash: lifecycle.RequestHash(a.Spec.Generate), Nonce: lifecycle.Nonce(a, v1alpha1.RegenerateAnnotation),
		State: v1alpha1.RunFailed, Charge: v1alpha1.RefundDue, Attempt: 5, Holder: text("h", 36), StartedAt: at, FinishedAt: &at,
		Reason: v1alpha1.ReasonBackendUnavailable, Message: text("m", f.runMessage), Type: v1alpha1.GeneratorAnthropic,
		Model: text("m", f.model), Step: 100, Steps: 100, ProgressAt: &at, InputTokens: 1_000_000_000, OutputTokens: 1_000_000_000,
	}
	for _, t := range []v1alpha1.ArticleEventType{
		v1alpha1.EventReadyForReview, v1alpha1.EventApproved, v1alpha1.EventRejected, v1alpha1.EventPublished, v1alpha1.EventFailed,
		v1alpha1.EventReadyForReview, v1alpha1.EventApproved, v1alpha1.EventFailed,
	} {
		a.Status.Events = append(a.Status.Events, v1alpha1.ArticleEvent{Type: t, Number: 1_000_000_000, At: at, State: v1alpha1.EventPending})
	}
	deliver := func(fresh bool, e lifecycle.Ended) {
		lifecycle.BeginDelivery(a, lifecycle.Sender{ID: text("1", 36), Holder: text("h", 36)}, fresh, at.Time)
		lifecycle.Summarize(a, site(v1alpha1.CMSHeadless, v1alpha1.ReviewManual), now, lifecycle.Obstacles{})
		lifecycle.EndDelivery(a, e, lifecycle.Schedule{Delays: lifecycle.DefaultRetryDelays()}, at.Time)
		lifecycle.Summarize(a, site(v1alpha1.CMSHeadless, v1alpha1.ReviewManual), now, lifecycle.Obstacles{})
	}
	deliver(true, lifecycle.Ended{AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptAccepted, HTTPStatus: 200, Milliseconds: 29_999,
	}, Snippet: snippet})
	a.Status.Publication.URL, a.Status.Publication.ExternalID = "https://acme.example/"+text("u", f.url-21), text("i", f.id)
	a.Status.Publication.Cycle.Number = 999_998 // the last but two that the bound allows
	for range 2 {
		for n := range 4 {
			deliver(n == 0, lifecycle.Ended{AttemptResult: v1alpha1.AttemptResult{
				Outcome: v1alpha1.AttemptRejected, ErrorClass: v1alpha1.ErrorRedirect, HTTPStatus: 308, Milliseconds: 29_999,
				// The longest that a receiver can bring about.
				Message: "the receiver answered 308 Permanent Redirect: redirects are not followed",
			}, Snippet: snippet})
		}
	}
	lifecycle.Summarize(a, site(v1alpha1.CMSHeadless, v1alpha1.ReviewManual), now, lifecycle.Obstacles{})
	return a
}

func TestAStatusStaysUnder8KiB(t *testing.T) {
	ordinary := full{name: 36, title: 70, by: 20, url: 120, id: 36, nonce: 36, model: 40, runMessage: 100, slug: 70}
	large := full{name: 63, title: 100, by: 60, url: 250, id: 64, nonce: 64, model: 60, runMessage: 200, slug: 120}
	worst := full{name: 200, title: 300, by: 253, url: 1024, id: 256, nonce: 5000, model: 200, runMessage: 256, slug: 120}
	text, quotes := strings.Repeat("x", 1024), strings.Repeat(`"`, 1024)
	for _, tt := range []struct {
		name         string
		full         full
		snippet      string
		wantAttempts int
		wantSnippet  int
	}{
		{"ordinary texts", ordinary, text, 8, 1024},
		{"ordinary texts, and a snippet of quotes", ordinary, quotes, 8, 1024},
		{"large texts", large, text, 8, 1024},
		{"the longest texts", worst, text, 4, 0},
		{"the longest texts, and a snippet of quotes", worst, quotes, 4, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := tt.full.article(tt.snippet)
			p := a.Status.Publication
			size := lifecycle.StatusBytes(&a.Status)
			t.Logf("%d bytes, %d attempts, %d bytes of snippet", size, len(p.Attempts), len(p.LastAnswer.Snippet))
			if size >= 8<<10 {
				t.Errorf("the status has %d bytes", size)
			}
			if len(p.Attempts) < tt.wantAttempts || len(p.LastAnswer.Snippet) < tt.wantSnippet {
				t.Errorf("%d attempts and %d bytes of snippet are left, want at least %d and %d",
					len(p.Attempts), len(p.LastAnswer.Snippet), tt.wantAttempts, tt.wantSnippet)
			}
			again := a.DeepCopy()
			lifecycle.Summarize(again, site(v1alpha1.CMSHeadless, v1alpha1.ReviewManual), now, lifecycle.Obstacles{})
			if !equality.Semantic.DeepEqual(again.Status, a.Status) {
				t.Error("another look at the article changes its status, which is a write each time")
			}
		})
	}
}
