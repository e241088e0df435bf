package lifecycle_test

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// offered is what a table of actions wants of one that people would choose, and possible of one that they would not. Any other text is
// part of the refusal.
const (
	offered  = "offered"
	possible = ""
)

// actionsOf maps the names of an article's actions to what a table wants.
// siteOf is a site of the type that an article's publication says. It asks for one approval more than the article has entries.
func siteOf(a *v1alpha1.Article) *v1alpha1.Site {
	s := site(v1alpha1.ReviewManual)
	s.Spec.CMS.Type = v1alpha1.CMSHeadless
	if entries := len(a.Spec.Approvals); entries > 0 {
		s.Spec.Review.Approvals = int32(entries) + 1
	}
	switch {
	case lifecycle.Have(a).ContentHash != "":
		s.Spec.CMS.Type = v1alpha1.CMSWordPress
	case lifecycle.Published(a) && a.Status.Publication.Cycle == nil:
		s.Spec.CMS.Type = v1alpha1.CMSNone
	}
	return s
}

func actionsOf(a *v1alpha1.Article) map[lifecycle.ActionName]string {
	out := map[lifecycle.ActionName]string{}
	for _, action := range lifecycle.Actions(a, siteOf(a), now) {
		switch {
		case action.Refused != nil:
			out[action.Name] = action.Refused.Error()
		case action.Offered:
			out[action.Name] = offered
		default:
			out[action.Name] = possible
		}
	}
	return out
}

