package lifecycle_test

import (
	"cmp"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

func TestNext(t *testing.T) {
	headless := site(v1alpha1.ReviewManual)
	automatic := site(v1alpha1.ReviewAutomatic)
	regenerate := annotation(v1alpha1.RegenerateAnnotation, "n2")
	redeliver := annotation(v1alpha1.RedeliverAnnotation, "n2")
	asked := stage(v1alpha1.StagePublished)
	in := now.Add(time.Minute)
	for _, row := range []struct {
		name      string
		site      *v1alpha1.Site
		mode      lifecycle.Mode // Push if empty
		changes   []with
		want      lifecycle.Step
		wantUntil time.Time
	}{
		{name: "a request starts a run", site: headless, want: lifecycle.StartRun},
		{name: "no run for an article without a site", site: nil, want: lifecycle.Wait},
		{name: "no run for an archived article", site: headless, changes: []with{stage(v1alpha1.StageArchived)}, want: lifecycle.Wait},
		{name: "no run if the author wrote the body", site: headless, changes: []with{content("T", "Body.")}, want: lifecycle.MakeRevision},
		{name: "fields without a body wait for the run", site: headless, changes: []with{content("T", "")}, want: lifecycle.StartRun},
		{name: "a running attempt is followed", site: headless, changes: []with{run(v1alpha1.RunRunning)}, want: lifecycle.FollowRun},
		{name: "a running attempt is followed without a site", site: nil, changes: []with{run(v1alpha1.RunRunning)}, want: lifecycle.FollowRun},
		{name: "a running attempt is followed in an archived article", site: headless, changes: []with{run(v1alpha1.RunRunning), stage(v1alpha1.StageArchived)}, want: lifecycle.FollowRun},
		{name: "content waits for a running attempt", site: headless, changes: []with{run(v1alpha1.RunRunning), content("T", "Body.")}, want: lifecycle.FollowRun},
		{name: "a retry waits for its time", site: headless, changes: []with{run(v1alpha1.RunRetryScheduled)}, want: lifecycle.Wait, wantUntil: in},
		{name: "a retry is made when it is due", site: headless, changes: []with{run(v1alpha1.RunRetryScheduled), makeDue}, want: lifecycle.RetryRun},
		{name: "a changed request goes into the retry", site: headless, changes: []with{run(v1alpha1.RunRetryScheduled), makeDue, keyword("other")}, want: lifecycle.RetryRun},
		{name: "the author's body supersedes a waiting run", site: headless, changes: []with{run(v1alpha1.RunRetryScheduled), content("T", "Body.")}, want: lifecycle.Supersede},
		{name: "a failed run is not repeated", site: headless, changes: []with{run(v1alpha1.RunFailed)}, want: lifecycle.Wait},
		{name: "a failed run's credit is given back", site: headless, changes: []with{run(v1alpha1.RunFailed), charge(v1alpha1.RefundDue)}, want: lifecycle.RefundRun},
		{name: "a credit is given back only once", site: headless, changes: []with{run(v1alpha1.RunFailed), charge(v1alpha1.Refunded)}, want: lifecycle.Wait},
		{name: "a prepaid run is started", site: headless, changes: []with{prepaid(v1alpha1.Charged)}, want: lifecycle.StartRun},
		{name: "a prepaid run is given back for the author's body", site: headless, changes: []with{prepaid(v1alpha1.Charged), content("T", "Body.")}, want: lifecycle.ReturnCredit},
		{name: "a prepaid run is given back if nothing is to be generated", site: headless, changes: []with{prepaid(v1alpha1.Charged), written}, want: lifecycle.ReturnCredit},
		{name: "a prepaid run is given back by an archived article", site: headless, changes: []with{prepaid(v1alpha1.Charged), stage(v1alpha1.StageArchived)}, want: lifecycle.ReturnCredit},
		{name: "a prepaid run is given back without a site", site: nil, changes: []with{prepaid(v1alpha1.Charged)}, want: lifecycle.ReturnCredit},
		{name: "a prepaid run that is being given back is not started", site: headless, changes: []with{prepaid(v1alpha1.RefundDue)}, want: lifecycle.ReturnCredit},
		{name: "a prepaid run is not given back during another one", site: headless, changes: []with{prepaid(v1alpha1.Charged), run(v1alpha1.RunRunning), stage(v1alpha1.StageArchived)}, want: lifecycle.FollowRun},
		{name: "a failed run is repeated for a changed request", site: headless, changes: []with{run(v1alpha1.RunFailed), keyword("other")}, want: lifecycle.StartRun},
		{name: "a failed run is repeated for a nonce", site: headless, changes: []with{run(v1alpha1.RunFailed), regenerate}, want: lifecycle.StartRun},
		{name: "a nonce starts a run", site: headless, changes: []with{generated, regenerate}, want: lifecycle.StartRun},
		{name: "a nonce starts one run", site: headless, changes: []with{regenerate, generated}, want: lifecycle.Wait},
		{name: "a nonce starts nothing beside a written body", site: headless, changes: []with{content("T", "Body."), revision(digestA), regenerate}, want: lifecycle.Wait},
		{name: "a nonce starts a run once the written body is gone", site: headless, changes: []with{content("T", "Body."), revision(digestA), noContent, regenerate}, want: lifecycle.StartRun},
		{name: "a body that is taken back is generated", site: headless, changes: []with{content("T", "Body."), revision(digestA), noContent}, want: lifecycle.StartRun},
		{name: "a body that took the place of a run and is taken back is generated", site: headless, changes: []with{run(v1alpha1.RunSuperseded), content("T", "Body."), revision(digestA), noContent}, want: lifecycle.StartRun},
		{name: "a body that is taken back gives the generated text back", site: headless, changes: []with{generated, content("T", "Body."), over(1), noContent}, want: lifecycle.MakeRevision},
		{name: "fields that are taken back give the generated ones back", site: headless, changes: []with{generated, content("T", ""), over(1), noContent}, want: lifecycle.MakeRevision},
		{name: "fields beside a body that is taken back lie over the generated text", site: headless, changes: []with{generated, content("T", "Body."), over(1), content("T", "")}, want: lifecycle.MakeRevision},
		{name: "fields wait for the run of a changed request", site: headless, changes: []with{generated, keyword("other"), content("T", "")}, want: lifecycle.StartRun},
		{name: "a nonce starts nothing if nothing is to be generated", site: headless, changes: []with{written, regenerate}, want: lifecycle.Wait},
		{name: "a nonce starts nothing once published", site: headless, changes: []with{approvedAndAsked, publication(isPublished), regenerate}, want: lifecycle.Wait},
		{name: "changed content makes no revision once published", site: headless, changes: []with{written, stage(v1alpha1.StagePublished), publication(isPublished), content("Shoes", "Other.")}, want: lifecycle.Wait},
		{name: "a changed request starts no run once published", site: headless, changes: []with{approvedAndAsked, publication(isPublished), keyword("other")}, want: lifecycle.Wait},
		{name: "an attempt in progress goes on with the text that it began with", site: headless, changes: []with{written, stage(v1alpha1.StagePublished), publication(beingDelivered), content("Shoes", "Other.")}, want: lifecycle.FollowCycle},
		{name: "content that changed during a failed attempt makes a revision", site: headless, changes: []with{written, stage(v1alpha1.StagePublished), publication(isCancelled), content("Shoes", "Other.")}, want: lifecycle.MakeRevision},
		{name: "an article that was created again with another text goes back to the live one", site: headless, changes: []with{written, otherIsLive, content("Shoes", "Live.")}, want: lifecycle.MakeRevision},
		{name: "nothing is generated for an article that was created again without its live text", site: headless, changes: []with{publication(isPublished)}, want: lifecycle.Wait},
		{name: "a published article whose stage goes back stays", site: headless, changes: []with{approvedAndAsked, publication(isPublished), stage(v1alpha1.StageReview)}, want: lifecycle.Wait},
		{name: "a delivery ends whose article is archived between attempts", site: headless, changes: []with{approvedAndAsked, publication(retryScheduled), stage(v1alpha1.StageArchived)}, want: lifecycle.DropCycle},
		{name: "a delivery ends whose article is archived without its site", site: nil, changes: []with{approvedAndAsked, publication(retryScheduled), stage(v1alpha1.StageArchived)}, want: lifecycle.DropCycle},
		{name: "a delivery ends whose publication is cancelled", site: headless, changes: []with{approvedAndAsked, publication(retryScheduled), stage(v1alpha1.StageReview)}, want: lifecycle.DropCycle},
		{name: "a delivery ends whose text is edited", site: headless, changes: []with{written, stage(v1alpha1.StagePublished), publication(retryScheduled), content("Shoes", "Other.")}, want: lifecycle.DropCycle},
		{name: "a delivery ends whose text is to be generated again", site: headless, changes: []with{approvedAndAsked, publication(retryScheduled), regenerate}, want: lifecycle.DropCycle},
		{name: "a delivery ends whose time is put off", site: headless, changes: []with{approvedAndAsked, publication(retryScheduled), publishAfter(in)}, want: lifecycle.DropCycle},
		{name: "a redelivery ends whose article is archived", site: headless, changes: []with{approvedAndAsked, publication(isPublished), redeliveryWaits, stage(v1alpha1.StageArchived)}, want: lifecycle.DropCycle},
		{name: "a redelivery goes on whose article is edited", site: headless, changes: []with{approvedAndAsked, publication(isPublished), redeliveryWaits, keyword("other")}, want: lifecycle.Wait, wantUntil: in},
		{name: "a delivery waits for a site that is gone", site: nil, changes: []with{approvedAndAsked, publication(retryScheduled)}, want: lifecycle.Wait},
		{name: "a cancelled delivery of an archived article stays cancelled", site: headless, changes: []with{approvedAndAsked, publication(isCancelled), stage(v1alpha1.StageArchived)}, want: lifecycle.Wait},
		{name: "a cancelled delivery starts again when it is wanted again", site: headless, changes: []with{approvedAndAsked, publication(isCancelled)}, want: lifecycle.BeginCycle},
		{name: "changed content makes a revision", site: headless, changes: []with{written, content("Shoes", "Other.")}, want: lifecycle.MakeRevision},
		{name: "changed fields over a generated text make a revision", site: headless, changes: []with{generated, content("Better title", "")}, want: lifecycle.MakeRevision},
		{name: "content that is taken in makes no more", site: headless, changes: []with{written}, want: lifecycle.Wait},

		{name: "nothing is published that nobody asked for", site: headless, changes: []with{generated, review(v1alpha1.DecisionApproved, digestA)}, want: lifecycle.Wait},
		{name: "nothing is published without an approval", site: headless, changes: []with{generated, asked}, want: lifecycle.Wait},
		{name: "nothing is published that was rejected", site: automatic, changes: []with{generated, asked, review(v1alpha1.DecisionRejected, digestA)}, want: lifecycle.Wait},
		{name: "nothing is published on an approval of other content", site: headless, changes: []with{generated, asked, review(v1alpha1.DecisionApproved, digestB)}, want: lifecycle.Wait},
		{name: "nothing is published before its time", site: headless, changes: []with{approvedAndAsked, publishAfter(in)}, want: lifecycle.Wait, wantUntil: in},
		{name: "nothing is published while another text is asked for", site: headless, changes: []with{approvedAndAsked, regenerate}, want: lifecycle.StartRun},
		{name: "nothing is published that the manifest no longer has", site: headless, changes: []with{
			stage(v1alpha1.StagePublished), content("T", "Body."), revision(digestA), review(v1alpha1.DecisionApproved, digestA), noContent, run(v1alpha1.RunFailed),
		}, want: lifecycle.Wait},
		{name: "an approved article is delivered", site: headless, changes: []with{approvedAndAsked}, want: lifecycle.BeginCycle},
		{name: "an approved article is delivered when its time has come", site: headless, changes: []with{approvedAndAsked, publishAfter(now)}, want: lifecycle.BeginCycle},
		{name: "the site's policy approves", site: automatic, changes: []with{generated, asked}, want: lifecycle.BeginCycle},
		{name: "a site that pulls is sent nothing", site: headless, mode: lifecycle.Pull, changes: []with{approvedAndAsked}, want: lifecycle.ByPull},
		{name: "an unsupported CMS fails", site: headless, mode: lifecycle.Unsupported, changes: []with{approvedAndAsked}, want: lifecycle.FailUnsupported},
		{name: "an unsupported CMS fails once", site: headless, mode: lifecycle.Unsupported, changes: []with{approvedAndAsked, publication(hasFailed)}, want: lifecycle.Wait},
		{name: "a failure of an unsupported CMS is mended by another", site: headless, changes: []with{approvedAndAsked, publication(hasFailed), func(a *v1alpha1.Article) {
			a.Status.Publication.Cycle.Reason = v1alpha1.ReasonNotSupportedYet
		}}, want: lifecycle.BeginCycle},

		{name: "an attempt in progress is followed", site: headless, changes: []with{approvedAndAsked, publication(beingDelivered)}, want: lifecycle.FollowCycle},
		{name: "an attempt in progress is followed without a site", site: nil, changes: []with{approvedAndAsked, publication(beingDelivered)}, want: lifecycle.FollowCycle},
		{name: "a delivery's retry waits for its time", site: headless, changes: []with{approvedAndAsked, publication(retryScheduled)}, want: lifecycle.Wait, wantUntil: in},
		{name: "a delivery's retry is made when it is due", site: headless, changes: []with{approvedAndAsked, publication(retryScheduled), makeDue}, want: lifecycle.RetryCycle},
		{name: "a delivery ends whose text is rejected", site: headless, changes: []with{approvedAndAsked, publication(retryScheduled), makeDue, review(v1alpha1.DecisionRejected, digestA)}, want: lifecycle.DropCycle},
		{name: "a delivery ends for another approved text", site: headless, changes: []with{approvedAndAsked, publication(retryScheduled), func(a *v1alpha1.Article) {
			a.Status.Revision.Name, a.Status.Revision.Digest = "shoes-2", digestB
			a.Spec.Review.Digest = digestB
		}}, want: lifecycle.DropCycle},
		{name: "a failed delivery is not repeated by itself", site: headless, changes: []with{approvedAndAsked, publication(hasFailed)}, want: lifecycle.Wait},
		{name: "a failed delivery is repeated for a nonce", site: headless, changes: []with{approvedAndAsked, publication(hasFailed), redeliver}, want: lifecycle.BeginCycle},
		{name: "a nonce is acted on once", site: headless, changes: []with{approvedAndAsked, redeliver, publication(hasFailed)}, want: lifecycle.Wait},
		{name: "a published article is not delivered again", site: headless, changes: []with{approvedAndAsked, publication(isPublished)}, want: lifecycle.Wait},
		{name: "the live text is delivered again for a nonce, whatever the manifest says by now", site: headless, changes: []with{
			written, stage(v1alpha1.StagePublished), publication(isPublished), content("Shoes", "Other."), redeliver,
		}, want: lifecycle.BeginCycle},
		{name: "a published article is delivered again for a nonce", site: headless, changes: []with{approvedAndAsked, publication(isPublished), redeliver}, want: lifecycle.BeginCycle},
		{name: "nothing is delivered again to a site that pulls", site: headless, mode: lifecycle.Pull, changes: []with{approvedAndAsked, publication(isPublished), redeliver}, want: lifecycle.Wait},
		{name: "a redelivery's retry is made when it is due", site: headless, changes: []with{approvedAndAsked, publication(isPublished), redeliveryWaits, makeDue}, want: lifecycle.RetryCycle},
		{name: "nothing is done for an article that is going", site: headless, changes: []with{func(a *v1alpha1.Article) {
			a.DeletionTimestamp = &metav1.Time{Time: now}
		}}, want: lifecycle.Wait},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := article(row.changes...)
			mode := cmp.Or(row.mode, lifecycle.Push)
			got := lifecycle.Next(a, row.site, to(mode), now)
			if got.Step != row.want || !got.Until.Equal(row.wantUntil) {
				t.Errorf("Next = %s until %v, want %s until %v", got.Step, got.Until, row.want, row.wantUntil)
			}
		})
	}
}

