package ledger

import (
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// maxTokens bounds the tokens of a site's day.
const maxTokens = 1_000_000_000_000

// AddTokens counts tokens that models took for a site, on the day of now. Sites beyond MaxSites on one day are not counted.
func AddTokens(u *v1alpha1.AccountLedgerSpec, site types.NamespacedName, tokens int64, now time.Time) {
	if tokens <= 0 {
		return
	}
	today := dayOf(u, now.UTC())
	i := indexOf(today.sites, site)
	if i < 0 {
		if len(today.sites) >= MaxSites {
			return
		}
		i = len(today.sites)
		today.sites = append(today.sites[:i:i], v1alpha1.SiteUsage{Workspace: site.Namespace, Site: site.Name})
	}
	today.sites[i].Tokens = min(today.sites[i].Tokens+tokens, maxTokens)
	u.Day, u.Sites = today.name, today.sites
}

// TokensToday returns the tokens of a site on the day of now, and when that day ends.
func TokensToday(u *v1alpha1.AccountLedgerSpec, site types.NamespacedName, now time.Time) (tokens int64, end time.Time) {
	today := dayOf(u, now.UTC())
	if i := indexOf(today.sites, site); i >= 0 {
		tokens = today.sites[i].Tokens
	}
	return tokens, today.end(now.UTC())
}
