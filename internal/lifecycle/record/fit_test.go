package record_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

var (
	now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	// reviewed is a site whose articles people review.
	reviewed = &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Review: v1alpha1.SiteReview{Policy: v1alpha1.ReviewManual}}}
)

// full is an article whose regeneration failed, that was published anyway, and whose redeliveries fail: as much is in
// its status as ever can be. The texts are those that others choose.
type full struct {
	name, title, by, url, id, nonce, model, runMessage, attemptMessage, slug, snippet string
}

// filled has texts of these lengths.
func filled(name, title, by, url, id, nonce, model, runMessage, slug int) full {
	text := strings.Repeat
	return full{
		name: text("a", name), title: text("大", title), by: text("大", by), url: "https://acme.example/" + text("u", url-21), id: text("i", id),
		nonce: text("n", nonce), model: text("m", model), runMessage: text("m", runMessage), slug: text("s", slug), snippet: text("x", 200),
		attemptMessage: text("m", v1alpha1.MaxAttemptMessageBytes),
	}
}

// ofOnly is as long as the API's bounds allow, and everything that others choose consists of one letter.
func ofOnly(letter string) full {
	characters := func(n int) string { return strings.Repeat(letter, n) }
	bytes := func(n int) string { return strings.Repeat(letter, n/len(letter)) }
	return full{
		name: strings.Repeat("a", 200), title: characters(300), by: characters(253), url: "https://acme.example/" + bytes(1003), id: bytes(256),
		nonce: bytes(128), model: characters(200), runMessage: characters(256), attemptMessage: characters(128), slug: strings.Repeat("s", 120),
		snippet: bytes(1024),
	}
}

