package lifecycle_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/testkit/project"
)

func TestEveryReasonHasARow(t *testing.T) {
	reasons := reasonsOfAPI(t)
	if len(reasons) < 60 {
		t.Fatalf("%d reasons were found in api/v1alpha1: they are looked for in the wrong way", len(reasons))
	}
	for reason := range reasons {
		if _, ok := lifecycle.Reasons[reason]; !ok {
			t.Errorf("the reason %s has no row", reason)
		}
	}
	for reason := range lifecycle.Reasons {
		if !reasons[reason] {
			t.Errorf("there is a row for %s, and api/v1alpha1 has no such reason", reason)
		}
	}
}

// reasonsOfAPI are the values of the constants of api/v1alpha1 whose names begin with Reason.
func reasonsOfAPI(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(project.Root(), "api", "v1alpha1", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(spec.Names[0].Name, "Reason") || len(spec.Values) != 1 {
				return true
			}
			if value, ok := spec.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
				reason, err := strconv.Unquote(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				reasons[reason] = true
			}
			return true
		})
	}
	return reasons
}

// A step that is blocked goes on when something happens, and somebody has to know what.
func TestWhatBlocksOrStallsWaitsForSomething(t *testing.T) {
	for reason, row := range lifecycle.Reasons {
		if (row.Blocks || row.Stalls || row.NotDueYet) && row.WaitsFor == "" {
			t.Errorf("%s waits for nothing", reason)
		}
		if row.Stalls && row.WaitsFor != lifecycle.NeedPerson {
			t.Errorf("%s waits for %s, so it does not stall", reason, row.WaitsFor)
		}
		if row.UntilChange && !row.FromCMS {
			t.Errorf("%s is final until the connection changes, and no CMS answers it", reason)
		}
	}
}

func TestAwaits(t *testing.T) {
	unpublished := func(reason string) with { return condition(v1alpha1.ConditionPublished, metav1.ConditionFalse, reason) }
	ungenerated := func(reason string) with { return condition(v1alpha1.ConditionGenerated, metav1.ConditionFalse, reason) }
	for _, row := range []struct {
		name   string
		change with
		need   lifecycle.Need
		want   bool
	}{
		{"nothing in status", func(*v1alpha1.Article) {}, lifecycle.NeedAccount, false},
		{"no credit", ungenerated(v1alpha1.ReasonInsufficientCredits), lifecycle.NeedAccount, true},
		{"no credit is no Secret", ungenerated(v1alpha1.ReasonInsufficientCredits), lifecycle.NeedSecret, false},
		{"a day's limit, which the account can raise", ungenerated(v1alpha1.ReasonDailyLimitReached), lifecycle.NeedAccount, true},
		{"a Secret of the generator", ungenerated(v1alpha1.ReasonInvalidSecret), lifecycle.NeedSecret, true},
		{"a Secret of the receiver", unpublished(v1alpha1.ReasonSecretNotFound), lifecycle.NeedSecret, true},
		{"a suspended run", ungenerated(v1alpha1.ReasonSuspended), lifecycle.NeedResume, true},
		{"a suspended delivery", unpublished(v1alpha1.ReasonSuspended), lifecycle.NeedResume, true},
		{"a revision that a restored site does not take", condition(v1alpha1.ConditionApproved, metav1.ConditionFalse, v1alpha1.ReasonSuspended), lifecycle.NeedResume, true},
		{"a redelivery", func(a *v1alpha1.Article) {
			publication(v1alpha1.PublicationPublished)(a)
			a.Status.Publication.RedeliveryBlockedReason = v1alpha1.ReasonSecretNotFound
		}, lifecycle.NeedSecret, true},
	} {
		if got := lifecycle.Awaits(article(row.change), row.need); got != row.want {
			t.Errorf("%s: %t, want %t", row.name, got, row.want)
		}
	}
}

// An article whose Site was repaired would be Stalled until a slot is free.
func TestTheWaitForASlotReplacesARequestThatWasInvalid(t *testing.T) {
	for _, reason := range []string{v1alpha1.ReasonInvalidRequest, v1alpha1.ReasonRequestRepeated, v1alpha1.ReasonSecretNotFound} {
		a := article()
		lifecycle.Summarize(a, site(v1alpha1.ReviewManual), now, lifecycle.Blockers{Generation: &lifecycle.BlockedError{Reason: reason}})
		if !lifecycle.GenerationBlocked(a) {
			t.Errorf("a run that waits for a slot would leave %s in status", reason)
		}
	}
	a := article()
	lifecycle.Summarize(a, site(v1alpha1.ReviewManual), now, lifecycle.Blockers{Generation: &lifecycle.BlockedError{Reason: v1alpha1.ReasonInsufficientCredits}})
	if lifecycle.GenerationBlocked(a) {
		t.Error("a run that waits for a slot hides that there is no credit")
	}
}

func TestARunThatWasBlockedHasNoDueTime(t *testing.T) {
	for _, reason := range []string{v1alpha1.ReasonSiteNotFound, v1alpha1.ReasonInvalidRequest, v1alpha1.ReasonInsufficientCredits} {
		a := article(condition(v1alpha1.ConditionGenerated, metav1.ConditionFalse, reason))
		a.Generation, a.CreationTimestamp = 1, metav1.NewTime(now)
		if got := lifecycle.RunDueAt(a); !got.IsZero() {
			t.Errorf("%s: %v, want no time", reason, got)
		}
	}
}
