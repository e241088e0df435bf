package lifecycle_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// removing is a site that unpublishes what is archived.
func removing() *v1alpha1.Site {
	s := site(v1alpha1.ReviewManual)
	s.Spec.Publishing.Removal = v1alpha1.RemovalUnpublish
	return s
}

// atCMS is published at a CMS, which has answered what it has.
func atCMS(a *v1alpha1.Article) {
	approvedAndAsked(a)
	publication(isPublished)(a)
	a.Status.Publication.Post.ContentHash, a.Status.Publication.Post.ExternalID = "0123456789abcdef", "7"
	at := v1alpha1.NewMicroTime(now.Add(-time.Hour))
	a.Status.Publication.Post.PublishTime = &at
}

func unpublishAsked(a *v1alpha1.Article) { annotation(v1alpha1.UnpublishAnnotation, "n1")(a) }

// The causes for which a cycle takes a post back.
const (
	requested = "n1"
	archived  = ""
)

// unpublishCycle takes the post back, because of a request or of the archive, with a cycle in a state.
func unpublishCycle(nonce string, state v1alpha1.CycleState, reason string) with {
	return func(a *v1alpha1.Article) {
		command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.UnpublishAnnotation)
		updateCycle(state, reason)(a)
		p := a.Status.Publication
		p.Cycle.Purpose, p.Cycle.Revision, p.Cycle.RequestNonce = v1alpha1.PurposeRemove, nil, nonce
		if p.Post.State, p.Post.Maybe = v1alpha1.PostPresent, nil; reason != v1alpha1.ReasonChangedAtSite {
			p.Post.State, p.Post.Maybe = v1alpha1.PostUncertain, &v1alpha1.UncertainWrite{Purpose: v1alpha1.PurposeRemove}
		}
	}
}

// unpublished has no post any more.
func unpublished(a *v1alpha1.Article) {
	atCMS(a)
	unpublishAsked(a)
	beginRemoval(a, cycles.AttemptID{ID: "1"}, now)
	end(a, cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted}}, cycles.Schedule{}, now)
}