// This table is the specification of what may be done with an article.
func TestWhatMayBeDoneWithAnArticle(t *testing.T) {
	edited := func(a *v1alpha1.Article) {
		generated(a)
		a.Spec.Content = &v1alpha1.ArticleContent{Title: "Other shoes"}
	}
	asked := func(state deliveryState, more ...with) []with {
		return append([]with{approvedAndAsked, publication(state)}, more...)
	}
	approvedOnly := func(a *v1alpha1.Article) {
		generated(a)
		review(v1alpha1.DecisionApproved, digestA)(a)
	}
	rejection := review(v1alpha1.DecisionRejected, digestA)
	inManifest := func(a *v1alpha1.Article) {
		content("Shoes", "Run far.")(a)
		revision(digestA)(a)
		review(v1alpha1.DecisionApproved, "")(a)
	}
	const (
		waits    = "wait for it"
		noText   = "no text to review"
		unsent   = "has not been published"
		archived = "is archived"
		frozen   = "may not change"
		onItsWay = "delivered already"
	)
	for _, row := range []struct {
		name                                                                    string
		changes                                                                 []with
		submit, approve, reject, publish, unschedule, edit, regenerate, archive string
		redeliver                                                               string
		unpublish                                                               string // refused if empty: it is not published
	}{
		{name: "a draft", changes: []with{generated, stage(v1alpha1.StageDraft)},
			submit: offered, approve: possible, reject: possible, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "not generated yet", changes: nil,
			submit: possible, approve: waits, reject: waits, publish: possible, unschedule: possible,
			edit: possible, regenerate: "generated already", redeliver: unsent, archive: offered},
		{name: "being generated", changes: []with{run(v1alpha1.RunRunning)},
			submit: possible, approve: waits, reject: waits, publish: possible, unschedule: possible,
			edit: possible, regenerate: "generated already", redeliver: unsent, archive: offered},
		{name: "generated again", changes: []with{generated, annotation(v1alpha1.RegenerateAnnotation, "2")},
			submit: possible, approve: waits, reject: waits, publish: possible, unschedule: possible,
			edit: possible, regenerate: "generated already", redeliver: unsent, archive: offered},
		{name: "generated again, with a request to publish", changes: []with{approvedAndAsked, annotation(v1alpha1.RegenerateAnnotation, "2")},
			submit: possible, approve: waits, reject: waits, publish: possible, unschedule: offered,
			edit: possible, regenerate: "generated already", redeliver: unsent, archive: offered},
		{name: "not generated, for good", changes: []with{run(v1alpha1.RunFailed)},
			submit: possible, approve: noText, reject: noText, publish: "regenerate it", unschedule: possible,
			edit: possible, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "in review", changes: []with{generated},
			submit: possible, approve: offered, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "in review, written", changes: []with{written},
			submit: possible, approve: offered, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: "no keyword", redeliver: unsent, archive: offered},
		{name: "in review, the author's text beside a keyword", changes: []with{content("Shoes", "Run far."), revision(digestA)},
			submit: possible, approve: offered, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: "its author's text", redeliver: unsent, archive: offered},
		{name: "in review, the author's title over a generated text", changes: []with{content("Shoes", ""), generated},
			submit: possible, approve: offered, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "in review, with a request to publish without a time", changes: []with{generated, stage(v1alpha1.StagePublished)},
			submit: possible, approve: offered, reject: offered, publish: offered, unschedule: offered,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "with a time that nobody asks to publish at", changes: []with{generated, publishAfter(now.Add(time.Hour))},
			submit: possible, approve: offered, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "edited, without a revision", changes: []with{edited},
			submit: possible, approve: "no revision of it yet", reject: "no revision of it yet", publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "written, without a revision", changes: []with{func(a *v1alpha1.Article) { a.Spec.Generate = nil }, content("Shoes", "Run far.")},
			submit: possible, approve: noText, reject: noText, publish: possible, unschedule: possible,
			edit: offered, regenerate: "no keyword", redeliver: unsent, archive: offered},
		{name: "rejected", changes: []with{generated, rejection},
			submit: possible, approve: offered, reject: possible, publish: "approve it", unschedule: possible,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "approved", changes: []with{approvedOnly},
			submit: possible, approve: possible, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "approved by one of two", changes: []with{generated, approval("jo", digestA)},
			submit: possible, approve: offered, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "approved by two of two", changes: []with{approvedOnly, approval("jo", digestA)},
			submit: possible, approve: possible, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "approved by one of two in its manifest", changes: []with{content("Shoes", "Run far."), revision(digestA), approval("jo", "")},
			submit: possible, approve: offered, reject: offered, publish: offered, unschedule: possible,
			edit: "change both there", regenerate: "its author's text", redeliver: unsent, archive: offered},
		{name: "approved by its manifest", changes: []with{inManifest},
			submit: possible, approve: possible, reject: offered, publish: offered, unschedule: possible,
			edit: "change both there", regenerate: "its author's text", redeliver: unsent, archive: offered},
		{name: "scheduled", changes: []with{approvedAndAsked, publishAfter(now.Add(time.Hour))},
			submit: possible, approve: possible, reject: offered, publish: offered, unschedule: offered,
			edit: offered, regenerate: offered, redeliver: unsent, archive: offered},
		{name: "being delivered", changes: asked(beingDelivered),
			submit: possible, approve: possible, reject: "archived, not rejected", publish: possible, unschedule: "can be archived",
			edit: frozen, regenerate: frozen, redeliver: onItsWay, archive: offered},
		{name: "waiting for the retry of its delivery", changes: asked(retryScheduled),
			submit: possible, approve: possible, reject: offered, publish: offered, unschedule: offered,
			edit: offered, regenerate: offered, redeliver: onItsWay, archive: offered},
		{name: "waiting for a retry that is no longer wanted", changes: asked(retryScheduled, stage(v1alpha1.StageReview)),
			submit: possible, approve: possible, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: "publish the article", archive: offered},
		{name: "whose delivery was cancelled", changes: asked(isCancelled, stage(v1alpha1.StageReview)),
			submit: possible, approve: possible, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: "publish the article", archive: offered},
		{name: "edited since its delivery failed", changes: asked(hasFailed, content("Shoes", "Other."), over(1)),
			submit: possible, approve: offered, reject: offered, publish: offered, unschedule: offered,
			edit: offered, regenerate: "its author's text", redeliver: "a reviewer approves it", archive: offered},
		{name: "not delivered, for good", changes: asked(hasFailed),
			submit: possible, approve: possible, reject: offered, publish: "redeliver it", unschedule: offered,
			edit: offered, regenerate: offered, redeliver: offered, archive: offered},
		{name: "not delivered, and no longer asked for", changes: asked(hasFailed, stage(v1alpha1.StageReview)),
			submit: possible, approve: possible, reject: offered, publish: offered, unschedule: possible,
			edit: offered, regenerate: offered, redeliver: "publish the article", archive: offered},
		{name: "not delivered, and then rejected", changes: asked(hasFailed, rejection),
			submit: possible, approve: offered, reject: possible, publish: "redeliver it", unschedule: offered,
			edit: offered, regenerate: offered, redeliver: "a reviewer approves it", archive: offered},
		{name: "not delivered, and to be delivered again", changes: asked(hasFailed, annotation(v1alpha1.RedeliverAnnotation, "2")),
			submit: possible, approve: possible, reject: offered, publish: "redeliver it", unschedule: offered,
			edit: offered, regenerate: offered, redeliver: onItsWay, archive: offered},
		{name: "published", changes: asked(isPublished),
			submit: possible, approve: possible, reject: "archived, not rejected", publish: possible, unschedule: "can be archived",
			edit: frozen, regenerate: frozen, redeliver: offered, archive: offered, unpublish: "a webhook takes no post back"},
		{name: "published at a CMS", changes: []with{atCMS},
			submit: possible, approve: possible, reject: "archived, not rejected", publish: possible, unschedule: "can be archived",
			edit: frozen, regenerate: frozen, redeliver: offered, archive: offered, unpublish: offered},
		{name: "unpublished", changes: []with{unpublished},
			submit: possible, approve: possible, reject: offered, publish: offered, unschedule: offered,
			edit: offered, regenerate: offered, redeliver: offered, archive: offered},
		{name: "published, and its author wants a draft", changes: asked(isPublished, stage(v1alpha1.StageDraft)),
			submit: possible, approve: possible, reject: "archived, not rejected", publish: possible, unschedule: "can be archived",
			edit: frozen, regenerate: frozen, redeliver: offered, archive: offered, unpublish: "a webhook takes no post back"},
		{name: "published on a site that pulls", changes: asked(isPublished, func(a *v1alpha1.Article) { a.Status.Publication.Cycle = nil }),
			submit: possible, approve: possible, reject: "archived, not rejected", publish: possible, unschedule: "can be archived",
			edit: frozen, regenerate: frozen, redeliver: "nothing is sent", archive: offered, unpublish: offered},
		{name: "archived", changes: []with{generated, stage(v1alpha1.StageArchived)},
			submit: archived, approve: archived, reject: archived, publish: offered, unschedule: archived,
			edit: possible, regenerate: archived, redeliver: archived, archive: possible},
	} {
		want := map[lifecycle.ActionName]string{
			lifecycle.ActionSubmit: row.submit, lifecycle.ActionApprove: row.approve, lifecycle.ActionReject: row.reject,
			lifecycle.ActionPublish: row.publish, lifecycle.ActionCancelPublication: row.unschedule, lifecycle.ActionEdit: row.edit,
			lifecycle.ActionRegenerate: row.regenerate, lifecycle.ActionRedeliver: row.redeliver, lifecycle.ActionArchive: row.archive,
			lifecycle.ActionUnarchive: "is not archived", lifecycle.ActionDelete: offered, lifecycle.ActionUnpublish: cmp.Or(row.unpublish, "is not published"),
		}
		if row.archive == possible {
			want[lifecycle.ActionUnarchive] = offered
		}
		got := actionsOf(article(row.changes...))
		if len(got) != len(want) {
			t.Errorf("%s: %d actions, want %d", row.name, len(got), len(want))
		}
		for name, want := range want {
			if exact := want == offered || want == possible; exact && got[name] != want || !strings.Contains(got[name], want) {
				t.Errorf("%s: %s is %q, want %q", row.name, name, got[name], want)
			}
		}
	}
}

