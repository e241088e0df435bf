package lifecycle_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// TestNoTextIsLiveWithTooFewApprovals makes 400 histories of an article, or as many as PRESSROOM_APPROVAL_WALKS says: people approve,
// reject, take back and edit, by Approve and Reject and by hand, and the Site changes its number of approvals and its policy. Whenever a
// text is sent, as many people have approved it as the Site asks for then, and nobody rejects it.
func TestNoTextIsLiveWithTooFewApprovals(t *testing.T) {
	total := map[string]int{}
	for n := range histories(t) {
		w := newApprovalWalk(t, n, "ada", "bo", "cy", "dee", "eve", "fay", "gil")
		w.actions = append(w.actions, w.changeApprovals, w.changePolicy)
		w.run(160)
		for what, times := range w.counts {
			total[what] += times
		}
	}
	t.Logf("%d histories: %v", histories(t), total)
	for _, what := range []string{"by 1", "by 2", "by 3", "by policy", "refused", "accepted"} {
		if total[what] == 0 {
			t.Errorf("no history has a text %s: %v", what, total)
		}
	}
}

// One person alone, who may do everything but change the Site, publishes nothing at a Site that asks for two approvals.
func TestOneApproverPublishesNothingWhereTwoAreAskedFor(t *testing.T) {
	for n := range histories(t) {
		w := newApprovalWalk(t, n, "ada")
		w.site.Spec.Review.Approvals = 2
		w.run(160)
		if w.counts["sent"] > 0 || w.counts["approved"] == 0 {
			t.Fatalf("%v", w.counts)
		}
	}
}