// The step, what the conditions say, and the phase.
func TestUnpublish(t *testing.T) {
	in := now.Add(time.Minute)
	redeliver := annotation(v1alpha1.RedeliverAnnotation, "n2")
	wrong := unpublishCycle(requested, v1alpha1.CycleFailed, v1alpha1.ReasonWrongCredentials)
	for _, row := range []struct {
		name                       string
		site                       *v1alpha1.Site
		mode                       lifecycle.Mode // Push if empty
		changes                    []with
		want                       lifecycle.Step
		wantUntil                  time.Time
		published, upToDate, ready string
		phase                      v1alpha1.ArticlePhase
	}{
		{name: "a request", changes: []with{atCMS, unpublishAsked}, want: lifecycle.BeginCycle, published: "True/Delivered", upToDate: "False/Unpublishing", ready: "False/Unpublishing", phase: v1alpha1.PhasePublished},
		{name: "a request before the first publication waits for nothing", changes: []with{approvedAndAsked, unpublishAsked}, want: lifecycle.BeginCycle, published: "False/Progressing", ready: "False/Progressing", phase: v1alpha1.PhaseApproved},
		{name: "a request comes before a redelivery", changes: []with{atCMS, redeliver, unpublishAsked}, want: lifecycle.BeginCycle, published: "True/Delivered", upToDate: "False/Unpublishing", ready: "False/Unpublishing", phase: v1alpha1.PhasePublished},
		{name: "an attempt is followed", changes: []with{atCMS, unpublishAsked, unpublishCycle(requested, v1alpha1.CycleInProgress, "")}, want: lifecycle.FollowCycle, published: "True/Delivered", upToDate: "False/Unpublishing", ready: "False/Unpublishing", phase: v1alpha1.PhasePublished},
		{name: "a retry waits", changes: []with{atCMS, unpublishAsked, unpublishCycle(requested, v1alpha1.CycleRetryScheduled, v1alpha1.ReasonRetryScheduled)}, want: lifecycle.Wait, wantUntil: in, published: "True/Delivered", upToDate: "False/RetryScheduled", ready: "False/RetryScheduled", phase: v1alpha1.PhasePublished},
		{name: "a retry is made of an article that is archived meanwhile", changes: []with{atCMS, unpublishAsked, stage(v1alpha1.StageArchived), unpublishCycle(requested, v1alpha1.CycleRetryScheduled, v1alpha1.ReasonRetryScheduled), makeDue}, want: lifecycle.RetryCycle, published: "True/Delivered", upToDate: "False/RetryScheduled", ready: "False/RetryScheduled", phase: v1alpha1.PhaseArchived},
		{name: "what has failed waits for a person", changes: []with{atCMS, unpublishAsked, unpublishCycle(requested, v1alpha1.CycleFailed, v1alpha1.ReasonExhausted)}, want: lifecycle.Wait, published: "True/Delivered", upToDate: "False/Exhausted", ready: "False/DeliveryFailed", phase: v1alpha1.PhasePublished},
		{name: "a post that was changed in the CMS waits for a person", changes: []with{atCMS, unpublishAsked, unpublishCycle(requested, v1alpha1.CycleFailed, v1alpha1.ReasonChangedAtSite), connected}, want: lifecycle.Wait, published: "True/Delivered", upToDate: "False/ChangedAtSite", ready: "True/ChangedAtSite", phase: v1alpha1.PhasePublished},
		{name: "another request tries again", changes: []with{atCMS, unpublishAsked, unpublishCycle(requested, v1alpha1.CycleFailed, v1alpha1.ReasonExhausted), annotation(v1alpha1.UnpublishAnnotation, "n2")}, want: lifecycle.BeginCycle, published: "True/Delivered", upToDate: "False/Unpublishing", ready: "False/Unpublishing", phase: v1alpha1.PhasePublished},
		{name: "other credentials try again", changes: []with{atCMS, unpublishAsked, wrong}, want: lifecycle.BeginCycle, published: "True/Delivered", upToDate: "False/Unpublishing", ready: "False/Unpublishing", phase: v1alpha1.PhasePublished},
		{name: "a redelivery puts the text there after all", changes: []with{atCMS, unpublishAsked, unpublishCycle(requested, v1alpha1.CycleFailed, v1alpha1.ReasonExhausted), redeliver}, want: lifecycle.BeginCycle, published: "True/Delivered", upToDate: "False/SiteUncertain", ready: "True/Delivered", phase: v1alpha1.PhasePublished},
		{name: "a redelivery puts it there also with other credentials", changes: []with{atCMS, unpublishAsked, wrong, redeliver}, want: lifecycle.BeginCycle, phase: v1alpha1.PhasePublished},
		{name: "no site", site: noSite, changes: []with{atCMS, unpublishAsked}, want: lifecycle.Wait, phase: v1alpha1.PhasePublished},

		{name: "unpublished", changes: []with{unpublished}, want: lifecycle.Wait, published: "False/Unpublished", ready: "True/Unpublished", phase: v1alpha1.PhaseApproved},
		{name: "a time to publish does not bring it back", changes: []with{unpublished, publishAfter(in)}, want: lifecycle.Wait, published: "False/Unpublished", ready: "True/Unpublished", phase: v1alpha1.PhaseApproved},
		{name: "another approved text does not bring it back", changes: []with{unpublished, content("Shoes", "Run near."), over(1), approvedB}, want: lifecycle.Wait, published: "False/Unpublished", ready: "True/Unpublished", phase: v1alpha1.PhaseApproved},
		{name: "another text is reviewed as before the publication", changes: []with{unpublished, content("Shoes", "Run near."), over(1)}, want: lifecycle.Wait, published: "False/Unpublished", ready: "True/ContentChanged", phase: v1alpha1.PhaseReview},
		{name: "a redelivery brings it back", changes: []with{unpublished, redeliver}, want: lifecycle.BeginCycle, published: "False/Progressing", ready: "False/Progressing", phase: v1alpha1.PhaseApproved},
		{name: "a text that is not approved does not come back", changes: []with{unpublished, content("Shoes", "Run near."), over(1), redeliver}, want: lifecycle.Wait, phase: v1alpha1.PhaseReview},
		{name: "the stage asks no more", changes: []with{unpublished, stage(v1alpha1.StageReview)}, want: lifecycle.Wait, published: "False/Unpublished", ready: "True/Unpublished", phase: v1alpha1.PhaseApproved},
		{name: "the stage asks again", changes: []with{unpublished, stage(v1alpha1.StageReview), observed, stage(v1alpha1.StagePublished)}, want: lifecycle.BeginCycle, published: "False/Progressing", ready: "False/Progressing", phase: v1alpha1.PhaseApproved},
		{name: "unpublished again while its publication waits", changes: []with{unpublished, stage(v1alpha1.StageReview), observed, stage(v1alpha1.StagePublished), annotation(v1alpha1.UnpublishAnnotation, "n2"), redeliver}, want: lifecycle.Wait, published: "False/Unpublished", ready: "True/Unpublished", phase: v1alpha1.PhaseApproved},
		{name: "archived after it was unpublished", changes: []with{unpublished, stage(v1alpha1.StageArchived)}, want: lifecycle.Wait, published: "False/Unpublished", ready: "True/Archived", phase: v1alpha1.PhaseArchived},

		{name: "archiving keeps the post", changes: []with{atCMS, stage(v1alpha1.StageArchived)}, want: lifecycle.Wait, published: "True/Delivered", upToDate: "True/UpToDate", ready: "True/Archived", phase: v1alpha1.PhaseArchived},
		{name: "archiving takes the post back", site: removing(), changes: []with{atCMS, stage(v1alpha1.StageArchived)}, want: lifecycle.BeginCycle, published: "True/Delivered", upToDate: "False/Unpublishing", ready: "False/Unpublishing", phase: v1alpha1.PhaseArchived},
		{name: "archiving has failed to take the post back", site: removing(), changes: []with{atCMS, stage(v1alpha1.StageArchived), unpublishCycle(archived, v1alpha1.CycleFailed, v1alpha1.ReasonExhausted)}, want: lifecycle.Wait, published: "True/Delivered", upToDate: "False/Exhausted", ready: "False/DeliveryFailed", phase: v1alpha1.PhaseArchived},
		{name: "unarchived before the retry", site: removing(), changes: []with{atCMS, unpublishCycle(archived, v1alpha1.CycleRetryScheduled, v1alpha1.ReasonRetryScheduled)}, want: lifecycle.DropCycle, phase: v1alpha1.PhasePublished},
		{name: "unarchived after it was unpublished and asked for", site: removing(), changes: []with{unpublished, stage(v1alpha1.StageArchived), observed, stage(v1alpha1.StagePublished)}, want: lifecycle.BeginCycle, phase: v1alpha1.PhaseApproved},

		{name: "a site that pulls", mode: lifecycle.Pull, changes: []with{pulled, unpublishAsked}, want: lifecycle.ByPull, published: "True/Published", upToDate: "False/Unpublishing", ready: "False/Unpublishing", phase: v1alpha1.PhasePublished},
		{name: "a site that pulls no more", mode: lifecycle.Pull, changes: []with{pulled, unpublishAsked, byPull}, want: lifecycle.Wait, published: "False/Unpublished", ready: "True/Unpublished", phase: v1alpha1.PhaseApproved},
		{name: "a site that pulls it again", mode: lifecycle.Pull, changes: []with{pulled, unpublishAsked, byPull, redeliver}, want: lifecycle.ByPull, phase: v1alpha1.PhaseApproved},
		{name: "publishing is not supported", mode: lifecycle.Unsupported, changes: []with{atCMS, unpublishAsked}, want: lifecycle.FailUnsupported, phase: v1alpha1.PhasePublished},
	} {
		t.Run(row.name, func(t *testing.T) {
			a, s, mode := article(row.changes...), site(v1alpha1.ReviewManual), lifecycle.Push
			switch row.site {
			case nil:
			case noSite:
				s = nil
			default:
				s = row.site
			}
			if row.mode != "" {
				mode = row.mode
			}
			lifecycle.SyncHold(a)
			if got := lifecycle.Next(a, s, to(mode), now); got.Step != row.want || !got.Until.Equal(row.wantUntil) {
				t.Errorf("Next = %s until %s, want %s until %s", got.Step, got.Until, row.want, row.wantUntil)
			}
			if got := lifecycle.Phase(a, nil, now); got != row.phase {
				t.Errorf("the phase is %s, want %s", got, row.phase)
			}
			if row.published == "" {
				return
			}
			lifecycle.Summarize(a, s, lifecycle.Target{}, now, lifecycle.Blockers{})
			for kind, want := range map[string]string{
				v1alpha1.ConditionPublished: row.published, v1alpha1.ConditionUpToDate: row.upToDate, v1alpha1.ConditionReady: row.ready,
				v1alpha1.ConditionRedelivered: "",
			} {
				if got := conditionOf(a, kind); got != want {
					t.Errorf("%s = %q, want %q", kind, got, want)
				}
			}
		})
	}
}