func TestDecisionsNeedTheScopeApprove(t *testing.T) {
	for _, action := range lifecycle.Actions(article(), site(v1alpha1.ReviewManual), now) {
		want := v1alpha1.ScopeWrite
		if slices.Contains([]lifecycle.ActionName{lifecycle.ActionApprove, lifecycle.ActionReject}, action.Name) {
			want = v1alpha1.ScopeApprove
		}
		if action.Scope != want {
			t.Errorf("%s needs the scope %s, want %s", action.Name, action.Scope, want)
		}
	}
}

// A redelivery that is accepted and never starts leaves an editor waiting.
func TestARedeliveryThatIsPossibleStarts(t *testing.T) {
	for name, change := range map[string]with{
		"as it was":        func(*v1alpha1.Article) {},
		"unscheduled":      stage(v1alpha1.StageReview),
		"a draft again":    stage(v1alpha1.StageDraft),
		"archived":         stage(v1alpha1.StageArchived),
		"rejected":         review(v1alpha1.DecisionRejected, digestA),
		"with other words": func(a *v1alpha1.Article) { a.Status.Revision.Digest = digestB },
	} {
		for _, state := range []deliveryState{hasFailed, isPublished} {
			a := article(approvedAndAsked, publication(state), change)
			if lifecycle.CheckAction(a, site(v1alpha1.ReviewManual), lifecycle.ActionRedeliver, now) != nil {
				continue
			}
			annotation(v1alpha1.RedeliverAnnotation, "2")(a)
			if got := lifecycle.Next(a, site(v1alpha1.ReviewManual), to(lifecycle.Push), now).Step; got != lifecycle.BeginCycle {
				t.Errorf("%s, %s: the next step is %s, want %s", state, name, got, lifecycle.BeginCycle)
			}
		}
	}
}