func histories(t *testing.T) uint64 {
	t.Helper()
	asked := os.Getenv("PRESSROOM_APPROVAL_WALKS")
	if asked == "" {
		return 400
	}
	n, err := strconv.ParseUint(asked, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// approvalWalk is one history.
type approvalWalk struct {
	t       *testing.T
	seed    uint64
	random  *rand.Rand
	clock   time.Time
	people  []string
	article *v1alpha1.Article
	site    *v1alpha1.Site
	target  lifecycle.Target
	actions []func()
	trace   []string
	counts  map[string]int
	// attempts counts the attempts, and numbers the revisions.
	attempts, numbers int
}

func newApprovalWalk(t *testing.T, seed uint64, people ...string) *approvalWalk {
	t.Helper()
	w := &approvalWalk{
		t: t, seed: seed, random: rand.New(rand.NewPCG(45, seed)), clock: now, people: people, counts: map[string]int{},
		article: article(noGenerate, content("Shoes", "Text 0.")), site: asks(2), target: to(lifecycle.Push),
	}
	w.target.Removes = true
	if w.random.IntN(4) == 0 {
		w.target = to(lifecycle.Pull)
	}
	if w.random.IntN(3) > 0 {
		w.site.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed
	}
	w.actions = []func(){w.approve, w.approve, w.approve, w.approve, w.reject, w.byHand, w.byHand, w.edit, w.inManifest, w.stage, w.stage, w.ask}
	return w
}

func (w *approvalWalk) run(steps int) {
	for range steps {
		w.actions[w.random.IntN(len(w.actions))]()
		if w.random.IntN(3) > 0 {
			w.control()
		}
	}
}

func pick[T any](w *approvalWalk, from []T) T { return from[w.random.IntN(len(from))] }

func (w *approvalWalk) notef(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf(format, args...))
}

func (w *approvalWalk) fatalf(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("history %d: %s\n%s", w.seed, fmt.Sprintf(format, args...), strings.Join(w.trace, "\n"))
}

func digestOf(markdown string) string {
	sum := sha256.Sum256([]byte(markdown))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// digests are those of all texts of a history.
func digests() []string {
	var all []string
	for n := range 4 {
		all = append(all, digestOf(fmt.Sprintf("Text %d.", n)))
	}
	return all
}

func (w *approvalWalk) possible(action lifecycle.ActionName) bool {
	return lifecycle.CheckAction(w.article, w.site, action, w.clock) == nil
}

func (w *approvalWalk) approve() {
	by := pick(w, w.people)
	if !w.possible(lifecycle.ActionApprove) {
		return
	}
	before := lifecycle.ApprovalsOf(w.article, w.site)
	changed := lifecycle.Approve(w.article, w.site, by, pick(w, []string{"", "Fine."}))
	after := lifecycle.ApprovalsOf(w.article, w.site)
	w.notef("%s approves: %t, %s", by, changed, after)
	w.counts["approved"]++
	if len(w.article.Spec.Approvals) > v1alpha1.MaxApprovals {
		w.fatalf("there are %d entries", len(w.article.Spec.Approvals))
	}
	// Nobody's approval is lost by that of somebody else where several are asked for.
	for _, name := range before.Given {
		if before.Required > 1 && !slices.Contains(after.Given, name) {
			w.fatalf("the approval of %s is lost", name)
		}
	}
	if changed && !slices.Contains(after.Given, by) {
		w.fatalf("the approval of %s does not count", by)
	}
}

func (w *approvalWalk) reject() {
	by := pick(w, w.people)
	if w.possible(lifecycle.ActionReject) && w.random.IntN(2) == 0 {
		w.notef("%s rejects", by)
		lifecycle.Reject(w.article, by, "No.")
	}
}

// byHand changes the entry of a person, or spec.review in their name, as the admission policy lets them.
func (w *approvalWalk) byHand() {
	by, spec := pick(w, w.people), &w.article.Spec
	digest := pick(w, append(digests(), digestOf(spec.Content.Markdown), ""))
	at := slices.IndexFunc(spec.Approvals, func(entry v1alpha1.ArticleApproval) bool { return entry.By == by })
	switch w.random.IntN(5) {
	case 0:
		spec.Review = nil
	case 1:
		spec.Review = &v1alpha1.ArticleReview{
			Decision: pick(w, []v1alpha1.ReviewDecision{v1alpha1.DecisionApproved, v1alpha1.DecisionRejected}), By: by, Digest: digest,
		}
	default:
		if at >= 0 {
			spec.Approvals = slices.Delete(spec.Approvals, at, at+1)
		}
		if w.random.IntN(3) > 0 && len(spec.Approvals) < v1alpha1.MaxApprovals {
			spec.Approvals = append(spec.Approvals, v1alpha1.ArticleApproval{By: by, Digest: digest})
		}
	}
	w.notef("%s writes %+v, %+v", by, spec.Review, spec.Approvals)
}

// edit changes the text. An approval without a digest is about the text in the same manifest, so it is taken out.
func (w *approvalWalk) edit() {
	spec := &w.article.Spec
	spec.Content.Markdown = fmt.Sprintf("Text %d.", w.random.IntN(4))
	if spec.Review != nil && spec.Review.Digest == "" {
		spec.Review = nil
	}
	spec.Approvals = slices.DeleteFunc(spec.Approvals, func(entry v1alpha1.ArticleApproval) bool { return entry.Digest == "" })
	w.notef("edit: %s", spec.Content.Markdown)
}

// inManifest applies a text with approvals of people who have read it.
func (w *approvalWalk) inManifest() {
	w.edit()
	spec := &w.article.Spec
	spec.Approvals, spec.Review = nil, nil
	for _, by := range w.people[:1+w.random.IntN(min(3, len(w.people)))] {
		spec.Approvals = append(spec.Approvals, v1alpha1.ArticleApproval{By: by})
	}
	if w.random.IntN(2) == 0 {
		spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: pick(w, w.people)}
	}
	w.notef("applied with %+v, %+v", spec.Review, spec.Approvals)
}

func (w *approvalWalk) stage() {
	w.article.Spec.Stage = v1alpha1.StagePublished
	if w.random.IntN(4) == 0 {
		w.article.Spec.Stage = pick(w, []v1alpha1.ArticleStage{v1alpha1.StageDraft, v1alpha1.StageReview, v1alpha1.StageArchived})
	}
	w.notef("stage %s", w.article.Spec.Stage)
}

// ask asks for a redelivery, or takes the post back.
func (w *approvalWalk) ask() {
	kind := pick(w, []string{v1alpha1.RedeliverAnnotation, v1alpha1.UnpublishAnnotation})
	w.article.Annotations[kind] = strconv.Itoa(w.random.Int())
	w.notef("%s", kind)
}

func (w *approvalWalk) changeApprovals() {
	if w.site.Spec.Review.Policy == v1alpha1.ReviewManual {
		w.site.Spec.Review.Approvals = w.random.Int32N(6)
		w.notef("the site asks for %d approvals", w.site.Spec.Review.Approvals)
	}
}

func (w *approvalWalk) changePolicy() {
	switch w.random.IntN(6) {
	case 0:
		w.site.Spec.Review = v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic}
	case 1, 2:
		w.site.Spec.Review = v1alpha1.SiteReview{Policy: v1alpha1.ReviewManual, Approvals: 1 + w.random.Int32N(5)}
	}
	w.notef("the site's review is %+v", w.site.Spec.Review)
}

