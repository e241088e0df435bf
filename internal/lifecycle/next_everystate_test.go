package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// situation is a combination of what is wanted, what the site has, and what the last cycle was for.
type situation struct {
	name    func() string
	article *v1alpha1.Article
	site    *v1alpha1.Site
	to      lifecycle.Target
}

type part[T any] struct {
	name  string
	value T
}

// haves are all states of status.publication.post, and lastCycles all states of the last cycle.
func haves() []part[v1alpha1.SitePost] {
	a := &v1alpha1.PublicationRevision{Name: "shoes-1", Number: 1, Digest: digestA}
	other := &v1alpha1.PublicationRevision{Name: "shoes-0", Number: 2, Digest: digestB}
	at := new(v1alpha1.NewMicroTime(now.Add(-time.Hour)))
	put := func(r *v1alpha1.PublicationRevision) *v1alpha1.UncertainWrite {
		return &v1alpha1.UncertainWrite{Purpose: v1alpha1.PurposePut, Revision: r}
	}
	remove := &v1alpha1.UncertainWrite{Purpose: v1alpha1.PurposeRemove}
	const absent, present, uncertain = v1alpha1.PostAbsent, v1alpha1.PostPresent, v1alpha1.PostUncertain
	return []part[v1alpha1.SitePost]{
		{"nothing", v1alpha1.SitePost{State: absent}},
		{"taken back", v1alpha1.SitePost{State: absent, Revision: a, Name: postName, PublishTime: at, UnpublishTime: at}},
		{"the current text", v1alpha1.SitePost{State: present, Revision: a, Name: postName, PublishTime: at}},
		{"another text", v1alpha1.SitePost{State: present, Revision: other, Name: postName, PublishTime: at}},
		{"the current text elsewhere", v1alpha1.SitePost{State: present, Revision: a, Name: "post-0", PublishTime: at}},
		{"perhaps the first text", v1alpha1.SitePost{State: uncertain, Maybe: put(a), Name: postName}},
		{"perhaps the first text elsewhere", v1alpha1.SitePost{State: uncertain, Maybe: put(a), Name: "post-0"}},
		{"perhaps an update", v1alpha1.SitePost{State: uncertain, Revision: other, Maybe: put(a), Name: postName, PublishTime: at}},
		{"perhaps a withdrawn text", v1alpha1.SitePost{State: uncertain, Revision: a, Maybe: put(other), Name: postName, PublishTime: at}},
		{"perhaps nothing any more", v1alpha1.SitePost{State: uncertain, Revision: a, Maybe: remove, Name: postName, PublishTime: at}},
		{"nobody knows", v1alpha1.SitePost{State: uncertain, Revision: a, Name: postName, PublishTime: at}},
		{"nobody knows anything", v1alpha1.SitePost{State: uncertain, Name: postName}},
	}
}

func lastCycles() []part[*v1alpha1.DeliveryCycle] {
	out := []part[*v1alpha1.DeliveryCycle]{{"no cycle", nil}}
	for _, state := range []v1alpha1.CycleState{
		v1alpha1.CycleInProgress, v1alpha1.CycleRetryScheduled, v1alpha1.CycleAccepted, v1alpha1.CycleFailed, v1alpha1.CycleCancelled,
	} {
		for _, digest := range []string{digestA, digestB, ""} {
			for _, nonce := range []string{"", "1"} {
				c := &v1alpha1.DeliveryCycle{Number: 1, State: state, Purpose: v1alpha1.PurposeRemove, RequestNonce: nonce}
				if digest != "" {
					c.Purpose, c.Revision = v1alpha1.PurposePut, &v1alpha1.PublicationRevision{Name: "shoes-1", Number: 1, Digest: digest}
				}
				if state == v1alpha1.CycleRetryScheduled {
					c.NextAttemptTime = new(v1alpha1.NewMicroTime(now.Add(time.Minute)))
				}
				if state == v1alpha1.CycleFailed {
					c.Reason = v1alpha1.ReasonExhausted
				}
				out = append(out, part[*v1alpha1.DeliveryCycle]{fmt.Sprint(state, " ", c.Purpose, " ", digest, " ", nonce), c})
			}
		}
	}
	return out
}

