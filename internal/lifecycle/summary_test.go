package lifecycle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

func TestSummarize(t *testing.T) {
	headless := site(v1alpha1.ReviewManual)
	broke := lifecycle.Blockers{Generation: &lifecycle.BlockedError{Reason: v1alpha1.ReasonInsufficientCredits, Message: "no credit"}}
	for _, row := range []struct {
		name    string
		site    *v1alpha1.Site
		changes []with
		found   lifecycle.Blockers
		// want maps a condition's type to "Status/Reason"; "" wants it to be absent.
		want map[string]string
	}{
		{"a run in progress", headless, []with{run(v1alpha1.RunRunning)}, lifecycle.Blockers{}, map[string]string{
			"Generated": "False/Generating", "Approved": "False/NoRevision", "Published": "False/NotRequested",
			"Ready": "False/Generating", "Reconciling": "True/Generating", "Stalled": ""}},
		{"no credits", headless, nil, broke, map[string]string{
			"Generated": "False/InsufficientCredits", "Ready": "False/InsufficientCredits", "Reconciling": "True/InsufficientCredits", "Stalled": ""}},
		{"a retry that waits", headless, []with{run(v1alpha1.RunRetryScheduled)}, lifecycle.Blockers{}, map[string]string{
			"Generated": "False/RetryScheduled", "Ready": "False/RetryScheduled", "Reconciling": "True/RetryScheduled"}},
		{"a failed run", headless, []with{run(v1alpha1.RunFailed)}, lifecycle.Blockers{}, map[string]string{
			"Generated": "False/Timeout", "Ready": "False/GenerationFailed", "Stalled": "True/GenerationFailed", "Reconciling": ""}},
		{"a failed regeneration shows only in Generated", headless, []with{revision(digestA), annotation(v1alpha1.RegenerateAnnotation, "n"), run(v1alpha1.RunFailed)}, lifecycle.Blockers{}, map[string]string{
			"Generated": "False/Timeout", "Approved": "False/AwaitingReview", "Ready": "True/AwaitingReview", "Stalled": ""}},
		{"awaiting review", headless, []with{generated}, lifecycle.Blockers{}, map[string]string{
			"Generated": "True/Succeeded", "Approved": "False/AwaitingReview", "Ready": "True/AwaitingReview", "Reconciling": ""}},
		{"a written article has no Generated", headless, []with{written}, lifecycle.Blockers{}, map[string]string{"Generated": "", "Ready": "True/AwaitingReview"}},
		{"rejected", headless, []with{generated, review(v1alpha1.DecisionRejected, digestA)}, lifecycle.Blockers{}, map[string]string{
			"Approved": "False/Rejected", "Ready": "True/Rejected"}},
		{"the reviewer saw other content", headless, []with{generated, review(v1alpha1.DecisionApproved, digestB)}, lifecycle.Blockers{}, map[string]string{
			"Approved": "False/ContentChanged", "Ready": "True/ContentChanged"}},
		{"one of two approvals", asks(2), []with{generated, approval("jo", digestA)}, lifecycle.Blockers{}, map[string]string{
			"Approved": "False/AwaitingApprovals", "Published": "False/NotRequested", "Ready": "True/AwaitingApprovals", "Reconciling": "", "Stalled": ""}},
		{"one of two approvals, with a request to publish", asks(2), []with{approvedAndAsked}, lifecycle.Blockers{}, map[string]string{
			"Approved": "False/AwaitingApprovals", "Published": "False/NotApproved", "Ready": "True/AwaitingApprovals", "Stalled": ""}},
		{"two of two approvals", asks(2), []with{generated, approval("jo", digestA), review(v1alpha1.DecisionApproved, digestA)}, lifecycle.Blockers{}, map[string]string{
			"Approved": "True/Approved", "Ready": "True/Approved"}},
		{"two approvals of other content", asks(2), []with{generated, approval("jo", digestB), approval("kim", digestB)}, lifecycle.Blockers{}, map[string]string{
			"Approved": "False/ContentChanged", "Ready": "True/ContentChanged"}},
		{"published before the site asked for two", asks(2), []with{approvedAndAsked, publication(isPublished)}, lifecycle.Blockers{}, map[string]string{
			"Approved": "True/Approved", "Published": "True/Delivered", "UpToDate": "True/UpToDate", "Ready": "True/Delivered"}},
		{"being delivered before the site asked for two", asks(2), []with{approvedAndAsked, publication(beingDelivered)}, lifecycle.Blockers{}, map[string]string{
			"Approved": "True/Approved", "Published": "False/Delivering"}},
		{"a retry after the site asked for two", asks(2), []with{approvedAndAsked, publication(retryScheduled)}, lifecycle.Blockers{}, map[string]string{
			"Approved": "False/AwaitingApprovals", "Published": "False/NotApproved"}},
		{"approved by policy", site(v1alpha1.ReviewAutomatic), []with{generated}, lifecycle.Blockers{}, map[string]string{
			"Approved": "True/Automatic", "Ready": "True/Approved"}},
		{"scheduled", headless, []with{approvedAndAsked, publishAfter(now.Add(time.Hour))}, lifecycle.Blockers{}, map[string]string{
			"Approved": "True/Approved", "Published": "False/Scheduled", "Ready": "True/Scheduled"}},
		{"an attempt in progress", headless, []with{approvedAndAsked, publication(beingDelivered)}, lifecycle.Blockers{}, map[string]string{
			"Published": "False/Delivering", "Ready": "False/Delivering", "Reconciling": "True/Delivering"}},
		{"a delivery's retry waits", headless, []with{approvedAndAsked, publication(retryScheduled)}, lifecycle.Blockers{}, map[string]string{
			"Published": "False/RetryScheduled", "Ready": "False/RetryScheduled", "Reconciling": "True/RetryScheduled"}},
		{"a failed delivery", headless, []with{approvedAndAsked, publication(hasFailed)}, lifecycle.Blockers{}, map[string]string{
			"Published": "False/Exhausted", "Ready": "False/DeliveryFailed", "Stalled": "True/DeliveryFailed"}},
		{"published", headless, []with{approvedAndAsked, publication(isPublished)}, lifecycle.Blockers{}, map[string]string{
			"Published": "True/Delivered", "UpToDate": "True/UpToDate", "Ready": "True/Delivered", "Reconciling": "", "Stalled": ""}},
		{"no secret", headless, []with{approvedAndAsked}, lifecycle.Blockers{Publication: &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound}}, map[string]string{
			"Published": "False/SecretNotFound", "Ready": "False/SecretNotFound", "Reconciling": "True/SecretNotFound"}},
		{"no site", nil, nil, lifecycle.Blockers{}, map[string]string{
			"Generated": "False/SiteNotFound", "Ready": "False/SiteNotFound", "Reconciling": "True/SiteNotFound"}},
		{"no site before a retry", nil, []with{run(v1alpha1.RunRetryScheduled)}, lifecycle.Blockers{}, map[string]string{"Generated": "False/SiteNotFound"}},
		{"no site to publish to", nil, []with{approvedAndAsked}, lifecycle.Blockers{}, map[string]string{
			"Generated": "True/Succeeded", "Published": "False/SiteNotFound", "Ready": "False/SiteNotFound"}},
		{"published, and the site is gone", nil, []with{approvedAndAsked, publication(isPublished)}, lifecycle.Blockers{}, map[string]string{"Ready": "True/Delivered"}},
		{"a draft", headless, []with{generated, stage(v1alpha1.StageDraft)}, lifecycle.Blockers{}, map[string]string{"Ready": "True/Draft"}},
		{"archived", headless, []with{generated, stage(v1alpha1.StageArchived)}, lifecycle.Blockers{}, map[string]string{"Ready": "True/Archived"}},
		{"archived before its run", headless, []with{stage(v1alpha1.StageArchived)}, lifecycle.Blockers{}, map[string]string{
			"Generated": "False/Archived", "Published": "False/NotRequested", "Ready": "True/Archived"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := article(row.changes...)
			lifecycle.Summarize(a, row.site, lifecycle.Target{}, now, row.found)
			for kind, want := range row.want {
				if got := conditionOf(a, kind); got != want {
					t.Errorf("%s = %q, want %q", kind, got, want)
				}
			}
			if a.Status.ObservedGeneration != a.Generation {
				t.Errorf("observedGeneration = %d, want %d", a.Status.ObservedGeneration, a.Generation)
			}
		})
	}
}