// control does what the controller does, until nothing is due.
func (w *approvalWalk) control() {
	w.article.Generation++
	for range 10 {
		d := lifecycle.Next(w.article, w.site, w.target, w.clock)
		w.attempts++
		by := cycles.AttemptID{ID: strconv.Itoa(w.attempts), Holder: "h"}
		switch d.Step {
		case lifecycle.MakeRevision:
			w.numbers++
			record.MakeCurrent(w.article, v1alpha1.CurrentRevision{
				Name: fmt.Sprintf("shoes-%d", w.numbers), Number: int32(w.numbers), Digest: digestOf(w.article.Spec.Content.Markdown), Title: "Shoes",
				Source: v1alpha1.SourceWritten, ContentHash: lifecycle.ContentHash(w.article.Spec.Content),
				CreationTime: v1alpha1.NewMicroTime(w.clock),
			})
		case lifecycle.GiveUpRevisions:
			numbers, _ := lifecycle.QuietRevisions(w.article)
			record.GiveUpRevisions(w.article, numbers)
		case lifecycle.BeginCycle:
			w.sends(d.Want)
			record.BeginCycle(w.article, w.site, d.Want, postName, by, w.clock)
		case lifecycle.RetryCycle:
			w.sends(d.Want)
			record.RetryCycle(w.article, w.site, postName, by, w.clock)
		case lifecycle.ByPull:
			w.sends(d.Want)
			record.ByPull(w.article, d.Want, postName, w.clock)
		case lifecycle.FollowCycle:
			if w.random.IntN(3) == 0 {
				w.summarize()
				return
			}
			w.ends()
		case lifecycle.DropCycle:
			record.DropCycle(w.article, w.site, d.Want)
		case lifecycle.Wait:
			w.summarize()
			if !d.Until.IsZero() && w.random.IntN(2) == 0 {
				w.clock = d.Until
			}
			return
		default:
			w.fatalf("the step %s", d.Step)
		}
		w.notef("  %s %s", d.Step, d.Want.Revision.Digest)
		w.summarize()
	}
}

// ends ends an attempt: it is accepted, refused, or not answered.
func (w *approvalWalk) ends() {
	outcome := pick(w, []v1alpha1.AttemptOutcome{v1alpha1.AttemptAccepted, v1alpha1.AttemptAccepted, v1alpha1.AttemptRejected, v1alpha1.AttemptTimeout})
	e := cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: outcome}}
	if outcome == v1alpha1.AttemptAccepted {
		w.counts["accepted"]++
	}
	record.EndAttempt(w.article, e, v1alpha1.SitePost{}, cycles.Schedule{Delays: []time.Duration{time.Minute}, Random: 0.5}, w.clock)
}

// names returns who has approved a text, read from the manifest alone, and whether somebody rejects it.
func (w *approvalWalk) names(digest string) (names map[string]bool, rejected bool) {
	spec, names := w.article.Spec, map[string]bool{}
	means := func(given string) bool {
		return given == digest || given == "" && digestOf(spec.Content.Markdown) == digest
	}
	for _, entry := range spec.Approvals {
		if means(entry.Digest) {
			names[entry.By] = true
		}
	}
	if r := spec.Review; r != nil && means(r.Digest) {
		rejected = r.Decision == v1alpha1.DecisionRejected
		names[r.By] = !rejected
		if rejected {
			delete(names, r.By)
		}
	}
	return names, rejected
}

// sends checks what an attempt is about to send. The live text may be sent again: it was approved when it was sent first.
func (w *approvalWalk) sends(want lifecycle.Want) {
	digest := want.Revision.Digest
	if want.Kind != lifecycle.WantPut || digest == lifecycle.LiveDigest(w.article) {
		return
	}
	w.counts["sent"]++
	names, rejected := w.names(digest)
	asked := max(1, int(w.site.Spec.Review.Approvals))
	switch {
	case rejected:
		w.fatalf("%s is sent, and it is rejected", digest)
	case w.site.Spec.Review.Policy == v1alpha1.ReviewAutomatic:
		w.counts["by policy"]++
	case len(names) < asked:
		w.fatalf("%s is sent with the approvals of %v, and the site asks for %d", digest, names, asked)
	default:
		w.counts[fmt.Sprintf("by %d", asked)]++
	}
}

// summarize checks that the condition Approved says what the manifest does of a text that the site does not have.
func (w *approvalWalk) summarize() {
	lifecycle.Summarize(w.article, w.site, w.target, w.clock, lifecycle.Blockers{})
	r := w.article.Status.Revision
	if r == nil || lifecycle.Outdated(w.article, w.site) || lifecycle.NothingToReview(w.article, w.site) ||
		w.site.Spec.Review.Policy == v1alpha1.ReviewAutomatic || r.Digest == lifecycle.LiveDigest(w.article) {
		return
	}
	if c := lifecycle.CycleOf(w.article); c.State == v1alpha1.CycleInProgress && c.Revision != nil && c.Revision.Digest == r.Digest {
		return // It was approved when the attempt began.
	}
	names, rejected := w.names(r.Digest)
	enough := len(names) >= max(1, int(w.site.Spec.Review.Approvals))
	got := conditionOf(w.article, v1alpha1.ConditionApproved)
	if (got == "True/Approved") != (enough && !rejected) {
		w.fatalf("Approved is %s with the approvals of %v, rejected: %t, and the site asks for %d", got, names, rejected, w.site.Spec.Review.Approvals)
	}
	if partly := len(names) > 0 && !enough && !rejected; (got == "False/AwaitingApprovals") != partly {
		w.fatalf("Approved is %s with the approvals of %v, and the site asks for %d", got, names, w.site.Spec.Review.Approvals)
	}
	if !enough {
		w.counts["refused"]++
	}
}
