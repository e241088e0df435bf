package controllers

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// tokenBook has the tokens of runs that have ended and are not in the ledger yet. The sweep of an account writes them together with what
// it writes anyway, so that they cost no write. If the process is killed, they are lost: the ledger has at least what it says.
type tokenBook struct {
	mu sync.Mutex
	// spent are by account.
	spent map[string][]spentTokens
}

// spentTokens are those of one attempt, for a site.
type spentTokens struct {
	site   string
	tokens int64
	at     time.Time
}

func newTokenBook() *tokenBook { return &tokenBook{spent: map[string][]spentTokens{}} }

// add remembers the tokens of an attempt.
func (b *tokenBook) add(account string, s spentTokens) {
	if account == "" || s.tokens <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent[account] = append(b.spent[account], s)
}

// take returns what is not in the ledger yet, and forgets it.
func (b *tokenBook) take(account string) []spentTokens {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.spent[account]
	delete(b.spent, account)
	return taken
}

// putBack remembers again what was not written. If that is not known, it is forgotten: tokens are never counted twice.
func (b *tokenBook) putBack(account string, taken []spentTokens, err error) {
	if err == nil || errors.Is(err, ledger.ErrUnavailable) || len(taken) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent[account] = append(taken, b.spent[account]...)
}

// count writes tokens into the ledger.
func count(u *v1alpha1.AccountUsage, taken []spentTokens) {
	for _, s := range taken {
		ledger.AddTokens(u, s.site, s.tokens, s.at)
	}
}

// today returns the tokens of a site on the day of now, in the ledger and not yet in it, and when the day ends.
func (b *tokenBook) today(account *v1alpha1.Account, site string, now time.Time) (int64, time.Time) {
	usage := account.Status.Usage.DeepCopy()
	b.mu.Lock()
	defer b.mu.Unlock()
	count(usage, b.spent[account.Name])
	return ledger.TokensToday(usage, site, now)
}

// precheckTokens returns a *lifecycle.BlockedError if the site's tokens of the day are used up.
func (g *Generation) precheckTokens(site *v1alpha1.Site, account *v1alpha1.Account) error {
	limit := site.Spec.Limits.TokensPerDay
	if limit == nil {
		return nil
	}
	now := g.Clock.Now()
	spent, end := g.Tokens.today(account, siteUID(site), now)
	if spent < *limit {
		return nil
	}
	return &lifecycle.BlockedError{
		Reason:     v1alpha1.ReasonTokenLimitReached,
		Message:    "the site's tokens of the day (limits.tokensPerDay) are used up; the run waits for the next UTC day",
		RetryAfter: max(end.Sub(now), time.Second),
	}
}

// spent remembers the tokens of an attempt once status is written.
func (g *Generation) spent(t *task, u generate.Usage) {
	if u.InputTokens+u.OutputTokens == 0 {
		return
	}
	a, now := t.article, g.Clock.Now()
	site := identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name)
	t.afterSave = append(t.afterSave, func(ctx context.Context) error {
		countTokens(u)
		account, err := g.account(ctx, a.Namespace)
		if err != nil {
			return err
		}
		g.Tokens.add(account, spentTokens{site: site, tokens: u.InputTokens + u.OutputTokens, at: now})
		return nil
	})
}

func siteUID(site *v1alpha1.Site) string {
	return identity.UID(identity.KindSite, site.Namespace, site.Name)
}