func TestAnArticleIsUnfinishedIfTheControllerHasWorkToDoNowOrAtItsTime(t *testing.T) {
	for _, row := range []struct {
		name    string
		changes []with
		found   lifecycle.Blockers
		want    bool
	}{
		{"a run is due", nil, lifecycle.Blockers{}, true},
		{"a run's retry waits", []with{run(v1alpha1.RunRetryScheduled)}, lifecycle.Blockers{}, true},
		{"it is scheduled", []with{approvedAndAsked, publishAfter(now.Add(time.Hour))}, lifecycle.Blockers{}, true},
		{"a delivery is due", []with{approvedAndAsked}, lifecycle.Blockers{}, true},
		{"a delivery's retry waits", []with{approvedAndAsked, publication(retryScheduled)}, lifecycle.Blockers{}, true},
		{"a Secret is missing", []with{approvedAndAsked}, lifecycle.Blockers{Publication: &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound}}, true},
		{"a reviewer has to decide", []with{generated}, lifecycle.Blockers{}, false},
		{"it is approved, and nobody asks to publish it", []with{generated, review(v1alpha1.DecisionApproved, digestA)}, lifecycle.Blockers{}, false},
		{"it is rejected", []with{generated, review(v1alpha1.DecisionRejected, digestA)}, lifecycle.Blockers{}, false},
		{"it is published", []with{approvedAndAsked, publication(isPublished)}, lifecycle.Blockers{}, false},
		{"its delivery has failed", []with{approvedAndAsked, publication(hasFailed)}, lifecycle.Blockers{}, false},
		{"it is archived", []with{generated, stage(v1alpha1.StageArchived)}, lifecycle.Blockers{}, false},
	} {
		a := article(row.changes...)
		a.Generation = 2
		lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, row.found)
		if got := lifecycle.Unfinished(a); got != row.want {
			t.Errorf("%s: %t, want %t", row.name, got, row.want)
		}
		a.Generation++
		if !lifecycle.Unfinished(a) {
			t.Errorf("%s: a change of the spec is not unfinished", row.name)
		}
	}
}

