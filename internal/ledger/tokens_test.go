package ledger_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func TestTokensAreCountedBySiteAndDay(t *testing.T) {
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	const site, other = "3f0b1a52-0000-4000-8000-000000000001", "3f0b1a52-0000-4000-8000-000000000002"
	u := &v1alpha1.AccountUsage{}
	for _, add := range []struct {
		site   string
		tokens int64
	}{{site, 100}, {other, 7}, {site, 20}, {site, 0}, {site, -5}} {
		ledger.AddTokens(u, add.site, add.tokens, noon)
	}
	for want, name := range map[int64]string{120: site, 7: other} {
		if got, end := ledger.TokensToday(u, name, noon); got != want || !end.Equal(noon.Add(12*time.Hour)) {
			t.Errorf("%d tokens until %s, want %d until midnight", got, end, want)
		}
	}
	if got, _ := ledger.TokensToday(u, site, noon.Add(24*time.Hour)); got != 0 {
		t.Errorf("%d tokens on the next day, want none", got)
	}
	ledger.AddTokens(u, site, 1, noon.Add(24*time.Hour))
	if got, _ := ledger.TokensToday(u, site, noon.Add(24*time.Hour)); got != 1 || len(u.Sites) != 1 {
		t.Errorf("%d tokens at %d sites on the next day, want 1 at 1", got, len(u.Sites))
	}
}

func TestAReturnedArticleLeavesTheTokensOfItsSite(t *testing.T) {
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	u, spec := &v1alpha1.AccountUsage{}, v1alpha1.AccountSpec{}
	c := ledger.Charge{Account: "acme", Run: "a-1", Workspace: "w", Article: "a", SiteUID: "3f0b1a52-0000-4000-8000-000000000001"}
	if err := ledger.Reserve(u, spec, c, noon); err != nil {
		t.Fatal(err)
	}
	ledger.AddTokens(u, c.SiteUID, 50, noon)
	ledger.Return(u, c.Workspace, c.Run)
	if got, _ := ledger.TokensToday(u, c.SiteUID, noon); got != 50 {
		t.Errorf("%d tokens, want 50", got)
	}
}