func TestADroppedRetrySaysWhyAndForgetsNothing(t *testing.T) {
	for _, row := range []struct {
		name       string
		changes    []with
		wantPhase  v1alpha1.ArticlePhase
		wantReason string
	}{
		{"archived", []with{publication(retryScheduled), stage(v1alpha1.StageArchived)}, v1alpha1.PhaseArchived, v1alpha1.ReasonArchived},
		{"its publication cancelled", []with{publication(retryScheduled), stage(v1alpha1.StageReview)},
			v1alpha1.PhaseApproved, v1alpha1.ReasonNotRequested},
		{"edited", []with{publication(retryScheduled), content("Shoes", "Other.")}, v1alpha1.PhaseReview, v1alpha1.ReasonContentChanged},
		{"rejected", []with{publication(retryScheduled), review(v1alpha1.DecisionRejected, digestA)},
			v1alpha1.PhaseRejected, v1alpha1.ReasonNotApproved},
		{"put off", []with{publication(retryScheduled), publishAfter(now.Add(time.Hour))}, v1alpha1.PhaseScheduled, v1alpha1.ReasonScheduled},
		{"archived during a redelivery", []with{publication(isPublished), redeliveryWaits, stage(v1alpha1.StageArchived)},
			v1alpha1.PhaseArchived, v1alpha1.ReasonArchived},
	} {
		a, s := article(append([]with{approvedAndAsked}, row.changes...)...), site(v1alpha1.ReviewManual)
		before := lifecycle.Have(a)
		record.DropCycle(a, s, lifecycle.Wanted(a, s, to(lifecycle.Push), now))
		p := a.Status.Publication
		if p.Cycle.State != v1alpha1.CycleCancelled || p.Cycle.Reason != row.wantReason || p.Cycle.NextAttemptTime != nil {
			t.Errorf("%s: the cycle is %+v, want %s", row.name, p.Cycle, row.wantReason)
		}
		if p.Post.State != before.State || p.Post.Maybe != before.Maybe {
			t.Errorf("%s: what the site may have is %+v, want %+v", row.name, p.Post, before)
		}
		if got := lifecycle.Phase(a, nil, now); got != row.wantPhase {
			t.Errorf("%s: the phase is %s, want %s", row.name, got, row.wantPhase)
		}
	}
}