// A decision for another text has no effect. Those who wrote it into a manifest see which text it is for, and which one waits.
func TestADecisionForAnotherTextNamesBoth(t *testing.T) {
	digestC := "sha256:" + strings.Repeat("c", 64)
	pendingB := []with{pending, review(v1alpha1.DecisionApproved, digestA)}
	const shortA, shortB, shortC = "sha256:aaaaaaaaaaaa…", "sha256:bbbbbbbbbbbb…", "sha256:cccccccccccc…"
	const waits, byMara = ", and the text in review is ", "; it is by mara@acme.example"
	for _, row := range []struct {
		name        string
		changes     []with
		wantReady   string
		wantMessage string
	}{
		{"an approval", []with{generated, review(v1alpha1.DecisionApproved, digestB)}, "True/ContentChanged",
			"the approval is for " + shortB + waits + shortA + byMara},
		{"a rejection", []with{generated, review(v1alpha1.DecisionRejected, digestB)}, "True/ContentChanged",
			"the rejection is for " + shortB + waits + shortA + byMara},
		{"an approval that names nothing", []with{generated, review(v1alpha1.DecisionApproved, "")}, "True/ContentChanged",
			"the approval has no digest" + waits + shortA + byMara},
		{"an entry of several", []with{generated, approval("jo", digestB), approval("kim", digestC)}, "True/ContentChanged",
			"the approval is for " + shortC + waits + shortA + "; it is by kim"},
		{"the right one", []with{generated, review(v1alpha1.DecisionApproved, digestA)}, "True/Approved", "approved by mara@acme.example"},
		{"the text that the site has, while an update waits", pendingB, "True/AwaitingReview",
			"the approval is for " + shortA + waits + shortB + byMara},
		{"neither that nor the update", append(pendingB, review(v1alpha1.DecisionApproved, digestC)), "True/ContentChanged",
			"the approval is for " + shortC + waits + shortB + byMara},
	} {
		a := article(row.changes...)
		lifecycle.Summarize(a, updating(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
		if got := conditionOf(a, v1alpha1.ConditionReady); got != row.wantReady {
			t.Errorf("%s: Ready is %s, want %s", row.name, got, row.wantReady)
		}
		if got := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved).Message; got != row.wantMessage {
			t.Errorf("%s: the message is %q, want %q", row.name, got, row.wantMessage)
		}
	}
}

// A change of a published article's manifest is accepted, and the site keeps what it has.
func TestUpToDate(t *testing.T) {
	publishedText := []with{written, stage(v1alpha1.StagePublished), review(v1alpha1.DecisionApproved, ""), publication(isPublished)}
	publishedRun := []with{approvedAndAsked, publication(isPublished)}
	const upToDate, frozen = "True/UpToDate", "False/UpdatesFrozen"
	for _, row := range []struct {
		name        string
		from        []with
		changes     []with
		want        string
		wantMessage string
	}{
		{"not published", []with{approvedAndAsked}, nil, "", ""},
		{"in progress", publishedText[:3], []with{publication(beingDelivered), content("Shoes", "Run near.")}, "", ""},
		{"a written text", publishedText, nil, upToDate, "the site has the text"},
		{"a generated text", publishedRun, nil, upToDate, "the site has the text"},
		{"a mended text", publishedText, []with{content("Shoes", "Run near.")}, frozen, "spec.content has changed"},
		{"a mended text that goes back", publishedText, []with{content("Shoes", "Run near."), content("Shoes", "Run far.")}, upToDate, ""},
		{"a title over a generated text", publishedRun, []with{content("Shoes!", "")}, frozen, "spec.content has changed"},
		{"another keyword", publishedRun, []with{keyword("road shoes")}, frozen, "spec.generate has changed"},
		{"another keyword that goes back", publishedRun, []with{keyword("road shoes"), keyword("trail running shoes")}, upToDate, ""},
		{"another keyword beside a written text", append([]with{content("T", "Body."), run(v1alpha1.RunSuperseded)}, revision(digestA), publication(isPublished)),
			[]with{keyword("road shoes")}, upToDate, ""},
		{"a request for another text", publishedRun, []with{annotation(v1alpha1.RegenerateAnnotation, "n2")}, frozen, "pressroom.dev/regenerate asks for another text"},
		{"a request for another text that is taken back", publishedRun, []with{annotation(v1alpha1.RegenerateAnnotation, "n2"), annotation(v1alpha1.RegenerateAnnotation, "")}, upToDate, ""},
		{"a request to send it again", publishedRun, []with{annotation(v1alpha1.RedeliverAnnotation, "n2")}, upToDate, ""},
		{"an archived article", publishedText, []with{stage(v1alpha1.StageArchived), content("Shoes", "Run near.")}, frozen, "spec.content has changed"},
		{"an article that was created again with another text", publishedText, []with{otherIsLive}, frozen, "revision 1 is another text"},
		{"an article that was created again without its text", []with{publication(isPublished)}, nil, frozen, "without its text"},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := article(append(row.from, row.changes...)...)
			lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
			if got := conditionOf(a, v1alpha1.ConditionUpToDate); got != row.want {
				t.Errorf("UpToDate = %q, want %q", got, row.want)
			}
			if row.want == "" {
				return
			}
			if got := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionUpToDate).Message; !strings.Contains(got, row.wantMessage) {
				t.Errorf("the message is %q, want it to say %q", got, row.wantMessage)
			}
			if got := conditionOf(a, v1alpha1.ConditionReady); !strings.HasPrefix(got, "True/") {
				t.Errorf("Ready = %q, want True: nothing is done before a person acts", got)
			}
		})
	}
}

