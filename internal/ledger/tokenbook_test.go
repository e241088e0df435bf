package ledger_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func TestTokensAreCountedBySiteAndDay(t *testing.T) {
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	site, other := types.NamespacedName{Namespace: "acme-blog", Name: "acme"}, types.NamespacedName{Namespace: "acme-shop", Name: "acme"}
	u := &v1alpha1.AccountLedgerSpec{}
	for _, add := range []struct {
		site   types.NamespacedName
		tokens int64
	}{{site, 100}, {other, 7}, {site, 20}, {site, 0}, {site, -5}} {
		ledger.AddSpent(u, nil, ledger.SpentTokens{Site: add.site, Tokens: add.tokens, At: noon})
	}
	for want, name := range map[int64]types.NamespacedName{120: site, 7: other} {
		if got, end := ledger.TokensToday(u, name, noon); got != want || !end.Equal(noon.Add(12*time.Hour)) {
			t.Errorf("%d tokens until %s, want %d until midnight", got, end, want)
		}
	}
	if got, _ := ledger.TokensToday(u, site, noon.Add(24*time.Hour)); got != 0 {
		t.Errorf("%d tokens on the next day, want none", got)
	}
	ledger.AddSpent(u, nil, ledger.SpentTokens{Site: site, Tokens: 1, At: noon.Add(24 * time.Hour)})
	if got, _ := ledger.TokensToday(u, site, noon.Add(24*time.Hour)); got != 1 || len(u.Sites) != 1 {
		t.Errorf("%d tokens at %d sites on the next day, want 1 at 1", got, len(u.Sites))
	}
}

func TestAReturnedArticleLeavesTheTokensOfItsSite(t *testing.T) {
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	u, spec := &v1alpha1.AccountLedgerSpec{}, v1alpha1.AccountSpec{}
	c := ledger.Charge{Account: "acme", Run: "a-1", Workspace: "w", Article: "a", Site: "s"}
	if err := ledger.Reserve(u, spec, c, noon); err != nil {
		t.Fatal(err)
	}
	ledger.AddSpent(u, nil, ledger.SpentTokens{Site: types.NamespacedName{Namespace: "w", Name: "s"}, Tokens: 50, At: noon})
	ledger.Return(u, c.Workspace, c.Run)
	if got, _ := ledger.TokensToday(u, types.NamespacedName{Namespace: "w", Name: "s"}, noon); got != 50 {
		t.Errorf("%d tokens, want 50", got)
	}
}