// article is published and has had two redeliveries that were given up after four attempts each, so that nine attempts were made.
func (f full) article() *v1alpha1.Article {
	text := strings.Repeat
	name := f.name + "-0a1b2c3d-1000000000"
	at := v1alpha1.NewMicroTime(now.Add(123456 * time.Microsecond))
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: "acme-blog", Name: "shoes", Generation: 1_000_000, Annotations: map[string]string{
			v1alpha1.RegenerateAnnotation: f.nonce, v1alpha1.RedeliverAnnotation: f.nonce,
		}},
		Spec: v1alpha1.ArticleSpec{
			SiteRef: v1alpha1.LocalReference{Name: "acme"}, Stage: v1alpha1.StagePublished,
			Generate: &v1alpha1.GenerateRequest{Keyword: "trail running shoes"},
			Review:   &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Digest: digestA, By: f.by},
		},
	}
	a.Status.Slug, a.Status.LastRevisionNumber = f.slug, 1_000_000_000
	a.Status.GeneratedNumber, a.Status.History = 1_000_000_000, slices.Repeat([]int32{1_000_000_000}, v1alpha1.MaxHistory)
	a.Status.RevisionKiB = []int32{1400, 1400, 1400, 1400, 0, 0, 1400} // five are kept, and a generated one
	a.Status.Revision = &v1alpha1.CurrentRevision{
		Name: name, Number: 1_000_000_000, Digest: digestA, ContentHash: text("c", 64), Title: bounds.Cut(f.title, v1alpha1.MaxTitleBytes),
		Source: v1alpha1.SourceGenerated, SEOScore: 100, CreationTime: at,
		Fingerprint: text("f", 16), Terms: text("t", 256), FailedGates: []string{"language", "avoided-words", "placeholders", "near-duplicate"},
	}
	a.Status.Run = &v1alpha1.GenerationRun{
		Name: name, Number: 999_999_999, RequestHash: lifecycle.RequestHash(a.Spec.Generate),
		State: v1alpha1.RunFailed, Charge: v1alpha1.RefundDue, Attempt: 5, Holder: text("h", 36), StartTime: at, FinishTime: &at,
		Reason: v1alpha1.ReasonBackendUnavailable, Message: bounds.Cut(f.runMessage, v1alpha1.MaxRunMessageBytes), Type: v1alpha1.GeneratorAnthropic,
		Model: bounds.Cut(f.model, v1alpha1.MaxModelBytes), Step: 100, Steps: 100, ProgressTime: &at, InputTokens: 1_000_000_000, OutputTokens: 1_000_000_000,
	}
	deliver := func(fresh bool, e cycles.End) {
		by := cycles.AttemptID{ID: text("1", 36), Holder: text("h", 36)}
		if fresh {
			want := lifecycle.Want{Kind: lifecycle.WantPut, Revision: lifecycle.CurrentRevision(a, reviewed)}
			record.BeginCycle(a, reviewed, want, "post-1", by, at.Time)
		} else {
			record.RetryCycle(a, reviewed, "post-1", by, at.Time)
		}
		lifecycle.Summarize(a, reviewed, lifecycle.Target{}, now, lifecycle.Blockers{})
		record.EndAttempt(a, e, v1alpha1.SitePost{}, cycles.Schedule{Delays: backoff.DefaultRetryDelays()}, at.Time)
		lifecycle.Summarize(a, reviewed, lifecycle.Target{}, now, lifecycle.Blockers{})
	}
	deliver(true, cycles.End{AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptAccepted, HTTPStatus: 200, Milliseconds: 29_999,
	}, Snippet: f.snippet})
	record.Locate(a, f.url, f.id)
	record.Slug(a, f.slug+f.slug)
	a.Status.Publication.Cycle.Number = 999_998 // the last but two that the bound allows
	for range 2 {
		for n := range 4 {
			deliver(n == 0, cycles.End{AttemptResult: v1alpha1.AttemptResult{
				Outcome: v1alpha1.AttemptRejected, ErrorClass: v1alpha1.ErrorRedirect, HTTPStatus: 308, Milliseconds: 29_999, Message: f.attemptMessage,
			}, Snippet: f.snippet})
		}
	}
	changed := slices.Repeat([]v1alpha1.PostDifference{{Field: text("f", v1alpha1.MaxFieldNameBytes), Site: f.snippet, Article: f.snippet}}, 3)
	record.ContentHash(a, text("p", 16))
	record.Conflict(a, f.url, changed)
	have, cycle := &a.Status.Publication.Post, a.Status.Publication.Cycle
	cycle.RequestNonce = bounds.Cut(f.nonce, v1alpha1.MaxNonceBytes)
	have.State, have.Name, have.UpdateTime = v1alpha1.PostUncertain, f.slug+"-0123456789abcdef", &at
	have.Revision.Title, have.Revision.SEOScore = a.Status.Revision.Title, new(v1alpha1.Score(100))
	have.Maybe = &v1alpha1.UncertainWrite{Purpose: v1alpha1.PurposePut, Revision: cycle.Revision.DeepCopy()}
	lifecycle.Summarize(a, reviewed, lifecycle.Target{}, now, lifecycle.Blockers{})
	return a
}