// An approval in the manifest was for the text that was published, and stays so when the text changes beside it.
func TestTheApprovalOfWhatIsPublishedStays(t *testing.T) {
	for _, state := range []deliveryState{beingDelivered, isPublished} {
		a := article(written, stage(v1alpha1.StagePublished), review(v1alpha1.DecisionApproved, ""), publication(state), content("Shoes", "Run near."))
		lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
		if got := conditionOf(a, v1alpha1.ConditionApproved); got != "True/Approved" {
			t.Errorf("%s: Approved = %q, want True/Approved", state, got)
		}
	}
}

// A person who rejects a text and regenerates waits for another one.
func TestARunThatWroteTheSameTextSaysSo(t *testing.T) {
	const says = "the text is the same as before, and its credit is given back"
	for state, want := range map[v1alpha1.ChargeState]bool{v1alpha1.Charged: false, v1alpha1.RefundDue: true, v1alpha1.Refunded: true} {
		a := article(generated, charge(state), review(v1alpha1.DecisionRejected, digestA))
		lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
		c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionGenerated)
		if strings.Contains(c.Message, says) != want || c.Reason != v1alpha1.ReasonSucceeded {
			t.Errorf("%s: %s: %s", state, c.Reason, c.Message)
		}
	}
}

func conditionOf(a *v1alpha1.Article, kind string) string {
	c := meta.FindStatusCondition(a.Status.Conditions, kind)
	if c == nil {
		return ""
	}
	return string(c.Status) + "/" + c.Reason
}

