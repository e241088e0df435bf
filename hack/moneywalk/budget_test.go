package moneywalk_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// TestBudgetsAreExactInEveryHistory makes histories as TestMoneyIsExactInEveryHistory does, of an account with a budget of tokens. The
// ledger never counts more than the attempts that have ended took. It lacks what was lost: at the most what ended within ledger.FlushAfter
// before the controller was killed. The budget is passed by one turn for each attempt in progress at the most.
func TestBudgetsAreExactInEveryHistory(t *testing.T) {
	walkAll(t, "PRESSROOM_WALKS", defaultHistories, ofBudgets)
}

const (
	// turnTokens are what a turn takes, and maxTurns is how many an attempt would take.
	turnTokens, maxTurns = 7, 5
	monthlyTokens        = 70
	// inProgress is how many attempts a controller has in progress at the most.
	inProgress = 2
	// stepsOfBudget are those of one history: 7,000 in all by default, and 1.4 million in `make walk`.
	stepsOfBudget = 140
	// moments pass while requests go on.
	moments = time.Millisecond
)

// spending is what attempts have taken, kept apart from the ledger.
type spending struct {
	w        *walk
	attempts int
	ended    []ledger.SpentTokens
	// counted is what the ledger had of each month when it was written last, and lost what it will never have.
	counted, lost map[string]int64
}

func newSpending(w *walk) *spending {
	return &spending{w: w, counted: map[string]int64{}, lost: map[string]int64{}}
}

// budgeted gives the account a budget, and enough credits.
func budgeted(spec *v1alpha1.AccountSpec) {
	spec.Credits, spec.Budget = new(int64(1e6)), &v1alpha1.AccountBudget{TokensPerMonth: new(int64(monthlyTokens))}
	spec.Limits.ArticlesPerSitePerDay = new(int32(1e6))
}

// take makes the turns of an attempt that has got its answers, or that was cut off after the first of them. A process that was killed takes
// nothing with it.
func (s *spending) take(r generate.Request, err error) (generate.Usage, error) {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	s.attempts++
	var u generate.Usage
	switch {
	case errors.Is(err, errCutOff):
		return u, err
	case errors.Is(err, context.Canceled):
		u.InputTokens = turnTokens
	default:
		for range 1 + s.attempts%maxTurns {
			if r.MaxTokens > 0 && u.InputTokens >= r.MaxTokens {
				err = &generate.Error{Reason: v1alpha1.ReasonArticleTokensExceeded, Message: "used up"}
				break
			}
			u.InputTokens += turnTokens
		}
	}
	if typed, ok := errors.AsType[*generate.Error](err); ok {
		with := *typed
		with.Usage, err = u, &with
	}
	s.ended = append(s.ended, ledger.SpentTokens{Tokens: u.InputTokens, At: time.Now()})
	return u, err
}

// by sums up, by month, what attempts have taken that ended until a time.
func (s *spending) by(until time.Time) map[string]int64 {
	sums := map[string]int64{}
	for _, e := range s.ended {
		if !e.At.After(until) {
			sums[e.At.UTC().Format("2006-01")] += e.Tokens
		}
	}
	return sums
}

// ledger notes a write of the ledger.
func (s *spending) ledger(u *v1alpha1.AccountLedgerSpec) {
	for _, m := range u.Months {
		if m.Tokens < s.counted[m.Month] {
			s.w.failf("the ledger has %d tokens of %s, and had %d", m.Tokens, m.Month, s.counted[m.Month])
		}
		s.counted[m.Month] = m.Tokens
	}
}

// check compares the ledger with what was taken until now: exactly, or at the most.
func (s *spending) check(exactly bool) {
	for month, taken := range s.by(time.Now()) {
		counted, want := s.counted[month], taken-s.lost[month]
		if counted > want || exactly && counted < want {
			s.w.failf("the ledger has %d tokens of %s, want %d", counted, month, want)
		}
		if most := int64(monthlyTokens + inProgress*turnTokens); want > most {
			s.w.failf("%d tokens were taken in %s, want at most %d", want, month, most)
		}
	}
}