func wants() []part[*v1alpha1.Article] {
	var out []part[*v1alpha1.Article]
	// A time matters where publication is asked for.
	earlyAt := map[v1alpha1.ArticleStage][]bool{
		v1alpha1.StageDraft: {false}, v1alpha1.StageReview: {false}, v1alpha1.StagePublished: {false, true}, v1alpha1.StageArchived: {false},
	}
	for _, s := range []v1alpha1.ArticleStage{v1alpha1.StageDraft, v1alpha1.StageReview, v1alpha1.StagePublished, v1alpha1.StageArchived} {
		for _, d := range []v1alpha1.ReviewDecision{"", v1alpha1.DecisionApproved, v1alpha1.DecisionRejected} {
			for _, asked := range []string{"", v1alpha1.RedeliverAnnotation, v1alpha1.UnpublishAnnotation} {
				for _, early := range earlyAt[s] {
					a := article(generated, stage(s))
					if d != "" {
						review(d, digestA)(a)
					}
					if asked != "" {
						a.Annotations[asked] = "2"
					}
					if early {
						publishAfter(now.Add(time.Hour))(a)
					}
					out = append(out, part[*v1alpha1.Article]{fmt.Sprint(s, " ", d, " ", asked, " early ", early), a})
				}
			}
		}
	}
	return out
}

func sites() []part[*v1alpha1.Site] {
	out := []part[*v1alpha1.Site]{{"no site", nil}}
	for _, updates := range []v1alpha1.UpdatePolicy{v1alpha1.UpdatesFrozen, v1alpha1.UpdatesReviewed} {
		for _, removal := range []v1alpha1.RemovalPolicy{v1alpha1.RemovalKeep, v1alpha1.RemovalUnpublish} {
			s := site(v1alpha1.ReviewManual)
			s.Spec.Publishing.Updates, s.Spec.Publishing.Removal = updates, removal
			out = append(out, part[*v1alpha1.Site]{fmt.Sprint(updates, " ", removal), s})
		}
	}
	// Each person's approval is one of two: nothing is published that was not published before.
	two := asks(2)
	two.Spec.Publishing.Updates, two.Spec.Publishing.Removal = v1alpha1.UpdatesReviewed, v1alpha1.RemovalUnpublish
	return append(out, part[*v1alpha1.Site]{"two approvals", two})
}

// everySituation calls a function with each combination.
func everySituation(do func(situation)) {
	targets := []lifecycle.Target{
		to(lifecycle.Push), {Mode: lifecycle.Push, Post: postName, Address: "https://acme.example", Removes: true}, to(lifecycle.Pull), to(lifecycle.Unsupported),
	}
	haves, lastCycles, wants, sites := haves(), lastCycles(), wants(), sites()
	for _, have := range haves {
		for _, cycle := range lastCycles {
			for _, want := range wants {
				for _, at := range sites {
					for _, target := range targets {
						for _, hold := range []v1alpha1.PublicationHold{"", v1alpha1.HoldRequested} {
							a := want.value.DeepCopy()
							p := &v1alpha1.Publication{Post: *have.value.DeepCopy(), Hold: hold}
							if p.Cycle = cycle.value.DeepCopy(); p.Cycle != nil {
								outcome := v1alpha1.AttemptRejected
								if p.Cycle.State == v1alpha1.CycleInProgress {
									outcome = v1alpha1.AttemptInProgress
								}
								p.Attempts = []v1alpha1.DeliveryAttempt{{Cycle: 1, Number: 1, AttemptResult: v1alpha1.AttemptResult{Outcome: outcome}}}
							}
							a.Status.Publication = p
							lifecycle.SyncHold(a)
							do(situation{
								func() string {
									return fmt.Sprint(have.name, " | ", cycle.name, " | ", want.name, " | ", at.name, " | ", target, " | ", hold)
								},
								a, at.value, target,
							})
						}
					}
				}
			}
		}
	}
}

// follow does what is decided, at a site that accepts everything, until nothing is left to do or a person must act.
func (s situation) follow() (last lifecycle.Decision, clock time.Time, ended bool) {
	clock = now
	by := cycles.AttemptID{ID: "1", Holder: "h"}
	for range 12 {
		last = lifecycle.Next(s.article, s.site, s.to, clock)
		sends := last.Step == lifecycle.BeginCycle || last.Step == lifecycle.RetryCycle
		if name := lifecycle.Have(s.article).Name; sends && last.Want.Kind == lifecycle.WantRemove && name != "" && name != s.to.Post {
			return last, clock, false // The post is at another address.
		}
		switch last.Step {
		case lifecycle.BeginCycle:
			record.BeginCycle(s.article, s.site, last.Want, s.to.Post, by, clock)
		case lifecycle.RetryCycle:
			record.RetryCycle(s.article, s.site, s.to.Post, by, clock)
		case lifecycle.FollowCycle:
			accepted := cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted}}
			record.EndAttempt(s.article, accepted, v1alpha1.SitePost{}, cycles.Schedule{}, clock)
		case lifecycle.DropCycle:
			record.DropCycle(s.article, s.site, last.Want)
		case lifecycle.ByPull:
			record.ByPull(s.article, last.Want, s.to.Post, clock)
		case lifecycle.FailUnsupported:
			record.FailUnsupported(s.article, s.site, last.Want)
		case lifecycle.Wait:
			if last.Until.IsZero() {
				lifecycle.Summarize(s.article, s.site, s.to, clock, lifecycle.Blockers{})
				return last, clock, true
			}
			clock = last.Until
		default:
			return last, clock, false
		}
	}
	return last, clock, false
}