// noSite stands for a Site that does not exist.
var noSite = &v1alpha1.Site{}

// observed is the controller's look at the article.
func observed(a *v1alpha1.Article) { lifecycle.SyncHold(a) }

func pulled(a *v1alpha1.Article) {
	approvedAndAsked(a)
	record.ByPull(a, lifecycle.Want{Kind: lifecycle.WantPut, Revision: lifecycle.CurrentRevision(a, site(v1alpha1.ReviewManual))}, postName, now)
}

func byPull(a *v1alpha1.Article) {
	record.ByPull(a, lifecycle.Want{Kind: lifecycle.WantRemove}, postName, now)
}

// A site that begins to pull does not change what the site at the earlier address has: its Post keeps what it says.
func TestAPostIsTakenBackByPullAtTheSiteThatPullsAlone(t *testing.T) {
	for _, have := range []v1alpha1.SitePost{
		{State: v1alpha1.PostUncertain, Name: "at-the-webhook", URL: "https://acme.example/shoes", ExternalID: "7"},
		{State: v1alpha1.PostPresent, Name: "at-the-webhook", Revision: &v1alpha1.PublicationRevision{Digest: "sha256:1"}},
	} {
		a := article(approvedAndAsked)
		a.Status.Publication = &v1alpha1.Publication{Post: have}
		byPull(a)
		got := lifecycle.Have(a)
		if got.State != v1alpha1.PostAbsent || got.Name != postName || got.URL+got.ExternalID != "" {
			t.Errorf("%s becomes %+v", have.State, got)
		}
		if _, changed := lifecycle.PostsOf(a)[have.Name]; changed {
			t.Errorf("%s: the Post at the earlier address is changed", have.State)
		}
	}
}