func TestAnActionThatDoesNotExistIsRefused(t *testing.T) {
	if err := lifecycle.CheckAction(article(generated), site(v1alpha1.ReviewManual), "frobnicate", now); err == nil {
		t.Error("it is possible")
	}
}

// A program chooses by the reason, and a page shows the refusals that people can do something about.
func TestWhyAnActionIsRefused(t *testing.T) {
	failed := with(func(a *v1alpha1.Article) {
		approvedAndAsked(a)
		publication(hasFailed)(a)
	})
	for _, row := range []struct {
		name     string
		action   lifecycle.ActionName
		changes  []with
		want     lifecycle.RefusalReason
		wantNear bool
	}{
		{"no text yet", lifecycle.ActionApprove, nil, lifecycle.RefusedNotReady, true},
		{"published", lifecycle.ActionEdit, []with{approvedAndAsked, publication(isPublished)}, lifecycle.RefusedUpdatesFrozen, false},
		{"being generated", lifecycle.ActionRegenerate, nil, lifecycle.RefusedInProgress, true},
		{"edited since its delivery failed", lifecycle.ActionRedeliver, []with{failed, content("T", "Other."), over(1)}, lifecycle.RefusedApprovalRequired, true},
		{"never sent", lifecycle.ActionRedeliver, []with{generated}, lifecycle.RefusedWrongState, false},
		{"written", lifecycle.ActionRegenerate, []with{written}, lifecycle.RefusedWrongState, false},
		{"archived", lifecycle.ActionApprove, []with{generated, stage(v1alpha1.StageArchived)}, lifecycle.RefusedWrongState, false},
	} {
		refused, ok := errors.AsType[*lifecycle.RefusedError](lifecycle.CheckAction(article(row.changes...), site(v1alpha1.ReviewManual), row.action, now))
		if !ok || refused.Reason != row.want || refused.Near() != row.wantNear {
			t.Errorf("%s: %s is refused with %+v, want %s", row.name, row.action, refused, row.want)
		}
	}
}
