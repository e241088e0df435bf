package article

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// precheckTokens returns a *lifecycle.BlockedError if the site's tokens of the day are used up.
func (g *Generation) precheckTokens(site *v1alpha1.Site, cached *v1alpha1.AccountLedger) error {
	limit := site.Spec.Limits.TokensPerDay
	if limit == nil {
		return nil
	}
	now := g.Clock.Now()
	spent, end := g.Tokens.Today(cached, client.ObjectKeyFromObject(site), now)
	if spent < *limit {
		return nil
	}
	return &lifecycle.BlockedError{
		Reason:     v1alpha1.ReasonDailyTokensExceeded,
		Message:    "the site's tokens of the day (limits.tokensPerDay) are used up; the run waits for the next UTC day",
		RetryAfter: max(end.Sub(now), time.Second),
	}
}

// spent adds the tokens of an attempt to the token book once status is written.
func (g *Generation) spent(t *task, u generate.Usage) {
	if u.InputTokens+u.OutputTokens == 0 {
		return
	}
	a, now := t.article, g.Clock.Now()
	site := client.ObjectKey{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name}
	t.afterSave = append(t.afterSave, func(ctx context.Context) error {
		countTokens(u)
		account, err := g.Account(ctx, a.Namespace)
		if err != nil {
			return err
		}
		g.Tokens.Add(account, ledger.SpentTokens{Site: site, Tokens: u.InputTokens + u.OutputTokens, At: now})
		return nil
	})
}
