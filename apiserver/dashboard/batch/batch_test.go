package batch_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/pagetest"
)

// running is an article of which a run is in some state.
func running(p *pagetest.Person, n int, run v1alpha1.GenerationRun) string {
	return p.API.Article(func(a *v1alpha1.Article) {
		operationtest.Aged(a, n)
		run.RequestHash = lifecycle.RequestHash(a.Spec.Generate)
		a.Status.Run = &run
	}).Name
}

func TestTheRowsSayHowFarEachArticleIs(t *testing.T) {
	p := pagetest.SignIn(t)
	began, soon := v1alpha1.NewMicroTime(operationtest.Began), v1alpha1.NewMicroTime(operationtest.Began.Add(time.Minute))
	uids := []string{
		running(p, 1, v1alpha1.GenerationRun{State: v1alpha1.RunRunning, Number: 1, Attempt: 1, Step: 2, Steps: 5, StartTime: began}),
		running(p, 2, v1alpha1.GenerationRun{
			State: v1alpha1.RunRetryScheduled, Number: 1, Attempt: 3, Reason: v1alpha1.ReasonInvalidAnswer, Message: "x", NextAttemptTime: &soon,
		}),
		operationtest.AnyUID,
	}
	path := pagetest.In("articles", "new", "generate") + "?articles=" + strings.Join(uids, "+")
	page := p.Get(path)
	p.Want(page, http.StatusOK, map[string]string{
		"h1": "Generating 3 articles", "#batch": "1 of 3 done", "#r-" + uids[0]: "step 2 of 5", "#r-" + uids[1]: "Attempt 3 failed.",
		"#r-" + uids[2] + " .badge": "Deleted",
	})
	for _, uid := range uids {
		if page.Find(".results #r-"+uid+"[data-live]").Length() != 1 {
			t.Errorf("the row of %s is not live", uid)
		}
	}
}

func TestAnAddressThatNamesNoBatchLeadsToTheForm(t *testing.T) {
	p := pagetest.SignIn(t)
	for _, query := range []string{"", "?articles=", "?articles=made-up", "?refused=made-up"} {
		if page := p.Get(pagetest.In("articles", "new", "generate") + query); page.Status != http.StatusSeeOther {
			t.Errorf("%q: got %d", query, page.Status)
		}
	}
	many := []string{operationtest.AnyUID}
	for n := range 60 {
		many = append(many, fmt.Sprintf("0198f0a1-%04x-7000-8000-00000000beef", n), operationtest.AnyUID)
	}
	if got := p.Get(pagetest.In("articles", "new", "generate") + "?articles=" + strings.Join(many, "+")).Find(".results li").Length(); got != 50 {
		t.Errorf("%d rows, want no more than a form has lines", got)
	}
}

func TestOnlyThoseWhoMayWriteAreOfferedAnotherForm(t *testing.T) {
	p := pagetest.SignIn(t, v1alpha1.ScopeRead)
	page := p.Get(pagetest.In("articles", "new", "generate") + "?articles=" + operationtest.AnyUID)
	p.Want(page, http.StatusOK, nil)
	if got := page.Find("main form").Length() + page.Find("main a[href*='/new']").Length(); got != 0 {
		t.Errorf("%d ways to generate are offered", got)
	}
}