func TestABlockerStaysUntilTheStepIsDone(t *testing.T) {
	headless := site(v1alpha1.ReviewManual)
	a := article()
	lifecycle.Summarize(a, headless, lifecycle.Target{}, now, lifecycle.Blockers{Generation: &lifecycle.BlockedError{Reason: v1alpha1.ReasonInsufficientCredits, Message: "none"}})
	lifecycle.Summarize(a, headless, lifecycle.Target{}, now, lifecycle.Blockers{})
	if got := conditionOf(a, v1alpha1.ConditionGenerated); got != "False/InsufficientCredits" {
		t.Errorf("Generated after a look that found nothing = %q, want the blocker to stay", got)
	}
	run(v1alpha1.RunRunning)(a)
	lifecycle.Summarize(a, headless, lifecycle.Target{}, now, lifecycle.Blockers{})
	if got := conditionOf(a, v1alpha1.ConditionGenerated); got != "False/Generating" {
		t.Errorf("Generated once the run started = %q, want no blocker", got)
	}
}

// Waiting for a slot is written only over what no longer holds.
func TestTheWaitForASlotReplacesAMissingSite(t *testing.T) {
	generate, publish := article(), article(approvedAndAsked)
	for _, a := range []*v1alpha1.Article{generate, publish} {
		lifecycle.Summarize(a, nil, lifecycle.Target{}, now, lifecycle.Blockers{})
	}
	if !lifecycle.GenerationBlocked(generate) {
		t.Error("a run that waits for a slot would leave SiteNotFound in status")
	}
	if !lifecycle.PublicationOutdated(publish) {
		t.Error("a delivery that waits for a slot would leave SiteNotFound in status")
	}
}

func TestTheTransitionTimeIsTheClocks(t *testing.T) {
	a := article(generated)
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	first := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady).LastTransitionTime
	if !first.Time.Equal(now) {
		t.Errorf("lastTransitionTime = %v, want the clock's %v", first, now)
	}
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now.Add(time.Hour), lifecycle.Blockers{})
	if again := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionReady).LastTransitionTime; again != first {
		t.Errorf("lastTransitionTime moved to %v without a transition", again)
	}
}

// Equal facts must give equal conditions, or every look would write.
func TestSummarizeTwiceChangesNothing(t *testing.T) {
	a := article(approvedAndAsked, publication(retryScheduled))
	headless := site(v1alpha1.ReviewManual)
	lifecycle.Summarize(a, headless, lifecycle.Target{}, now, lifecycle.Blockers{})
	before := a.DeepCopy()
	lifecycle.Summarize(a, headless, lifecycle.Target{}, now.Add(5*time.Second), lifecycle.Blockers{})
	for i := range before.Status.Conditions {
		if before.Status.Conditions[i] != a.Status.Conditions[i] {
			t.Errorf("condition changed from %v to %v", before.Status.Conditions[i], a.Status.Conditions[i])
		}
	}
}

func TestMessagesAreBounded(t *testing.T) {
	a := article(generated, review(v1alpha1.DecisionRejected, digestA))
	a.Spec.Review.Note = strings.Repeat("ü", 2000)
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	message := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved).Message
	if len(message) > 1024 || !strings.HasPrefix(message, "rejected by mara@acme.example: ü") || strings.ContainsRune(message, '\uFFFD') {
		t.Errorf("message has %d bytes and begins %q, want at most 1024 whole characters", len(message), message[:40])
	}
	if metav1.ConditionFalse != meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionApproved).Status {
		t.Error("Approved is not False")
	}
}

// kubectl describe shows conditions as they are stored.
func TestConditionsTellTheStoryInItsOrder(t *testing.T) {
	a := article(written)
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	noContent(a)
	a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "trail running shoes"}
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	var got []string
	for _, c := range a.Status.Conditions {
		got = append(got, c.Type)
	}
	want := []string{"Generated", "Approved", "Published", "Ready", "Reconciling"}
	if !slices.Equal(got, want) {
		t.Errorf("conditions are %v, want %v", got, want)
	}
}