// killed notes what was lost.
func (s *spending) killed() {
	for month, taken := range s.by(time.Now().Add(-ledger.FlushAfter - moments)) {
		if want := taken - s.lost[month]; s.counted[month] < want {
			s.w.failf("the ledger of a controller that was killed has %d tokens of %s, want at least %d", s.counted[month], month, want)
		}
	}
	for month, taken := range s.by(time.Now()) {
		lost := taken - s.counted[month]
		s.w.counts["tokens lost"] += int(lost - s.lost[month])
		s.lost[month] = lost
	}
}

var budgetActions = []action[*spending]{
	{"spend", 20, func(s *spending) {
		name := fmt.Sprintf("spends-%d", len(s.w.names))
		s.w.must(s.w.store.create(&v1alpha1.Article{
			ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: name},
			Spec: v1alpha1.ArticleSpec{
				SiteRef: v1alpha1.LocalReference{Name: siteKey.Name}, Stage: v1alpha1.StageReview, Generate: &v1alpha1.GenerateRequest{Keyword: name},
			},
		}))
		s.w.reconcile(name)
	}},
	{"reconcile", 40, func(s *spending) { s.w.reconcile(s.w.someName()) }},
	{"reconcile account", 5, func(s *spending) { s.w.reconcileAccount() }},
	{"run succeeds", 20, func(s *spending) { s.w.finish(&s.w.models, nil) }},
	{"run is retried", 8, func(s *spending) {
		s.w.finish(&s.w.models, &generate.Error{Reason: v1alpha1.ReasonTimeout, Retryable: true, Message: "late"})
	}},
	{"deleted", 2, func(s *spending) { s.w.edit(func(*v1alpha1.Article) {}, true) }},
	{"seconds pass", 15, func(s *spending) { s.pass(time.Duration(s.w.random.IntN(20_000)) * time.Millisecond) }},
	{"controller killed", 2, func(s *spending) { s.w.restartController(); s.killed() }},
	{"controller killed while it writes", 2, (*spending).killWriting},
	{"controller stopped", 2, func(s *spending) { s.w.stopController(); s.check(true) }},
	{"next month", 1, func(s *spending) {
		now := time.Now().UTC()
		s.pass(ledger.FlushAfter + time.Second)
		s.w.pass(time.Until(time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)))
		s.catchUp()
	}},
}

// run makes the history. In the end the controller stops in order, and nothing is missing.
func (s *spending) run() {
	if act(s.w, s, budgetActions, s.rest) {
		s.w.stopController()
		s.check(true)
	}
}

// rest lets all requests go on, and has the account reconciled if that is due.
func (s *spending) rest() {
	s.goOn()
	for range 100 {
		wait, due := s.w.controller.Generation.Tokens.Due(account, time.Now())
		if !due || wait > 0 {
			s.check(false)
			return
		}
		s.w.reconcileAccount()
		s.goOn()
	}
	s.w.failf("tokens that are due stay in the book")
}

func (s *spending) goOn() {
	for range 10_000 {
		s.w.rest()
		if len(s.w.waiting) == 0 {
			return
		}
		s.w.letGo(proceed)
	}
	s.w.failf("the requests do not end")
}

// pass lets time pass, in which the account is reconciled when that is due.
func (s *spending) pass(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end) && !s.w.failed; {
		step := time.Until(end)
		if wait, due := s.w.controller.Generation.Tokens.Due(account, time.Now()); due {
			step = min(step, max(wait, time.Microsecond))
		}
		s.w.pass(step)
		s.rest()
	}
	s.catchUp()
}

// catchUp has the controller's cache show the ledger as it is: no cache lags for minutes.
func (s *spending) catchUp() {
	s.w.process.catchUp(client.ObjectKey{Name: account}, &v1alpha1.AccountLedger{})
}

// killWriting kills the controller during the reconcile that writes the tokens.
func (s *spending) killWriting() {
	if wait, due := s.w.controller.Generation.Tokens.Due(account, time.Now()); due {
		s.w.pass(max(wait, 0))
		requests := s.w.random.IntN(6) // before the reconcile, which draws beside the walk
		s.w.reconcileAccount()
		for range requests {
			s.w.rest()
			s.w.letGo(proceed)
		}
		s.w.rest()
	}
	s.w.restartController()
	s.killed()
}
