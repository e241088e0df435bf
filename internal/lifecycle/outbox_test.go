package lifecycle_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/test/project"
)

// property returns the schema of a field of a CRD.
func property(t *testing.T, plural string, path ...string) apiextensionsv1.JSONSchemaProps {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(project.Root(), "config", "crd", "bases", "pressroom.dev_"+plural+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(data, &crd); err != nil {
		t.Fatal(err)
	}
	schema := *crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	for _, name := range path {
		found, ok := schema.Properties[name]
		if !ok {
			t.Fatalf("%s has no %s", plural, strings.Join(path, "."))
		}
		schema = found
	}
	return schema
}

func enum(schema apiextensionsv1.JSONSchemaProps) []string {
	values := make([]string, 0, len(schema.Enum))
	for _, v := range schema.Enum {
		values = append(values, strings.Trim(string(v.Raw), `"`))
	}
	return values
}

func TestTheTableOfEventsHasEveryTypeOfTheCRDs(t *testing.T) {
	types := make([]string, 0, len(lifecycle.EventKinds))
	for _, kind := range lifecycle.EventKinds {
		types = append(types, string(kind.Type))
		if kind.Name == "" || kind.Summary == "" || (kind.Status == "") != (kind.Type == v1alpha1.EventSiteFailing) {
			t.Errorf("the row of %s is not complete: %+v", kind.Type, kind)
		}
	}
	transitions := property(t, "articles", "status", "transitions")
	selectors := property(t, "eventsubscriptions", "spec", "events")
	if got, want := enum(*selectors.Items.Schema), append([]string{string(v1alpha1.SelectAll)}, types...); !slices.Equal(got, want) {
		t.Errorf("eventsubscriptions spec.events[] takes %v, want %v", got, want)
	}
	if *selectors.MaxItems < int64(len(types)) {
		t.Errorf("a subscription may name %d events of %d", *selectors.MaxItems, len(types))
	}
	// Every event of a revision, and the failure of a run in place of SiteFailing, which is none of an article.
	if *transitions.MaxItems != v1alpha1.MaxTransitions || v1alpha1.MaxOutbox > v1alpha1.MaxTransitions || v1alpha1.MaxOutbox < len(types) {
		t.Errorf("status holds %d transitions in the CRD and %d in the code, %d of them in the outbox, want both the same and at least %d",
			*transitions.MaxItems, v1alpha1.MaxTransitions, v1alpha1.MaxOutbox, len(types))
	}
}

// summarized is an article as the controller has written it.
func summarized(changes ...with) *v1alpha1.Article {
	a := article(changes...)
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	return a
}

// A run's text makes an event only if it is what the article asks for: an edit while the run was in progress has made it outdated.
func TestEventsOfARunThatEnds(t *testing.T) {
	superseded := summarized(generated, keyword("other"))
	for name, c := range map[string]struct {
		before *v1alpha1.Article
		// spec was changed since, and status is what the write makes of it.
		spec, status []with
		want         []v1alpha1.ArticleEventType
	}{
		"as asked": {
			summarized(run(v1alpha1.RunRunning)), nil, []with{generated}, []v1alpha1.ArticleEventType{v1alpha1.EventReadyForReview},
		},
		"for another request": {summarized(run(v1alpha1.RunRunning)), []with{keyword("other")}, []with{answers("trail running shoes")}, nil},
		"for another request, and whatever comes is rejected": {
			summarized(run(v1alpha1.RunRunning)), []with{keyword("other"), review(v1alpha1.DecisionRejected, "")},
			[]with{answers("trail running shoes")}, nil,
		},
		"with fields of the author's to come": {summarized(run(v1alpha1.RunRunning)), []with{content("T", "")}, []with{answers("trail running shoes")}, nil},
		"in failure, after one for another request": {
			superseded, nil, []with{run(v1alpha1.RunFailed)}, []v1alpha1.ArticleEventType{v1alpha1.EventReadyForReview},
		},
	} {
		t.Run(name, func(t *testing.T) {
			old := c.before.DeepCopy()
			for _, change := range c.spec {
				change(old)
			}
			a := old.DeepCopy()
			for _, change := range c.status {
				change(a)
			}
			if got := appendedBetween(t, old, a); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// answers is a run that has made a revision for a keyword, with nothing of the author's.
func answers(asked string) with {
	return func(a *v1alpha1.Article) {
		now := a.Spec
		a.Spec.Content, a.Spec.Generate = nil, &v1alpha1.GenerateRequest{Keyword: asked}
		generated(a)
		a.Spec = now
	}
}

// appended returns the types of the events that the controller's write makes after a change to what it has written before.
func appended(t *testing.T, before *v1alpha1.Article, changes ...with) []v1alpha1.ArticleEventType {
	t.Helper()
	old := before.DeepCopy()
	for _, change := range changes {
		change(old)
	}
	return appendedBetween(t, old, old.DeepCopy())
}

// appendedBetween returns the types of the events that a write makes.
func appendedBetween(t *testing.T, old, a *v1alpha1.Article) []v1alpha1.ArticleEventType {
	t.Helper()
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	record.Transitions(old, a, site(v1alpha1.ReviewManual), now.Add(time.Second), all)
	var types []v1alpha1.ArticleEventType
	for _, e := range a.Status.Transitions {
		if e.Dispatch != "" {
			types = append(types, e.Type)
		}
	}
	return types
}

// all are the transitions that a subscription to all wants; none are those without a subscription.
func all(v1alpha1.ArticleEventType) bool  { return true }
func none(v1alpha1.ArticleEventType) bool { return false }

func TestEventsOfAChangedSpec(t *testing.T) {
	for name, c := range map[string]struct {
		before  *v1alpha1.Article
		changes []with
		want    []v1alpha1.ArticleEventType
	}{
		"a draft is moved on": {
			summarized(generated, stage(v1alpha1.StageDraft)), []with{stage(v1alpha1.StageReview)},
			[]v1alpha1.ArticleEventType{v1alpha1.EventReadyForReview},
		},
		"an archived article comes back": {
			summarized(generated, stage(v1alpha1.StageArchived)), []with{stage(v1alpha1.StageReview)},
			[]v1alpha1.ArticleEventType{v1alpha1.EventReadyForReview},
		},
		"a failed article comes back from the archive": {
			summarized(run(v1alpha1.RunFailed), stage(v1alpha1.StageArchived)), []with{stage(v1alpha1.StageReview)},
			[]v1alpha1.ArticleEventType{v1alpha1.EventFailed},
		},
		"a draft stays one":          {summarized(generated, stage(v1alpha1.StageDraft)), nil, nil},
		"an article stays in review": {summarized(generated), nil, nil},
		"a failed article stays so":  {summarized(run(v1alpha1.RunFailed)), nil, nil},
		"publishing is asked for":    {summarized(generated), []with{stage(v1alpha1.StagePublished)}, nil},
		"the reviewer approves": {
			summarized(generated), []with{review(v1alpha1.DecisionApproved, digestA)},
			[]v1alpha1.ArticleEventType{v1alpha1.EventApproved},
		},
		"the reviewer rejects": {
			summarized(generated), []with{review(v1alpha1.DecisionRejected, digestA)},
			[]v1alpha1.ArticleEventType{v1alpha1.EventRejected},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := c.before.DeepCopy()
			// What is stored as the phase decides nothing.
			before.Status.Phase = ""
			if got := appended(t, before, c.changes...); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestAnEventIsRecordedOncePerRevision(t *testing.T) {
	before := summarized(generated)
	before.Status.Transitions = []v1alpha1.ArticleTransition{{
		Type: v1alpha1.EventApproved, RevisionNumber: 1, Time: v1alpha1.NewMicroTime(now), Dispatch: v1alpha1.DispatchDone,
	}}
	got := appended(t, before, review(v1alpha1.DecisionApproved, digestA))
	if want := []v1alpha1.ArticleEventType{v1alpha1.EventApproved}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestATransitionIsDispatchedIfASubscriptionWantsIt(t *testing.T) {
	approve := review(v1alpha1.DecisionApproved, digestA)
	before := summarized(generated)
	a := before.DeepCopy()
	approve(a)
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), lifecycle.Target{}, now, lifecycle.Blockers{})
	for name, tt := range map[string]struct {
		wants func(v1alpha1.ArticleEventType) bool
		want  v1alpha1.DispatchState
	}{"one to all": {all, v1alpha1.DispatchPending}, "none": {none, ""}} {
		changed := a.DeepCopy()
		record.Transitions(before, changed, site(v1alpha1.ReviewManual), now, tt.wants)
		last := changed.Status.Transitions[len(changed.Status.Transitions)-1]
		if last.Type != v1alpha1.EventApproved || last.Dispatch != tt.want || lifecycle.DispatchPending(changed) != (tt.want != "") {
			t.Errorf("with %s: %+v, want an approval with dispatch %q", name, last, tt.want)
		}
	}
}

// outboxOf has transitions of one revision: pending ones, or dispatched ones.
func outboxOf(number int32, dispatch v1alpha1.DispatchState, n int) []v1alpha1.ArticleTransition {
	return slices.Repeat([]v1alpha1.ArticleTransition{{
		Type: v1alpha1.EventReadyForReview, RevisionNumber: number, Time: v1alpha1.NewMicroTime(now), Dispatch: dispatch, Message: "m",
	}}, n)
}

// A subscription whose events cannot be created must not keep an article from being published.
func TestAFullOutboxStopsNoWrite(t *testing.T) {
	for name, tt := range map[string]struct {
		had         []v1alpha1.ArticleTransition
		wantDropped int
	}{
		"pending ones":                       {outboxOf(7, v1alpha1.DispatchPending, v1alpha1.MaxOutbox), 1},
		"room for one":                       {outboxOf(7, v1alpha1.DispatchPending, v1alpha1.MaxOutbox-1), 0},
		"dispatched ones of other revisions": {outboxOf(7, v1alpha1.DispatchDone, v1alpha1.MaxTransitions), 0},
		"others":                             {outboxOf(7, "", v1alpha1.MaxTransitions), 0},
	} {
		t.Run(name, func(t *testing.T) {
			before := summarized(generated)
			before.Status.Transitions = tt.had
			a := before.DeepCopy()
			a.Status.Publication = &v1alpha1.Publication{}
			begin(a, cycles.AttemptID{ID: "1", Holder: "process"}, true, now)
			begun := a.DeepCopy()
			end(a, cycles.End{AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptAccepted, HTTPStatus: 200}}, cycles.Schedule{}, now)
			got, dropped := record.Transitions(begun, a, site(v1alpha1.ReviewManual), now, all)
			if len(got) != 1 || got[0].Dispatch != v1alpha1.DispatchPending || dropped != tt.wantDropped {
				t.Errorf("%+v, and %d dropped, want that it is published, and %d", got, dropped, tt.wantDropped)
			}
		})
	}
}

// A status keeps what is in the outbox, and of the others the newest.
func TestTheOutboxStaysWhenTransitionsAreDropped(t *testing.T) {
	a := summarized(generated)
	a.Status.Transitions = slices.Concat(
		outboxOf(7, v1alpha1.DispatchPending, 2), outboxOf(1, v1alpha1.DispatchDone, 3), outboxOf(7, v1alpha1.DispatchDone, 4),
		outboxOf(7, "", v1alpha1.MaxTransitions))
	record.FitStatus(a)
	want := slices.Concat(outboxOf(7, v1alpha1.DispatchPending, 2), outboxOf(1, v1alpha1.DispatchDone, 3), outboxOf(7, "", 7))
	if diff := cmp.Diff(want, a.Status.Transitions); diff != "" {
		t.Errorf("%d are kept of %d that may be:\n%s", len(a.Status.Transitions), v1alpha1.MaxTransitions, diff)
	}
}