// namesBoth reports whether UpToDate, if it is True, names the address of the site and the Post of the address where the post is.
func namesBoth(s situation) bool {
	c := meta.FindStatusCondition(s.article.Status.Conditions, v1alpha1.ConditionUpToDate)
	return c != nil && (c.Status == metav1.ConditionFalse ||
		strings.Contains(c.Message, "acme.example") && strings.Contains(c.Message, lifecycle.Have(s.article).Name))
}

// saysDoubt reports whether a condition says that nobody knows what the site has.
func saysDoubt(a *v1alpha1.Article) bool {
	for _, kind := range []string{v1alpha1.ConditionUpToDate, v1alpha1.ConditionPublished} {
		c := meta.FindStatusCondition(a.Status.Conditions, kind)
		if c != nil && c.Status == metav1.ConditionFalse && (c.Reason == v1alpha1.ReasonSiteUncertain ||
			strings.Contains(c.Message, "the post may still be there")) {
			return true
		}
	}
	return false
}

// While a site is suspended, nothing begins and nothing is dropped, and status says so. What needs no effect goes on.
func TestASuspensionBlocksEverySituation(t *testing.T) {
	failed := 0
	everySituation(func(s situation) {
		suspended := s.to
		suspended.Suspension = lifecycle.Suspension(nil, nil, true)
		free, got := lifecycle.Next(s.article, s.site, s.to, now), lifecycle.Next(s.article, s.site, suspended, now)
		blocked := s.site != nil && lifecycle.HasEffect(free.Step)
		ok := got.Step == free.Step && got.Blocked == (lifecycle.Blockers{})
		if blocked {
			ok = !lifecycle.HasEffect(got.Step) && got.Want.Kind == lifecycle.WantBlocked && got.Want.Reason == v1alpha1.ReasonSuspended &&
				got.Blocked.Publication == suspended.Suspension
		}
		if !ok && failed < 20 {
			failed++
			t.Errorf("%s: %s of %+v, blocked by %+v; without a suspension %s", s.name(), got.Step, got.Want, got.Blocked, free.Step)
		}
	})
}

// Following the steps ends: with the site as it is wanted, or with a condition that says why it is not.
func TestTheStepsOfEverySituationEnd(t *testing.T) {
	n, failed := 0, 0
	everySituation(func(s situation) {
		n++
		last, _, ended := s.follow()
		fail := func(why string) {
			if failed++; failed <= 20 {
				t.Errorf("%s: %s: step %s, want %+v, publication %+v %+v", s.name(), why, last.Step, last.Want, s.article.Status.Publication.Post,
					s.article.Status.Publication.Cycle)
			}
		}
		if !ended {
			fail("the steps do not end")
			return
		}
		have, cycle := lifecycle.Have(s.article), lifecycle.CycleOf(s.article)
		met := last.Want.Kind == lifecycle.WantKeep ||
			last.Want.Kind == lifecycle.WantPut && have.State == v1alpha1.PostPresent && lifecycle.LiveDigest(s.article) == last.Want.Revision.Digest ||
			last.Want.Kind == lifecycle.WantRemove && have.State == v1alpha1.PostAbsent
		says := func(kind string) bool {
			got := conditionOf(s.article, kind)
			return got != "" && got[:5] == "False"
		}
		switch {
		case s.site == nil:
		case !met && (cycle.State != v1alpha1.CycleFailed || !says(v1alpha1.ConditionUpToDate) && !says(v1alpha1.ConditionPublished)):
			fail("the site is not as wanted, and no condition says why")
		case have.State == v1alpha1.PostUncertain && !saysDoubt(s.article):
			fail("the doubt is not said")
		case meta.IsStatusConditionTrue(s.article.Status.Conditions, v1alpha1.ConditionReconciling):
			fail("a condition promises an attempt, and none is due")
		case lifecycle.Published(s.article) && s.to.Mode == lifecycle.Push && have.Name != "" && have.Name != s.to.Post &&
			!namesBoth(s):
			fail("UpToDate does not name both addresses")
		}
	})
	if failed > 0 {
		t.Errorf("%d of %d situations", failed, n)
	}
	t.Logf("%d situations", n)
}