// Each time that an article is published or unpublished is an event, also of the same revision.
func TestPublishedAndUnpublishedAgainAndAgain(t *testing.T) {
	a := article(atCMS)
	first := a.Status.Publication.Post.PublishTime.DeepCopy()
	all := func(v1alpha1.ArticleEventType) bool { return true }
	var got []v1alpha1.ArticleEventType
	noteHappened := func(before *v1alpha1.Article) {
		happened, _ := record.Transitions(before, a, site(v1alpha1.ReviewManual), now, all)
		for i := range happened {
			got = append(got, happened[i].Type)
			happened[i].Dispatch = v1alpha1.DispatchDone
		}
	}
	accepted := cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted}}
	for range v1alpha1.MaxOutbox {
		got = nil
		at := now
		before := a.DeepCopy()
		beginRemoval(a, cycles.AttemptID{ID: "1"}, at)
		end(a, accepted, cycles.Schedule{}, at)
		noteHappened(before)
		if p := a.Status.Publication; !lifecycle.Unpublished(a) || lifecycle.Published(a) || !p.Post.UnpublishTime.Time.Equal(at) {
			t.Fatalf("%+v", p)
		}
		if post, sent := lifecycle.PostsOf(withSlug(a))[postName]; !sent || post.State != v1alpha1.PostUnpublished || !post.RemovalTime.Time.Equal(at) {
			t.Fatalf("%+v", post)
		}
		before = a.DeepCopy()
		beginUpdate(a, cycles.AttemptID{ID: "2"}, at)
		end(a, accepted, cycles.Schedule{}, at)
		noteHappened(before)
		if p := a.Status.Publication; lifecycle.Unpublished(a) || !p.Post.PublishTime.Equal(first) || !p.Post.UpdateTime.Time.Equal(at) {
			t.Fatalf("%+v", p)
		}
		if post := lifecycle.PostsOf(withSlug(a))[postName]; post.State != v1alpha1.PostPublished || post.RemovalTime != nil {
			t.Fatalf("%+v", post)
		}
		if len(got) != 2 || got[0] != v1alpha1.EventUnpublished || got[1] != v1alpha1.EventPublished {
			t.Fatalf("transitions are %v", got)
		}
	}
}

func withSlug(a *v1alpha1.Article) *v1alpha1.Article {
	a.Status.Slug = "shoes"
	return a
}