func TestAStatusStaysUnder8KiB(t *testing.T) {
	for _, tt := range []struct {
		name string
		full full
	}{
		{"ordinary texts", filled(36, 70, 20, 120, 36, 36, 40, 100, 70)},
		{"the longest texts", filled(200, 300, 253, 512, 128, 128, 96, 160, 120)},
		{"longer texts", filled(200, 300, 253, 1024, 256, 5000, 200, 256, 120)},
		{"only letters of four bytes", ofOnly("😀")},
		{"quotes only", ofOnly(`"`)},
		{"backslashes only", ofOnly(`\`)},
		{"control characters only", ofOnly("\x01")},
		{"letters that HTML escapes only", ofOnly("<")},
		{"only separators of lines", ofOnly("\u2028")},
		{"bytes that are no text only", ofOnly("\xff")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := tt.full.article()
			a.Status.Transitions = manyTransitions(tt.full)
			if n := len(a.Status.Publication.Attempts); n != v1alpha1.MaxAttemptsKept {
				t.Errorf("%d attempts are kept, want %d", n, v1alpha1.MaxAttemptsKept)
			}
			expectRest(t, a)
			a.Status.Run.State = v1alpha1.RunSucceeded
			expectRest(t, a)
		})
	}
}

// expectRest expects that a second look at the article changes nothing after the first one.
func expectRest(t *testing.T, a *v1alpha1.Article) {
	t.Helper()
	look := func() {
		before := a.DeepCopy()
		lifecycle.Summarize(a, reviewed, lifecycle.Target{}, now, lifecycle.Blockers{})
		record.Transitions(before, a, reviewed, now, func(v1alpha1.ArticleEventType) bool { return false })
		record.FitStatus(a)
	}
	look()
	if size := statusBytes(t, a); size >= 8<<10 {
		t.Errorf("the status has %d bytes", size)
	}
	first := a.DeepCopy()
	look()
	if diff := cmp.Diff(first.Status, a.Status); diff != "" {
		t.Errorf("another look at the article changes its status, which is a write each time:\n%s", diff)
	}
}

// statusBytes is the size of a status as kube-apiserver stores it, with all escapes.
func statusBytes(t *testing.T, a *v1alpha1.Article) int {
	t.Helper()
	data, err := json.Marshal(&a.Status)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", len(data))
	return len(data)
}

// An article that was never sent has no record of deliveries, but the longest texts anyway.
func TestAStatusWithoutDeliveriesStaysUnder8KiB(t *testing.T) {
	for _, letter := range []string{"x", "😀", `"`, "<", "\x01"} {
		f := ofOnly(letter)
		a := f.article()
		a.Status.Transitions = manyTransitions(f)
		a.Status.Publication, a.Annotations[v1alpha1.RegenerateAnnotation] = nil, "another"
		a.Spec.Review.Decision, a.Spec.Review.Note = v1alpha1.DecisionRejected, strings.Repeat(letter, 2000)
		lifecycle.Summarize(a, reviewed, lifecycle.Target{}, now, lifecycle.Blockers{
			Generation: &lifecycle.BlockedError{Reason: v1alpha1.ReasonBackendRejected, Message: strings.Repeat(letter, 2000)},
		})
		record.FitStatus(a)
		size := statusBytes(t, a)
		t.Logf("with %q only: %d bytes", letter, size)
		if size >= 8<<10 {
			t.Errorf("with %q only, the status has %d bytes", letter, size)
		}
	}
}

// manyTransitions are more than are kept, with the longest texts.
func manyTransitions(f full) []v1alpha1.ArticleTransition {
	many := slices.Repeat([]v1alpha1.ArticleTransition{{
		Type: v1alpha1.EventReadyForReview, RevisionNumber: 1_000_000_000, Time: v1alpha1.NewMicroTime(now.Add(123456 * time.Microsecond)),
		By:      bounds.Cut(strings.Repeat(f.by, 5), v1alpha1.MaxTransitionByBytes),
		Message: bounds.Cut(strings.Repeat(f.by, 5), v1alpha1.MaxTransitionMessageBytes),
	}}, 2*v1alpha1.MaxTransitions)
	for i := range v1alpha1.MaxOutbox {
		many[i].Dispatch = v1alpha1.DispatchPending
	}
	return many
}

func TestTheTransitionsOfAnOrdinaryArticleAreKept(t *testing.T) {
	a := &v1alpha1.Article{}
	f := filled(36, 70, 20, 120, 36, 36, 40, 100, 70)
	a.Status.Transitions = manyTransitions(f)
	a.Status.Transitions[2*v1alpha1.MaxTransitions-1].Message = "the newest one"
	record.FitStatus(a)
	kept := a.Status.Transitions
	if len(kept) != v1alpha1.MaxTransitions || kept[len(kept)-1].Message != "the newest one" {
		t.Errorf("%d are kept, want the newest %d", len(kept), v1alpha1.MaxTransitions)
	}
}