// Status that was lost does not publish again what was unpublished.
func TestWhatWasUnpublishedStaysSoAfterARestore(t *testing.T) {
	for _, mode := range []lifecycle.Mode{lifecycle.Push, lifecycle.Pull} {
		a := article(unpublished)
		if mode == lifecycle.Pull {
			a = article(pulled, unpublishAsked, byPull)
		}
		post := lifecycle.PostsOf(withSlug(a))[postName]
		again := article(approvedAndAsked, unpublishAsked)
		record.RestorePublication(again, site(v1alpha1.ReviewManual), postName, post)
		if got := lifecycle.Next(again, site(v1alpha1.ReviewManual), to(mode), now); got.Step != lifecycle.Wait || !lifecycle.Unpublished(again) {
			t.Errorf("%s: %s, %+v", mode, got.Step, again.Status.Publication)
		}
	}
}

// A post that was being taken back when status was lost is taken back, unless that had failed for good.
func TestTakingBackGoesOnAfterARestore(t *testing.T) {
	for _, row := range []struct {
		final bool
		want  lifecycle.Step
	}{{false, lifecycle.BeginCycle}, {true, lifecycle.Wait}} {
		a := article(atCMS)
		beginRemoval(a, cycles.AttemptID{ID: "1"}, now)
		failed := cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptRejected}, Final: row.final}
		end(a, failed, cycles.Schedule{Delays: []time.Duration{time.Hour}, Random: 0.5}, now)
		post := lifecycle.PostsOf(withSlug(a))[postName]
		if post.State != v1alpha1.PostUnpublishing {
			t.Fatalf("the Post is %s", post.State)
		}
		again := article(approvedAndAsked)
		record.RestorePublication(again, site(v1alpha1.ReviewManual), postName, post)
		from := to(lifecycle.Push)
		from.Removes = true
		if got := lifecycle.Next(again, site(v1alpha1.ReviewManual), from, now); got.Step != row.want || !lifecycle.Published(again) {
			t.Errorf("final %t: %s, %+v", row.final, got.Step, again.Status.Publication)
		}
		if got := lifecycle.PostsOf(again)[postName]; got.State != v1alpha1.PostUnpublishing {
			t.Errorf("final %t: the Post becomes %s", row.final, got.State)
		}
	}
}

// The condition Redelivered says what a delivery waits for that was asked for after the post could not be taken back.
func TestARedeliveryAfterAFailedUnpublishSaysWhatItWaitsFor(t *testing.T) {
	a := article(atCMS, unpublishAsked, unpublishCycle(requested, v1alpha1.CycleFailed, v1alpha1.ReasonChangedAtSite),
		annotation(v1alpha1.RedeliverAnnotation, "n2"))
	lost := &lifecycle.BlockedError{Reason: v1alpha1.ReasonRevisionMissing, Message: "the revision shoes-1, which the site has, does not exist"}
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{Publication: lost})
	if got := conditionOf(a, v1alpha1.ConditionRedelivered); got != "False/RevisionMissing" {
		t.Errorf("Redelivered = %q, want False/RevisionMissing", got)
	}
}

func TestActionUnpublish(t *testing.T) {
	headless := func(a *v1alpha1.Article) { a.Status.Publication.Post.ContentHash = "" }
	for _, row := range []struct {
		name    string
		changes []with
		want    lifecycle.RefusalReason
	}{
		{"published", []with{atCMS}, ""},
		{"archived", []with{atCMS, stage(v1alpha1.StageArchived)}, ""},
		{"pulled", []with{pulled}, ""},
		{"by a webhook", []with{atCMS, headless}, lifecycle.RefusedWrongState},
		{"not published", []with{approvedAndAsked}, lifecycle.RefusedWrongState},
		{"unpublished", []with{unpublished}, lifecycle.RefusedWrongState},
		{"asked", []with{atCMS, unpublishAsked}, lifecycle.RefusedInProgress},
	} {
		var got lifecycle.RefusalReason
		a := article(row.changes...)
		for _, action := range lifecycle.Actions(a, siteOf(a), now) {
			if action.Name == lifecycle.ActionUnpublish && action.Refused != nil {
				got = action.Refused.Reason
			}
		}
		if got != row.want {
			t.Errorf("%s: refused with %q, want %q", row.name, got, row.want)
		}
		if lifecycle.Unpublished(a) && lifecycle.CheckAction(a, site(v1alpha1.ReviewManual), lifecycle.ActionPublish, now) != nil {
			t.Errorf("%s: publish does not bring it back", row.name)
		}
	}
}
